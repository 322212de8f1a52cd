"""The command line: `slamomatic serve | play | lab …`. Each command loads its own room only."""

import click


@click.group()
@click.version_option(package_name="slamomatic", prog_name="slamomatic")
def main() -> None:
    """Play Hands Down: with friends far away, in one room, or against bots."""
