"""Cluster trees as nested dicts (for JSON files) and as nested lists (for writing one by hand).

Names of variables exist only here: both forms speak of names if names are given, and of numbers otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hccd.clustering.cluster import Cluster, Record, assemble
from hccd.errors import InvalidParameterError


def to_dict(root: Cluster, names: Sequence[Any] | None = None) -> dict[str, Any]:
    """Write leaves as ``{"variables": [...]}``, inner clusters as ``{"children": [...]}``.

    ``eigenvalues`` are added where they are known.
    """
    whole: dict[str, Any] = {}
    waiting = [(root, whole)]
    while waiting:
        cluster, here = waiting.pop()
        if cluster.eigenvalues:
            here["eigenvalues"] = [float(value) for value in cluster.eigenvalues]
        if cluster.children:
            here["children"] = [{} for _ in cluster.children]
            waiting.extend(zip(cluster.children, here["children"], strict=True))
        else:
            here["variables"] = [int(v) if names is None else names[v] for v in cluster.variables]
    return whole


def from_dict(nested: Mapping[str, Any], names: Sequence[Any] | None = None) -> Cluster:
    """Undo :func:`to_dict`."""
    number = _numbering(names)
    records: list[Record] = []
    waiting: list[Any] = [nested]
    while waiting:
        here = waiting.pop()
        if not isinstance(here, Mapping) or ("children" in here) == ("variables" in here):
            raise InvalidParameterError(
                f"a cluster must be a mapping with either 'children' or 'variables', got {_short(here)}."
            )
        eigenvalues = tuple(float(value) for value in here.get("eigenvalues", ()))
        children = here.get("children", ())
        if "children" in here and not children:
            raise InvalidParameterError("a cluster has an empty list of children; give it 'variables' instead")
        variables = tuple(sorted(number(v) for v in here.get("variables", ())))
        records.append(Record(len(children), variables, eigenvalues))
        waiting.extend(reversed(children))
    return assemble(records)


def from_nested(nested: Sequence[Any], names: Sequence[Any] | None = None) -> Cluster:
    """Read a list of variables as a leaf, and each entry of a list that contains lists as a child."""
    number = _numbering(names)
    records: list[Record] = []
    waiting: list[Any] = [nested]
    while waiting:
        here = waiting.pop()
        if not isinstance(here, (list, tuple)):
            records.append(Record(0, (number(here),)))
        elif any(isinstance(entry, (list, tuple)) for entry in here):
            records.append(Record(len(here), ()))
            waiting.extend(reversed(here))
        else:
            records.append(Record(0, tuple(sorted(number(v) for v in here))))
    return assemble(records)


def _numbering(names: Sequence[Any] | None) -> Any:
    """Return a function from what a nested form calls a variable to its number."""
    if names is None:

        def as_number(value: Any) -> int:
            if isinstance(value, bool) or not hasattr(value, "__index__"):
                raise InvalidParameterError(
                    f"a variable must be a number from 0, got {value!r}; pass names= to use names."
                )
            return int(value)

        return as_number
    numbers = {name: i for i, name in enumerate(names)}
    if len(numbers) != len(names):
        raise InvalidParameterError("names must be distinct; rename the variables that share a name")

    def by_name(value: Any) -> int:
        if value not in numbers:
            raise InvalidParameterError(f"{value!r} is not among the {len(numbers)} names of the variables")
        return numbers[value]

    return by_name


def _short(value: object) -> str:
    """Show the value as text, cut to a readable length."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
