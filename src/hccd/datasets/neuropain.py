"""The network of the neuropathic pain simulator (Tu et al., NeurIPS 2019), one of the paper's eleven data sets.

222 binary variables in three layers: 27 injuries cause 52 radiculopathies, which cause 143 symptoms. A variable with
parents is 1 with the largest of the probabilities of its active parents, and 0 if none is active. A table of
probabilities would need 2^20 rows for one symptom, so this is not a `DiscreteNetwork`. A row without any finding is
drawn again, as in the simulator, since a patient has at least one.

This package does not contain the parameters; they are read from a folder with ``neuropain_params.json``.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from hccd.datasets.acyclic import acyclic_graph
from hccd.datasets.discrete_network import Codes
from hccd.datasets.synthetic import Bools, Floats, Seed
from hccd.errors import FileFormatError, InvalidParameterError
from hccd.files.text import read_text
from hccd.graphs import PDAG, dag_to_cpdag
from hccd.wording import quoted

PARAMETER_FILE = "neuropain_params.json"


@dataclass(frozen=True, eq=False, repr=False)
class NeuroPain:
    """A network of binary variables, each caused by the strongest of its active parents.

    Attributes
    ----------
    names, english : tuple of str
        The variables as in the simulator's data (in Swedish), and in English.
    dag : array of bool, shape (n, n)
        ``dag[i, j]`` is the edge i -> j.
    effects : array of float, shape (n, n)
        ``effects[i, j]`` is the probability of j if i is its only active parent; 0 without an edge.
    chances : array of float, shape (n,)
        The probability of each variable without parents; 0 for the others.
    """

    names: tuple[str, ...]
    english: tuple[str, ...]
    dag: Bools
    effects: Floats
    chances: Floats
    _graph: PDAG = field(init=False)

    def __post_init__(self) -> None:
        for part in ("dag", "effects", "chances"):
            values = np.array(getattr(self, part))
            values.flags.writeable = False
            object.__setattr__(self, part, values)
        object.__setattr__(self, "_graph", acyclic_graph(self.dag))
        for values in (self.effects, self.chances):
            if not ((values >= 0) & (values <= 1)).all():
                raise InvalidParameterError("a probability lies outside 0 to 1: correct it")
        if not (self.chances > 0).any():
            raise InvalidParameterError("nothing can ever happen: give a variable without parents a positive chance")

    @property
    def states(self) -> tuple[tuple[str, ...], ...]:
        """The names of the states: 0 and 1 for every variable."""
        return (("0", "1"),) * len(self.names)

    def cpdag(self) -> PDAG:
        """Return the CPDAG of the DAG's Markov equivalence class, which is what data can identify."""
        return dag_to_cpdag(self._graph)

    def sample(self, n_rows: int, seed: Seed = None) -> Codes:
        """Draw independent rows, each with at least one 1.

        The random numbers are used row by row and in the order of the columns, as the simulator does.

        Returns
        -------
        numpy.ndarray of int32
            Rows by variables, 0 or 1, each column contiguous in memory (Fortran order).
        """
        if n_rows < 1:
            raise InvalidParameterError(f"{n_rows} rows are requested: give 1 or more")
        rng = np.random.default_rng(seed)
        parts: list[Codes] = []
        missing = n_rows
        while missing > 0:
            drawn = self._rows(rng.random((missing, len(self.names))).T)
            parts.append(drawn[:, drawn.any(axis=0)])
            missing -= parts[-1].shape[1]
        return np.concatenate(parts, axis=1).T

    def _rows(self, uniform: Floats) -> Codes:
        """Turn uniform numbers into findings, both variables by rows."""
        values = np.zeros(uniform.shape, dtype=np.int32)
        for variable in self._graph.topological_order() or ():
            parents = np.flatnonzero(self.dag[:, variable])
            chance: Any = self.chances[variable]
            if parents.size:
                chance = (values[parents] * self.effects[parents, variable][:, None]).max(axis=0)
            # The upper end of the unit interval stands for 1, as it does in the simulator.
            values[variable] = uniform[variable] >= 1.0 - chance
        return values

    def __repr__(self) -> str:
        return f"NeuroPain({len(self.names)} variables, {int(np.count_nonzero(self.dag))} edges)"


def load_neuropain(directory: str | os.PathLike[str]) -> NeuroPain:
    """Load the network from a folder that holds ``neuropain_params.json``.

    Raises
    ------
    FileFormatError
        There is no such file, or it does not hold the network.
    """
    path = Path(directory, PARAMETER_FILE)
    try:
        return _network(json.loads(read_text(path))["nodes"])
    except json.JSONDecodeError as error:
        raise FileFormatError(f"{quoted(path, 4096)}, line {error.lineno}: this is not JSON ({error.msg})") from None
    except (KeyError, TypeError, IndexError, ValueError) as error:
        if isinstance(error, FileFormatError):
            raise
        raise FileFormatError(f"{quoted(path, 4096)} does not hold the parameters of the network ({error})") from None


def _network(nodes: list[dict[str, Any]]) -> NeuroPain:
    n = len(nodes)
    dag, effects, chances = np.zeros((n, n), np.bool_), np.zeros((n, n)), np.zeros(n)
    for node in nodes:
        if node["parents"]:
            dag[node["parents"], node["id"]] = True
            effects[node["parents"], node["id"]] = node["e"]
        else:
            chances[node["id"]] = node["p"]
    ordered = sorted(nodes, key=lambda node: int(node["id"]))
    names, english = (tuple(str(node[key]) for node in ordered) for key in ("name", "english"))
    return NeuroPain(names, english, dag, effects, chances)
