"""Every description can be used as it is: what it names exists, and its figures of the paper belong to its tables."""

import pytest

from hccd.cli.commands.reproduce import SCALES as SCALES_OF_THE_COMMAND
from hccd.cli.commands.reproduce import STUDIES
from hccd.errors import InvalidParameterError
from hccd.studies import load_study, study_names
from hccd.studies.cases import cases
from hccd.studies.description import BETTER, FIGURES, KINDS, RATIOS, SCALES


def test_the_command_lists_every_study():
    assert study_names() == STUDIES
    assert SCALES == SCALES_OF_THE_COMMAND


@pytest.mark.parametrize("name", study_names())
def test_description(name):
    study = load_study(name)
    assert study.title and study.about
    assert study.kind in KINDS and study.figure in FIGURES
    assert set(study.scales) == set(SCALES)
    labels = [method.label for method in study.methods]
    assert len(set(labels)) == len(labels)
    assert all(method.baseline in (None, *labels) for method in study.methods)
    assert study.metrics and all(metric.ratio in RATIOS for metric in study.metrics)
    assert all(metric.better in BETTER for metric in study.metrics)
    for scale in SCALES:
        assert set(study.group) <= set(cases(study.scales[scale])[0])
    assert set(study.paper) <= {metric.in_paper for metric in study.metrics}
    columns = {column for table in study.paper.values() for column in table} - {"percentages"}
    assert columns <= {method.paper for method in study.methods}


@pytest.mark.parametrize("name", ["shd", "bdeu", "causal-accuracy", "ci-tests", "completeness"])
def test_every_row_of_the_paper_stands_beside_one_of_ours(name):
    study = load_study(name)
    rows = {" ".join(str(case[key]) for key in study.group) for case in cases(study.scales["paper"])}
    for table in study.paper.values():
        for column in table.values():
            assert set(column) == rows


def test_figures_of_the_paper():
    """A few cells read off the printed tables."""
    shd, hccd = load_study("shd"), load_study("shd").method("HCCD, paper")
    assert shd.paper_figure(shd.metrics[0], hccd, ("PathFinder",)) == (195.2, 2.56)
    bdeu = load_study("bdeu")
    assert bdeu.paper_figure(bdeu.metrics[0], bdeu.method("TSCB, paper"), ("Munin",)) == (-434700, 4394)
    tests = load_study("ci-tests")
    assert tests.paper_figure(tests.metrics[0], tests.method("HCCD two-level original"), (6,)) == (0.61, None)
    assert tests.paper_figure(tests.metrics[1], tests.method("HCCD two-level original"), (6,)) is None


def test_unknown_study():
    with pytest.raises(InvalidParameterError, match="no study 'sdh': choose one of assumption"):
        load_study("sdh")


def test_fewer_graphs_for_some_numbers_of_variables():
    found = cases({"variables": [20, 1000], "graphs": 3, "fewer": {"variables": {"1000": 1}}})
    assert [(case["variables"], case["graph"]) for case in found] == [(20, 1), (20, 2), (20, 3), (1000, 1)]
