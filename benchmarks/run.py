"""The commands that measure: install the peers, make the workloads, measure everybody in turn, write the report.

    python -m benchmarks run --profile quick|full [--only WORKLOAD ...]   comparison, growth and limit
    python -m benchmarks limit --profile quick|full                       ours against plain C alone
    python -m benchmarks break-even [--graphs K]                          from which cost of a test on HCCD pays
    python -m benchmarks threads                                          one worker and two

All take --cap S, --repeats K, --out DIR and --fresh. Interrupted, the same command goes on where it stopped.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

from benchmarks import break_even, peers, report, threads
from benchmarks.profiles import LIMIT, PROFILES, Case
from benchmarks.runner import run_cases
from benchmarks.store import measurements


def profile_main(arguments: list[str]) -> int:
    """Run a whole profile."""
    return _profile("run", (), arguments)


def limit_main(arguments: list[str]) -> int:
    """Measure the machine's limit and ours against it, and nothing else."""
    return _profile("limit", (LIMIT,), arguments)


def break_even_main(arguments: list[str]) -> int:
    """Measure what HCCD costs and saves, and try it with a slow test."""
    parser = _parser("break-even")
    parser.add_argument("--graphs", type=int, default=3, help="graphs of each size and connectivity")
    parser.add_argument("--no-slow-test", action="store_true", help="leave out the test that costs 1 ms (minutes)")
    options = parser.parse_args(arguments)
    cases = break_even.cases(options.graphs, slow=not options.no_slow_test)
    return measured(cases, options, cap=150.0, repeats=3)


def threads_main(arguments: list[str]) -> int:
    """Measure the wall time of one worker and of two."""
    return measured(threads.cases(), _parser("threads").parse_args(arguments), cap=300.0, repeats=3)


def _parser(command: str) -> argparse.ArgumentParser:
    """Return what every measuring command takes."""
    parser = argparse.ArgumentParser(
        prog=f"python -m benchmarks {command}",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--cap", type=float, help="CPU seconds after which a run is stopped")
    parser.add_argument("--repeats", type=int, help="how often everything is measured")
    parser.add_argument("--only", nargs="+", metavar="WORKLOAD", help="these workloads alone; patterns will do")
    parser.add_argument("--out", type=Path, default=report.RESULTS, help="where measurements, tables and plots go")
    parser.add_argument("--fresh", action="store_true", help="forget earlier measurements")
    return parser


def _profile(command: str, studies: tuple[str, ...], arguments: list[str]) -> int:
    parser = _parser(command)
    parser.add_argument("--profile", choices=sorted(PROFILES), default="quick")
    options = parser.parse_args(arguments)
    profile = PROFILES[options.profile]()
    return measured(profile.of_study(*studies) if studies else profile.cases, options, profile.cap, profile.repeats)


def chosen(cases: Sequence[Case], only: Sequence[str] | None) -> list[Case]:
    """Return the cases of the named workloads, or all; a name that fits none is refused."""
    names = sorted({case.workload.name for case in cases})
    for pattern in only or ():
        if not any(fnmatch(name, pattern) for name in names):
            raise ValueError(f"there is no workload {pattern!r} here; choose from {', '.join(names)}")
    return [case for case in cases if not only or any(fnmatch(case.workload.name, pattern) for pattern in only)]


def measured(cases: Sequence[Case], options: argparse.Namespace, cap: float, repeats: int) -> int:
    """Measure the cases, then write the report; returns the exit code."""
    try:
        picked = chosen(cases, options.only)
        peers.install()
        path = options.out / report.MEASUREMENTS
        if options.fresh:
            path.unlink(missing_ok=True)
        run_cases(picked, measurements(path), options.out, options.cap or cap, options.repeats or repeats)
    except ValueError as error:
        print(error)
        return 2
    except peers.PeersNotInstalledError as error:
        print(error)
        return 1
    except KeyboardInterrupt:
        print("\ninterrupted; the same command goes on from here")
        return 130
    report.write(options.out)
    return 0
