import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

REPO = Path(__file__).parents[1]


def build_wheel(source: Path, into: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(into)],
        cwd=source,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout in which no web client was built yet."""
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    for name in ("pyproject.toml", "hatch_build.py", "LICENSE", "src"):
        os.symlink(REPO / name, checkout / name)
    return checkout


def test_the_wheel_ships_the_built_client(web_dist: Path, tmp_path: Path) -> None:
    built = build_wheel(REPO, tmp_path)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    shipped = set(zipfile.ZipFile(wheel).namelist())
    assert "slamomatic/py.typed" in shipped
    for file in web_dist.rglob("*"):
        if file.is_file():
            assert f"slamomatic/server/static/{file.relative_to(web_dist).as_posix()}" in shipped


def test_no_wheel_is_built_without_a_client(checkout: Path, tmp_path: Path) -> None:
    built = build_wheel(checkout, tmp_path)
    assert built.returncode != 0
    assert "run `make web` first" in built.stderr
    assert not list(tmp_path.glob("*.whl"))
