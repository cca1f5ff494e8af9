"""The work behind ``simulate``: find the network, draw, and write three files, all of them or none."""

from __future__ import annotations

import csv
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from hccd.cli.commands.simulate import RANDOM
from hccd.cli.console import Console
from hccd.cli.interruptible import interruptible
from hccd.cli.tasks.output import Output
from hccd.clustering import ClusterTree
from hccd.datasets import DiscreteNetwork, GaussianNetwork, load_network, random_network
from hccd.datasets.networks import Network
from hccd.errors import InvalidParameterError
from hccd.files.folders import make_folders, unmake_folders
from hccd.files.replaceable import check_free
from hccd.graphs import PDAG
from hccd.graphs.separators import Separations
from hccd.progress.display import Display, display_on
from hccd.result import HCCDResult
from hccd.result.marginal_separations import MarginalSeparations
from hccd.tables.text.cells import MISSING_MARKS
from hccd.wording import counted, listed, quoted
from hccd.wrapper import Removals, TestCounts

DATA, TRUTH, CPDAG = "data.csv", "truth.json", "cpdag.json"
_FILES = ("data", "truth", "cpdag")

_MOST_CELLS = 2**31
_ROWS_AT_ONCE = 10_000
_LABEL_WIDTH = 11


@dataclass(frozen=True)
class Simulation:
    """What the user asked for; the fields are the options of the same names."""

    network: str
    rows: int
    seed: int
    variables: int
    connectivity: float
    out: str
    force: bool


@dataclass(frozen=True)
class Files(Output):
    """The folder for the files of a simulation, none of which is replaced unless the user insists."""

    def check_replaceable(self) -> None:
        """Refuse if one of the files exists already."""
        for name in (DATA, TRUTH, CPDAG):
            check_free(self.folder / name, force=self.force)

    def write_all(self, writers: Mapping[str, Callable[[Path], None]]) -> None:
        """Write the files beside their places first, and move them when all are complete."""
        made: list[Path] = []
        staging: Path | None = None
        try:
            made = make_folders(self.folder)
            staging = Path(tempfile.mkdtemp(dir=self.folder, prefix=".simulated."))
            for name, write in writers.items():
                write(staging / name)
            for name in writers:
                (staging / name).replace(self.folder / name)
        except OSError as error:
            raise self.refusal(error) from None
        finally:
            if staging is not None:
                shutil.rmtree(staging, ignore_errors=True)
            # Only what is empty goes: folders of a simulation that failed.
            unmake_folders(made)


def run(wanted: Simulation, console: Console, *, as_json: bool = False) -> None:
    """Draw and write, and say what was written."""
    output = Files(Output.at(wanted.out).folder, wanted.force)
    output.check()
    with display_on(console.progress) as display:
        found, parameters = interruptible(lambda: _found(wanted, display))
        network, notes = _readable(found)
        if added := parameters.get("added_edges"):
            notes.append(f"{counted(added, 'edge was', 'edges were')} added to connect the random graph")
        _check_size(wanted.rows, len(network.names))
        display.say(f"drawing {counted(wanted.rows, 'row')}")
        data = interruptible(lambda: network.sample(wanted.rows, wanted.seed))
        display.say(f"writing {output.folder}")
        output.write_all(
            {
                DATA: partial(_write_data, network, data),
                TRUTH: known_graph(PDAG(network.dag.astype(np.int8)), network.names, parameters).save,
                CPDAG: known_graph(network.cpdag(), network.names, parameters).save,
            }
        )
    for sentence in notes:
        console.note(sentence)
    if as_json:
        console.data(_data(wanted, network, output, parameters, notes))
    else:
        _say(wanted, network, output, console)


def _found(wanted: Simulation, display: Display) -> tuple[Network, dict[str, Any]]:
    """Load or draw the network, and say in what the files should record where the data came from."""
    parameters: dict[str, Any] = {"simulated": Path(wanted.network).name, "rows": wanted.rows, "seed": wanted.seed}
    if wanted.network == RANDOM:
        display.say("drawing a random network")
        drawn = random_network(wanted.variables, wanted.connectivity, wanted.seed)
        return drawn.network, {**parameters, "connectivity": wanted.connectivity, "added_edges": drawn.added_edges}
    display.say(f"reading {wanted.network}")
    return load_network(wanted.network), parameters


