"""Linear Gaussian networks in JSON, the format in which pgmpy stores those of the bnlearn repository.

The file holds an object with ``nodes``, ``arcs`` and ``cpds``. Each node has a ``variance`` and ``coefficients``, one
for each parent and one called ``(Intercept)``; each is a list of one number.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from hccd.datasets.gaussian_network import GaussianNetwork
from hccd.errors import FileFormatError, InvalidGraphError, InvalidParameterError
from hccd.files.text import read_text
from hccd.wording import quoted

_INTERCEPT = "(Intercept)"


def read_gaussian_json(path: str | os.PathLike[str]) -> GaussianNetwork:
    """Read a linear Gaussian network from a JSON file, compressed with gzip or not.

    Raises
    ------
    FileFormatError
        The file cannot be read, or does not hold such a network.
    """
    named = quoted(path, longest=4096)
    try:
        data = json.loads(read_text(Path(path)))
    except json.JSONDecodeError as error:
        raise FileFormatError(f"{named}, line {error.lineno}: this is not JSON ({error.msg})") from None
    try:
        return _network(data)
    except KeyError as error:
        raise FileFormatError(f"{named} holds no linear Gaussian network: {error.args[0]!r} is missing") from None
    except (TypeError, AttributeError, IndexError):
        raise FileFormatError(
            f"{named} holds no linear Gaussian network: 'nodes', 'arcs' and 'cpds' are expected, each CPD with "
            f"'coefficients' and a 'variance'"
        ) from None
    except (InvalidGraphError, InvalidParameterError, ValueError) as error:
        raise FileFormatError(f"{named} holds no linear Gaussian network: {error}") from None


def _network(data: Mapping[str, Any]) -> GaussianNetwork:
    names = tuple(data["nodes"])
    number = {name: i for i, name in enumerate(names)}
    n = len(names)
    weights, intercepts, variances = np.zeros((n, n)), np.zeros(n), np.zeros(n)
    dag = np.zeros((n, n), dtype=np.bool_)
    for cause, effect in data["arcs"]:
        dag[number[cause], number[effect]] = True
    for name, j in number.items():
        equation = data["cpds"][name]
        coefficients = dict(equation["coefficients"])
        (intercepts[j],) = coefficients.pop(_INTERCEPT)
        (variances[j],) = equation["variance"]
        if {number[parent] for parent in coefficients} != set(np.flatnonzero(dag[:, j]).tolist()):
            raise InvalidGraphError(f"the coefficients of {quoted(name)} do not fit the arcs into it")
        for parent, value in coefficients.items():
            (weights[number[parent], j],) = value
    return GaussianNetwork(names, dag, weights[dag], intercepts, variances)
