"""Run one measurement by name."""

from __future__ import annotations

import sys
from importlib import import_module

#: Command, and the function behind it.
COMMANDS = {
    "run": "benchmarks.run:profile_main",
    "limit": "benchmarks.run:limit_main",
    "break-even": "benchmarks.run:break_even_main",
    "threads": "benchmarks.run:threads_main",
    "phases": "benchmarks.phases:main",
    "report": "benchmarks.report:main",
    "tests-saved": "benchmarks.tests_saved:main",
    "baselines": "benchmarks.baselines:main",
    "score-cost": "benchmarks.score_cost:main",
    "growth": "benchmarks.growth:main",
    "score-reached": "benchmarks.score_reached:main",
    "score-wrapper": "benchmarks.score_wrapper:main",
    "estimates": "benchmarks.estimates:main",
    "kills": "benchmarks.kills:main",
    "distributed": "benchmarks.distributed:main",
    "accuracy": "benchmarks.accuracy:main",
    "mixed": "benchmarks.mixed:main",
    "type1": "benchmarks.type1:main",
    "confidence": "benchmarks.confidence:main",
    "calibration-power": "benchmarks.calibration_power:main",
    "missing": "benchmarks.missing:main",
    "knowledge": "benchmarks.knowledge:main",
    "hidden": "benchmarks.hidden:main",
    "checks-fit": "benchmarks.checks_fit:main",
    "tables": "benchmarks.real_tables:main",
    "screenshots": "benchmarks.screenshots:main",
    "checks": "benchmarks.checks:main",
    "foreign-baselines": "benchmarks.foreign_baselines:main",
    "non-normal": "benchmarks.non_normal:main",
    "scaling": "benchmarks.scaling:main",
    "streams": "benchmarks.streams:main",
    "counted-tables": "benchmarks.counted_tables:main",
}


def main() -> int:
    """Dispatch to the named command."""
    chosen = sys.argv[1:2]
    if not chosen or chosen[0] not in COMMANDS:
        print("usage: python -m benchmarks COMMAND [options]; commands: " + ", ".join(COMMANDS))
        return 2 if chosen else 0
    module, function = COMMANDS[chosen[0]].split(":")
    return int(getattr(import_module(module), function)(sys.argv[2:]) or 0)


if __name__ == "__main__":
    sys.exit(main())
