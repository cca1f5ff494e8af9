"""Samples of published Bayesian networks (ALARM, HEPAR II, WIN95PTS, MUNIN1), read from the files that pgmpy brings.

A stand-in: one function, to be replaced by the loader of ``hccd.datasets``.
"""

from __future__ import annotations

import gzip
import re

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers import network_files

VARIABLE = re.compile(r"variable\s+(\S+)\s*\{\s*type discrete\s*\[\s*\d+\s*\]\s*\{([^}]*)\}")
PROBABILITY = re.compile(r"probability\s*\(\s*([^)|]+?)\s*(?:\|\s*([^)]*))?\)\s*\{(.*?)\n\}", re.S)


def discrete_workload(name: str, n_rows: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Sample a network: states as codes, columns in the order of the file, and the true DAG (row to column)."""
    text = gzip.decompress(network_files()[name].read_bytes()).decode()
    states = {variable: _listed(values) for variable, values in VARIABLE.findall(text)}
    parents: dict[str, list[str]] = {}
    tables: dict[str, NDArray[np.float64]] = {}
    for child, given, body in PROBABILITY.findall(text):
        parents[child] = _listed(given) if given else []
        tables[child] = _table(child, parents[child], states, body)
    number = {variable: i for i, variable in enumerate(states)}
    codes = np.zeros((n_rows, len(states)), np.int64)
    dag = np.zeros((len(states), len(states)), np.bool_)
    rng = np.random.default_rng(seed)
    for child in _parents_first(parents, list(states)):
        row = np.zeros(n_rows, np.int64)
        for parent in parents[child]:
            row = row * len(states[parent]) + codes[:, number[parent]]
            dag[number[parent], number[child]] = True
        levels = np.cumsum(tables[child], axis=1)[row, :-1]
        codes[:, number[child]] = (rng.random(n_rows)[:, None] > levels).sum(axis=1)
    return codes, dag


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def _table(child: str, parents: list[str], states: dict[str, list[str]], body: str) -> NDArray[np.float64]:
    """Return the conditional probabilities, one row for each combination of the parents' states."""
    n_rows = int(np.prod([len(states[parent]) for parent in parents], dtype=np.int64))
    table = np.zeros((n_rows, len(states[child])))
    if not parents:
        found = re.search(r"table\s+([^;]*);", body)
        assert found is not None
        table[0] = [float(value) for value in found[1].split(",")]
    for combination, values in re.findall(r"\(([^)]*)\)\s*([^;]*);", body):
        row = 0
        for parent, state in zip(parents, _listed(combination), strict=True):
            row = row * len(states[parent]) + states[parent].index(state)
        table[row] = [float(value) for value in values.split(",")]
    return np.asarray(table / table.sum(axis=1, keepdims=True))


def _parents_first(parents: dict[str, list[str]], variables: list[str]) -> list[str]:
    """Order the variables so that parents come before their children."""
    order: list[str] = []
    while len(order) < len(variables):
        order += [v for v in variables if v not in order and all(parent in order for parent in parents[v])]
    return order
