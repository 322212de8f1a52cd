"""What a host reads and runs says what is: no option that is not there, and none forgotten."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import click
import msgspec
import pytest
from prometheus_client.parser import text_string_to_metric_families

from slamomatic.cli import main
from slamomatic.server.limits import Limits, Rate
from slamomatic.server.main import serve
from slamomatic.server.metrics import Metrics

REPO = Path(__file__).parents[1]
PAGE = (REPO / "docs" / "hosting.md").read_text()
FILES = {
    path.relative_to(REPO).as_posix(): path.read_text()
    for path in (REPO / "Dockerfile", REPO / "compose.yaml", *sorted((REPO / "hosting").iterdir()))
}
OPTIONS = [option for option in serve.params if isinstance(option, click.Option)]
VARIABLES = {str(option.envvar) for option in OPTIONS}


def variables_in(text: str) -> set[str]:
    return set(re.findall(r"\b(?:SLAMOMATIC_[A-Z_]+|DATABASE_URL)\b", text))


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.opts[0])
def test_the_page_names_every_option_and_its_variable(option: click.Option) -> None:
    row = next((line for line in PAGE.splitlines() if line.startswith(f"| `{option.opts[0]}")), "")
    assert f"`{option.envvar}`" in row


@pytest.mark.parametrize("name", ["docs/hosting.md", *FILES])
def test_no_page_and_no_file_names_an_option_that_is_not_there(name: str) -> None:
    text = PAGE if name == "docs/hosting.md" else FILES[name]
    assert variables_in(text) <= VARIABLES
    for line in re.findall(r"slamomatic serve\b[^\n`]*", text):
        known = {"--help", *(word for option in OPTIONS for word in option.opts)}
        assert set(re.findall(r"--[a-z-]+", line)) <= known, line


def commands_in(text: str) -> Iterator[list[str]]:
    """Each `slamomatic …` that is shown as something to type, as its words."""
    for block in re.findall(r"```\n(.*?)```", text, re.DOTALL):
        for line in block.splitlines():
            if (shown := re.match(r"(?:\S*/)?slamomatic ([a-z].*)", line)) is not None:
                yield shown[1].partition("#")[0].split()


@pytest.mark.parametrize("words", list(commands_in(PAGE)), ids=" ".join)
def test_every_command_that_is_shown_is_there(words: list[str]) -> None:
    command: click.Command = main
    context = click.Context(main)
    while isinstance(command, click.Group) and words:
        found = command.get_command(context, words[0])
        assert found is not None, words
        context = found.make_context(words[0], ["--help"], resilient_parsing=True)
        command, words = context.command, words[1:]
    known = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= known


def test_the_page_tells_every_limit_as_it_is() -> None:
    told = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", PAGE.partition("## Limits")[2], re.MULTILINE))
    for name in Limits.__struct_fields__:
        value = getattr(Limits(), name)
        if isinstance(value, Rate):
            assert told[name] == f"{value.burst}, then {value.per_second:g} a second"
        else:
            assert told[name] == f"{value:,}"
    assert set(told) == set(Limits.__struct_fields__)


def test_the_limits_file_that_is_shown_is_one() -> None:
    (shown,) = re.findall(r'```\n(\{"tables".*?)```', PAGE, re.DOTALL)
    assert set(json.loads(shown)) <= set(Limits.__struct_fields__)
    assert msgspec.json.decode(shown, type=Limits) != Limits()


async def test_alerts_and_page_speak_of_counts_that_are_counted() -> None:
    metrics = Metrics()
    families = text_string_to_metric_families(await _told_by(metrics))
    counted = {family.name for family in families}
    for text in (FILES["hosting/alerts.yaml"], PAGE):
        for name in set(re.findall(r"\bslamomatic_[a-z_]+", text)):
            assert re.sub("_(total|bucket|count|sum)$", "", name) in counted, name


async def _told_by(metrics: Metrics) -> str:
    from aiohttp.test_utils import make_mocked_request  # noqa: PLC0415

    answer = await metrics.handler(make_mocked_request("GET", "/metrics"))
    body = getattr(answer, "body", b"")
    assert isinstance(body, bytes)
    return body.decode()


def test_the_image_is_made_of_what_is_let_into_it() -> None:
    rules = [line for line in (REPO / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    dockerfile = FILES["Dockerfile"]
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", dockerfile, re.MULTILINE)
    for source in (source for line in copied for source in line.split()):
        assert (REPO / source).exists(), source
        assert not _is_left_out(source, rules), source
    for secret in (".env", ".git/config", "tests/stores.py", "web/node_modules/x", "slamomatic.db"):
        assert _is_left_out(secret, rules), secret


def _is_left_out(path: str, rules: list[str]) -> bool:
    """As Docker reads it: the last rule that fits the path, or a folder it is in, decides."""
    left_out = False
    parts = path.split("/")
    ways = ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
    for rule in rules:
        pattern = rule.removeprefix("!")
        if any(fnmatch(way, pattern) or fnmatch(way, pattern.removeprefix("**/")) for way in ways):
            left_out = not rule.startswith("!")
    return left_out


def test_the_image_has_a_python_and_a_node_that_will_do() -> None:
    project = tomllib.loads((REPO / "pyproject.toml").read_text())["project"]
    python = tuple(map(int, re.findall(r"^ARG PYTHON=(\S+)", FILES["Dockerfile"], re.MULTILINE)[0].split(".")))
    assert python >= tuple(map(int, project["requires-python"].removeprefix(">=").split(".")))
    node = int(re.findall(r"^ARG NODE=(\d+)", FILES["Dockerfile"], re.MULTILINE)[0])
    engines = json.loads((REPO / "web" / "package.json").read_text())["engines"]["node"]
    assert f">={node}" in engines or f"^{node}." in engines


def test_the_image_runs_as_nobody_in_particular_and_is_asked_how_it_is() -> None:
    last = FILES["Dockerfile"].rpartition("\nFROM ")[2]
    assert re.search(r"^USER [1-9]\d*:[1-9]\d*$", last, re.MULTILINE)
    assert re.search(r"^VOLUME /data$", last, re.MULTILINE)
    assert "/healthz" in last
    assert 'ENTRYPOINT ["slamomatic"]' in last


def test_the_house_shows_the_world_nothing_but_its_proxy() -> None:
    services = FILES["compose.yaml"].partition("services:\n")[2].partition("\nvolumes:")[0]
    names = re.findall(r"^  (\w+):$", services, re.MULTILINE)
    each = dict(zip(names, re.split(r"^  \w+:$", services, flags=re.MULTILINE)[1:], strict=True))
    assert set(each) == {"server", "database", "caddy"}
    assert [name for name, text in each.items() if "\n    ports:" in text] == ["caddy"]
    assert "internal: true" in FILES["compose.yaml"]
    for name in ("hosting/Caddyfile", "hosting/nginx.conf"):
        assert "metrics" in FILES[name]
        assert "404" in FILES[name]


def test_no_file_names_a_machine_it_was_made_on() -> None:
    for name, text in (*FILES.items(), ("docs/hosting.md", PAGE)):
        assert not re.search(r"(pypi|npmjs|debian|ghcr|quay|docker)\.(org|io|com|net)", text), name


# The threat model.

SECURITY = (REPO / "docs" / "security.md").read_text()


def test_every_answer_to_a_threat_is_shown_by_a_test_that_is_there() -> None:
    named = set(re.findall(r"(tests/[\w/]+\.py)::(test_\w+)", SECURITY))
    assert len(named) > 50
    for file, name in named:
        assert re.search(rf"^(async )?def {name}\(", (REPO / file).read_text(), re.MULTILINE), f"{file}::{name}"


def test_every_answer_to_a_threat_stands_where_it_is_said_to() -> None:
    rows = re.findall(r"^\| [^|]+ \| [^|]+ \| ([^|]+) \|", SECURITY, re.MULTILINE)
    for place in (place for row in rows for place in re.findall(r"`([\w/.]+)`", row)):
        assert (REPO / "src" / "slamomatic" / place).exists() or (REPO / place).exists(), place


@pytest.mark.parametrize("page", [PAGE, SECURITY], ids=["hosting", "security"])
def test_every_link_of_a_page_leads_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", page):
        path, _, anchor = target.partition("#")
        text = page if not path else (REPO / "docs" / path).read_text()
        headings = {
            re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-")
            for line in text.splitlines()
            if line.startswith("#")
        }
        assert not anchor or anchor in headings, target
