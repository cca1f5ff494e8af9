"""``hccd version``: which version this is."""

from __future__ import annotations

from hccd.cli.console import Console
from hccd.version import __version__


def version() -> None:
    """Say the version and stop."""
    Console().result(f"hccd {__version__}")
