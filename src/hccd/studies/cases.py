"""The runs of a study: every combination of the properties that its description lists for a scale."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from hccd.studies.run_store import Case


def cases(properties: Mapping[str, Any]) -> list[Case]:
    """List the runs.

    Parameters
    ----------
    properties : mapping
        Lists are varied, all combinations of them, the last the fastest; ``graphs`` and ``sets`` are how many there
        are of each combination, counted from 1; other values are the same in every run. ``fewer`` may say how many
        graphs there are for some values of a property.

    Examples
    --------
    >>> cases({"variables": [20, 50], "rows": 500, "graphs": 1})
    [{'variables': 20, 'rows': 500, 'graph': 1}, {'variables': 50, 'rows': 500, 'graph': 1}]
    """
    varied = {name: value if isinstance(value, list) else [value] for name, value in properties.items()}
    varied.pop("fewer", None)
    for counted, one in (("graphs", "graph"), ("sets", "set")):
        if counted in varied:
            varied[one] = list(range(1, varied.pop(counted)[0] + 1))
    every = [dict(zip(varied, values, strict=True)) for values in product(*varied.values())]
    fewer = properties.get("fewer", {})

    def wanted(case: Case) -> bool:
        return all(case["graph"] <= most.get(str(case[name]), case["graph"]) for name, most in fewer.items())

    return [case for case in every if wanted(case)]
