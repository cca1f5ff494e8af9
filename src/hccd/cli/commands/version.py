"""``hccd version``: which version this is, and what it runs on."""

from __future__ import annotations

from hccd.cli.console import Console
from hccd.cli.options import AsJson
from hccd.version import __version__

EXAMPLES = """\b
Examples:
  hccd version
  hccd version --json      with Python and the packages below, for a report"""

_PACKAGES = ("numpy", "scipy", "scikit-learn", "joblib", "narwhals", "pyarrow", "typer", "rich")


def version(as_json: AsJson = False) -> None:
    """Print the version."""
    console = Console()
    if as_json:
        console.data({"hccd": __version__, **_surroundings()})
    else:
        console.result(f"hccd {__version__}")


def _surroundings() -> dict[str, object]:
    """Return the versions of Python, the system and the packages; they are looked up, not imported."""
    import platform
    from importlib import metadata

    def found(name: str) -> str | None:
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            return None

    packages = {name: found(name) for name in _PACKAGES}
    return {"python": platform.python_version(), "system": platform.platform(), "packages": packages}
