"""The other packages: installed from the package index into an environment of their own.

The environment is made on first use and made again when a pin changes; nothing of it touches our own.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from collections.abc import Collection
from pathlib import Path

from hccd.studies.peer_script import PINS

#: Where the environment lives; not under version control.
HOME = Path(__file__).parent / ".venv-peers"


class PeersNotInstalledError(Exception):
    """The environment of the peers could not be made."""


def install(home: Path = HOME, pins: dict[str, str] = PINS, bare: Collection[str] = ()) -> Path:
    """Make an environment with these packages if it is not there, and return its interpreter.

    Packages that are ``bare`` come without what they require.
    """
    python = home / "bin" / "python"
    stamp = home / "installed.txt"
    wanted = [f"{package}=={version}" for package, version in pins.items()]
    if not stamp.exists() or stamp.read_text(encoding="utf-8").splitlines() != wanted:
        print("installing the peers into", home, ":", ", ".join(wanted), flush=True)
        venv.create(home, with_pip=True, clear=True)
        command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        alone = [each for each in wanted if each.split("==")[0] in bare]
        steps = [
            ["pandas", *(each for each in wanted if each not in alone)],
            *([["--no-deps", *alone]] if alone else []),
        ]
        if any(subprocess.run([*command, *step], check=False).returncode != 0 for step in steps):
            raise PeersNotInstalledError(
                f"pip could not install the peers into {home} (its own message is above): check the network, then "
                "run the same command again"
            )
        stamp.write_text("\n".join(wanted), encoding="utf-8")
    return python


def interpreter(package: str) -> str:
    """Return the interpreter that has a package: our own for ours and for numpy, else that of the peers."""
    return str(HOME / "bin" / "python") if package in PINS else sys.executable
