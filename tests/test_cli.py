from importlib.metadata import version

from click.testing import CliRunner

from slamomatic import __version__
from slamomatic.cli import main


def test_the_command_tells_the_version_that_is_installed() -> None:
    told = CliRunner().invoke(main, ["--version"])
    assert told.exit_code == 0
    assert told.output == f"slamomatic, version {__version__}\n"
    assert version("slamomatic") == __version__
