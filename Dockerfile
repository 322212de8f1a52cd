# The server in an image: the client is built by Node, the wheel by Python, and only the wheel's own things go along.
#
#   docker build -t slamomatic .
#   docker run -p 8000:8000 -v slamomatic:/data slamomatic
#
# Both lock files are obeyed, so the same checkout gives the same image. docs/hosting.md says the rest.

ARG NODE=24
# The Python the tests run with; any newer one will do.
ARG PYTHON=3.11

FROM node:${NODE}-slim AS client
WORKDIR /build
COPY web/package.json web/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY web ./
RUN npm run build

FROM python:${PYTHON}-slim AS wheel
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_CONSTRAINT=/build/constraints.txt
WORKDIR /build
COPY requirements/constraints.txt pyproject.toml ./
# What the server needs comes before the server itself: a change of ours does not fetch it anew.
RUN python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], sep="\n")' \
        > needed.txt \
    && grep '^hatchling==' constraints.txt > build.txt \
    && python -m venv /opt/slamomatic \
    && /opt/slamomatic/bin/pip install --requirement needed.txt \
    && pip install --requirement build.txt
COPY hatch_build.py LICENSE ./
COPY src src
COPY --from=client /build/dist web/dist
RUN hatchling build -t wheel \
    && /opt/slamomatic/bin/pip install --no-deps dist/*.whl \
    && /opt/slamomatic/bin/python -m compileall -q /opt/slamomatic/lib

FROM python:${PYTHON}-slim
# Nobody in particular, with a folder of his own.
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin slamomatic \
    && install --directory --owner=slamomatic --group=slamomatic --mode=0700 /data
COPY --from=wheel /opt/slamomatic /opt/slamomatic
ENV PATH=/opt/slamomatic/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    SLAMOMATIC_HOST=0.0.0.0 \
    SLAMOMATIC_DATA=/data
USER 10001:10001
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s CMD ["python", "-c", "\
from os import environ as told; from urllib.request import urlopen; \
port, base = told.get('SLAMOMATIC_PORT', '8000'), told.get('SLAMOMATIC_BASE_PATH', ''); \
urlopen(f'http://127.0.0.1:{port}{base.rstrip(chr(47))}/healthz', timeout=4)"]
ENTRYPOINT ["slamomatic"]
CMD ["serve"]
