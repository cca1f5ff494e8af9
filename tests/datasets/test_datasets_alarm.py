"""The embedded ALARM sample against the published network: structure, root probabilities, one family."""

import csv
import gzip

import networkx as nx
import pytest
from scipy import stats

from hccd.datasets import alarm_edges, alarm_path

# From the network file of the bnlearn repository.
ROOTS = {
    "HYPOVOLEMIA": {"TRUE": 0.2, "FALSE": 0.8},
    "LVFAILURE": {"TRUE": 0.05, "FALSE": 0.95},
    "ERRLOWOUTPUT": {"TRUE": 0.05, "FALSE": 0.95},
    "ERRCAUTER": {"TRUE": 0.1, "FALSE": 0.9},
    "INSUFFANESTH": {"TRUE": 0.1, "FALSE": 0.9},
    "ANAPHYLAXIS": {"TRUE": 0.01, "FALSE": 0.99},
    "KINKEDTUBE": {"TRUE": 0.04, "FALSE": 0.96},
    "FIO2": {"LOW": 0.05, "NORMAL": 0.95},
    "PULMEMBOLUS": {"TRUE": 0.01, "FALSE": 0.99},
    "INTUBATION": {"NORMAL": 0.92, "ESOPHAGEAL": 0.03, "ONESIDED": 0.05},
    "DISCONNECT": {"TRUE": 0.1, "FALSE": 0.9},
    "MINVOLSET": {"LOW": 0.05, "NORMAL": 0.9, "HIGH": 0.05},
}


@pytest.fixture(scope="module")
def rows():
    with gzip.open(alarm_path(), "rt", newline="") as file:
        return list(csv.DictReader(file))


def chi_square(rows, name, expected):
    observed = [sum(row[name] == state for row in rows) for state in expected]
    assert sum(observed) == len(rows)
    return stats.chisquare(observed, [len(rows) * p for p in expected.values()]).pvalue


def test_shape_and_size(rows):
    assert len(rows) == 2000 and len(rows[0]) == 37
    assert alarm_path().stat().st_size < 60_000
    # No time of packing in the header: the file is the same whenever it is made.
    assert alarm_path().read_bytes()[4:8] == bytes(4)


def test_edges_form_the_published_dag(rows):
    edges = alarm_edges()
    assert len(edges) == len(set(edges)) == 46
    dag = nx.DiGraph(edges)
    assert set(dag) == set(rows[0])
    assert nx.is_directed_acyclic_graph(dag)
    assert {name for name, degree in dag.in_degree if degree == 0} == set(ROOTS)
    assert max(dict(dag.in_degree).values()) == 4
    assert set(dag.predecessors("CATECHOL")) == {"ARTCO2", "INSUFFANESTH", "SAO2", "TPR"}


@pytest.mark.parametrize("name", ROOTS)
def test_roots_have_their_probabilities(rows, name):
    assert chi_square(rows, name, ROOTS[name]) > 0.001


def test_a_child_follows_its_parent(rows):
    failing = [row for row in rows if row["LVFAILURE"] == "TRUE"]
    working = [row for row in rows if row["LVFAILURE"] == "FALSE"]
    assert chi_square(failing, "HISTORY", {"TRUE": 0.9, "FALSE": 0.1}) > 0.001
    assert chi_square(working, "HISTORY", {"TRUE": 0.01, "FALSE": 0.99}) > 0.001
