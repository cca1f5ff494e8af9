"""Partial ancestral graphs as values."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from hccd.errors import InvalidGraphError
from hccd.graphs.marks import EdgeType
from hccd.graphs.pag import PAG
from method_cases import ONE_OF_EACH


def test_edges_go_in_and_come_out():
    graph = PAG.from_edges(4, ONE_OF_EACH)
    assert graph.typed_edges() == sorted(ONE_OF_EACH, key=lambda edge: edge[:2])
    assert graph.skeleton().edges.tolist() == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    assert graph.directed_edges().tolist() == [[1, 0]] and graph.undirected_edges().tolist() == [[0, 2]]
    # A tail at 1, an arrowhead at 0.
    assert graph.marks[0, 1] == 3 and graph.marks[1, 0] == 2


def test_relabelling_moves_the_marks_with_the_variables():
    graph, new = PAG.from_edges(4, ONE_OF_EACH), [2, 0, 3, 1]
    moved = PAG.from_edges(4, [(new[i], new[j], kind) for i, j, kind in ONE_OF_EACH])
    assert graph.relabelled(new) == moved != graph
    assert hash(graph.relabelled(new)) == hash(moved)


def test_a_value_that_cannot_be_written_to_and_travels():
    graph = PAG.from_edges(4, ONE_OF_EACH)
    again = pickle.loads(pickle.dumps(graph))
    assert again == graph
    with pytest.raises(ValueError, match="read-only"):
        again.marks[0, 1] = 1


@pytest.mark.parametrize(
    "marks", [[[0, 1], [0, 0]], [[1, 0], [0, 0]], [[0, 4], [1, 0]], [[0, 0.5], [1, 0]], [[0, 1, 1], [1, 0, 1]]]
)
def test_what_is_no_graph_is_refused(marks):
    with pytest.raises(InvalidGraphError):
        PAG(np.array(marks))


def test_two_edges_between_the_same_variables_are_refused():
    with pytest.raises(InvalidGraphError, match="Two edges join 1 and 0"):
        PAG.from_edges(2, [(0, 1, EdgeType.DIRECTED), (1, 0, EdgeType.BIDIRECTED)])
