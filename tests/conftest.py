"""What every test has: Hypothesis without a clock, and the same examples at every run of a CI."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.stores import postgres, postgres_url, sqlite_url, store_url

__all__ = ["postgres", "postgres_url", "sqlite_url", "store_url"]

settings.register_profile(
    "house",
    deadline=None,
    print_blob=True,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],  # how fast the machine is says nothing about the code
)
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    """How patient one is."""
    parser.addoption("--kills", default="4", help="how often each server is killed under play")


@pytest.fixture(scope="session")
def web_dist() -> Path:
    """The built web client; `make pytest` builds it first."""
    dist = Path(__file__).parents[1] / "web" / "dist"
    if not (dist / "index.html").is_file():
        pytest.fail("no web client is built: run `make web`")
    return dist
