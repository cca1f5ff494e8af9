"""What is measured on what: the cases of the quick and the full profile.

A case is a workload and the implementations to run on it, for the sake of one study: the comparison with other
packages, the growth curves, the machine's limit. A workload may serve several.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.measure import C_LIMIT, kinds_of
from benchmarks.workloads import Workload, gaussian, network, random_network

#: The rows of the comparison, in this order.
SKELETONS = ("hccd PC skeleton", "hccd HCCD skeleton")
OUR_GRAPHS = ("hccd PC", "hccd PC max-p", "hccd HCCD", "hccd HCCD max-p")
OURS = (*SKELETONS, *OUR_GRAPHS)
PEERS = ("pybnesian PC", "pybnesian PC majority", "pyagrum PC", "causal-learn PC", "pgmpy PC")
GROWING = ("hccd PC", "hccd HCCD", "hccd HCCD max-p", "pybnesian PC")
#: The program, and ours from the same input and from the table.
LIMITED = (C_LIMIT, "hccd PC skeleton, bound", "hccd PC skeleton", "numpy correlations")

COMPARISON, GROWTH, LIMIT = "comparison", "growth", "limit"


@dataclass(frozen=True)
class Case:
    """A workload and who is run on it."""

    study: str
    workload: Workload
    implementations: tuple[str, ...]


@dataclass(frozen=True)
class Profile:
    """Cases, CPU seconds after which a run is stopped, and how often everything is repeated."""

    cases: tuple[Case, ...]
    cap: float
    repeats: int

    def of_study(self, *studies: str) -> tuple[Case, ...]:
        """Return the cases of some studies."""
        return tuple(case for case in self.cases if case.study in studies)


def cases(study: str, workloads: Iterable[Workload], implementations: Sequence[str]) -> list[Case]:
    """Return a case for each workload, with those implementations that take its kind of data."""
    return [
        Case(study, workload, tuple(name for name in implementations if workload.kind in kinds_of(name)))
        for workload in workloads
    ]


def quick() -> Profile:
    """A few minutes, to see that everything is in order."""
    everybody = (*OURS, *(name for name in PEERS if name != "pybnesian PC majority"))
    return Profile(
        cap=10.0,
        repeats=2,
        cases=(
            *cases(COMPARISON, (gaussian(100, 3), network("alarm", 500)), everybody),
            # The others would only be waited for.
            *cases(COMPARISON, (gaussian(1000, 3), network("alarm", 5000)), (*OURS, "pybnesian PC")),
            *cases(GROWTH, (gaussian(n, 3) for n in (100, 300, 1000)), ("hccd PC", "hccd HCCD")),
            *cases(GROWTH, (network("alarm", rows) for rows in (500, 5000)), ("hccd PC", "hccd HCCD")),
            *cases(LIMIT, (gaussian(1000, 3), network("alarm", 5000)), LIMITED),
        ),
    )


def full() -> Profile:
    """Everything; an hour or two, most of it waiting for the cap."""
    everybody = (*OURS, *PEERS)
    # The rules for colliders differ by minutes there, and the skeleton is the same.
    most = tuple(name for name in everybody if name != "pybnesian PC majority")
    large = ("hepar2", "win95pts", "munin1")
    return Profile(
        cap=300.0,
        repeats=3,
        cases=(
            *cases(COMPARISON, (gaussian(n, c) for c in (3, 5) for n in (100, 200, 1000, 2000, 5000)), most),
            *cases(COMPARISON, (network("alarm", 500), network("alarm", 5000)), everybody),
            *cases(COMPARISON, (network(name, 500) for name in large), everybody),
            *cases(COMPARISON, (network(name, 5000) for name in large), OURS),
            *cases(COMPARISON, (random_network(n, 4, rows) for n in (70, 200) for rows in (500, 5000)), everybody),
            *cases(COMPARISON, (random_network(200, 10, 5000),), OURS),
            *cases(GROWTH, (gaussian(n, 3) for n in (100, 200, 500, 1000, 2000, 5000, 10000)), GROWING),
            *cases(GROWTH, (network("alarm", rows) for rows in (500, 1000, 2000, 5000, 10000, 20000, 50000)), GROWING),
            *cases(LIMIT, (gaussian(n, 3) for n in (1000, 2000, 5000)), LIMITED),
            *cases(LIMIT, (network("alarm", 5000), network("munin1", 500), network("munin1", 5000)), LIMITED),
        ),
    )


PROFILES = {"quick": quick, "full": full}