def _readable(network: Network) -> tuple[Network, list[str]]:
    """Return the network with names that no reader of the file mistakes, and notes on what was renamed.

    A header of numbers alone looks like a line of data; states such as NA and None are missing values to many programs.
    """
    notes = []
    if all(map(_is_number, network.names)):
        network = replace(network, names=tuple(f"X{name}" for name in network.names))
        notes.append(f"names that are numbers would be read as data, so each gets an X: {network.names[0]}")
    if isinstance(network, DiscreteNetwork):
        marks = sorted({state for states in network.states for state in states if state in MISSING_MARKS})
        if marks:
            network = replace(network, states=tuple(_without_marks(states) for states in network.states))
            shown = listed([quoted(mark) for mark in marks])
            notes.append(f"states that would be read as missing values get an underscore: {shown}")
    return network, notes


def _without_marks(states: tuple[str, ...]) -> tuple[str, ...]:
    renamed = list(states)
    for place, state in enumerate(states):
        while renamed[place] in MISSING_MARKS or (renamed[place] != state and renamed[place] in states):
            renamed[place] += "_"
    return tuple(renamed)


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True


def _check_size(rows: int, columns: int) -> None:
    if rows * columns > _MOST_CELLS:
        raise InvalidParameterError(
            f"--rows is {rows}; with {columns} variables at most {_MOST_CELLS // columns} can be drawn"
        )


def _write_data(network: Network, data: Any, path: Path) -> None:
    """Write a sample as CSV, states by their names and numbers with all their digits."""
    labels = [np.array(states, object) for states in network.states] if isinstance(network, DiscreteNetwork) else None
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(network.names)
        for start in range(0, len(data), _ROWS_AT_ONCE):
            rows = data[start : start + _ROWS_AT_ONCE]
            if labels is None:
                writer.writerows(rows.tolist())
            else:
                writer.writerows(zip(*map(np.take, labels, rows.T), strict=True))


def known_graph(graph: PDAG, names: tuple[str, ...], parameters: Mapping[str, Any]) -> HCCDResult:
    """Return a graph that is known as a result of no tests at all, so that it can be saved and loaded like one."""
    n = graph.n
    return HCCDResult(
        names=names,
        graph=graph,
        tree=ClusterTree.single(n),
        removals=Removals(Separations.empty(), np.empty(0, np.int8), np.empty(0, np.int32)),
        marginal=MarginalSeparations(np.zeros((n, n), np.bool_), None),
        colliders=(),
        conflicts=(),
        reasons={},
        strength=np.full(len(graph.skeleton().edges), np.nan),
        tests=TestCounts({}, (0,)),
        seconds={},
        parameters=parameters,
    )


def _data(
    wanted: Simulation, network: Network, output: Files, parameters: Mapping[str, Any], notes: list[str]
) -> dict[str, Any]:
    """Return what was drawn as plain data."""
    return {
        "network": wanted.network,
        "kind": "continuous" if isinstance(network, GaussianNetwork) else "discrete",
        "variables": len(network.names),
        "edges": int(np.count_nonzero(network.dag)),
        "rows": wanted.rows,
        "seed": wanted.seed,
        "files": {name: str(output.folder / file) for name, file in zip(_FILES, (DATA, TRUTH, CPDAG), strict=True)},
        "parameters": dict(parameters),
        "notes": notes,
    }


def _say(wanted: Simulation, network: Network, output: Files, console: Console) -> None:
    kind = "continuous" if isinstance(network, GaussianNetwork) else "discrete"
    edges = counted(int(np.count_nonzero(network.dag)), "edge")
    files = [str(output.folder / name) for name in (DATA, TRUTH, CPDAG)]
    said = [
        ("network", f"{wanted.network}: {counted(len(network.names), f'{kind} variable')}, {edges}"),
        ("rows", f"{wanted.rows:,}"),
        *zip(_FILES, files, strict=True),
    ]
    for label, text in said:
        console.result(text, label=f"{label:<{_LABEL_WIDTH}}")
