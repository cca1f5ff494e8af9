"""Run one measurement by name."""

from __future__ import annotations

import sys
from importlib import import_module

COMMANDS = {
    "tests-saved": "benchmarks.tests_saved",
    "speed": "benchmarks.speed",
}


def main() -> int:
    """Dispatch to the named measurement."""
    chosen = sys.argv[1:2]
    if not chosen or chosen[0] not in [*COMMANDS, "all"]:
        print("usage: python -m benchmarks COMMAND [options]; commands: all, " + ", ".join(COMMANDS))
        return 2 if chosen else 0
    for command in COMMANDS if chosen == ["all"] else chosen:
        import_module(COMMANDS[command]).main(sys.argv[2:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
