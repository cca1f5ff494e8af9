"""The fit of a whole run: in the result, in its file, in the summary and in the report."""

from __future__ import annotations

import json

import numpy as np
import pytest
from fit_cases import linear

import hccd
from hccd.cli.main import main
from hccd.datasets import alarm_path
from hccd.errors import DataWarning, FileFormatError
from hccd.fit import judgement
from hccd.result.fit import Fit
from hccd.tables import FindingKind


@pytest.fixture(scope="module")
def table():
    values, _ = linear(8, 400, seed=5)
    return values.T


def test_the_fit_does_not_depend_on_columns(table):
    one = hccd.discover(table, names=list("abcdefgh")).fit
    order = [3, 1, 7, 0, 2, 6, 5, 4]
    other = hccd.discover(table[:, order], names=["abcdefgh"[i] for i in order]).fit
    assert one.learned == other.learned and one.empty == other.empty and one.full == other.full
    assert one.learned > one.full > one.empty and one.pairs == other.pairs


def test_the_fit_comes_back_from_the_file(table, tmp_path):
    result = hccd.discover(table, scoring="none", alpha=1e-12)
    assert result.fit.remaining and all(each.q_value < 0.05 for each in result.fit.remaining)
    assert not any(result.skeleton.adjacency[each.x, each.y] for each in result.fit.remaining)
    result.save(tmp_path / "graph.json")
    assert hccd.HCCDResult.load(tmp_path / "graph.json").fit == result.fit
    data = json.loads((tmp_path / "graph.json").read_text())
    assert data["fit"]["remaining"][0][:2] == [result.names[v] for v in result.fit.remaining[0][:2]]
    del data["fit"]
    assert hccd.HCCDResult.from_dict(data).fit is None


def test_kinds_of_data(table):
    """Mixed columns, discrete ones and gaps; a test of one's own is not asked more than it must be."""
    labels = np.where(table[:, :1] > 0, "high", "low")
    mixed = {**{f"x{i}": table[:, i] for i in range(1, 8)}, "label": labels[:, 0]}
    assert hccd.discover(mixed).fit.learned > hccd.discover(mixed).fit.empty
    discrete = hccd.discover(hccd.read_table(alarm_path()))
    assert discrete.fit.learned > max(discrete.fit.empty, discrete.fit.full)
    gaps = table.copy()
    gaps[::7, 2] = np.nan
    with pytest.warns(DataWarning):
        fit = hccd.discover(gaps).fit
    assert fit.learned is None and fit.pairs > 0
    assert hccd.discover(table, lambda data, x, y, given: 0.5).fit is None


@pytest.mark.filterwarnings("ignore::hccd.errors.DataWarning")
def test_nothing_is_said_of_curves_that_ranks_make_of_lines(monkeypatch):
    rng = np.random.default_rng(0)
    chain = rng.exponential(size=(3, 2000)).cumsum(axis=0).T
    kinds = {FindingKind.NON_LINEAR, FindingKind.UNEVEN}
    # Linear effects and skewed noise.
    assert not kinds & {finding.kind for finding in hccd.discover(chain, transform="none").findings}
    assert not kinds & {finding.kind for finding in hccd.discover(chain, transform="normal-scores").findings}
    monkeypatch.setattr(judgement, "RANKED", ())
    assert kinds & {finding.kind for finding in hccd.discover(chain, transform="normal-scores").findings}


@pytest.mark.filterwarnings("ignore:each row resembles", "ignore:399 rows are copies")
def test_weights_stand_for_rows(table):
    weights = np.arange(len(table)) % 3 + 1.0
    weighted = hccd.discover(table, weights=weights, transform="none").fit
    repeated = hccd.discover(np.repeat(table, weights.astype(int), axis=0), transform="none").fit
    # Other rows are held out together, since copies of a row are.
    assert weighted.learned == pytest.approx(repeated.learned, rel=0.01)


@pytest.mark.parametrize(
    ("said", "make"),
    [
        ("relations are curved", lambda x, e: x + 0.6 * x * x + e),
        ("heteroscedastic", lambda x, e: x + np.exp(0.6 * x) * e),
    ],
)
def test_broken_assumptions_are_warned_of(said, make):
    rng = np.random.default_rng(8)
    x, other, noise = rng.normal(size=(3, 1000))
    columns = np.column_stack([x, make(x, noise), other, other + rng.normal(size=1000)])
    with pytest.warns(DataWarning, match=said):
        result = hccd.discover(columns, names=["dose", "effect", "age", "height"], transform="none")
    (sentence,) = [each for each in result.warnings if said in each]
    assert "'dose' with 'effect'" in sentence or "'effect' with 'dose'" in sentence
    assert "'age'" not in sentence


def test_the_fit_is_shown(tmp_path, capsys, table):
    file = tmp_path / "table.csv"
    np.savetxt(file, table, delimiter=",", header="a,b,c,d,e,f,g,h", comments="")
    assert main(["learn", str(file), "--out", str(tmp_path / "out"), "--report"]) == 0
    assert "nats per held-out row" in capsys.readouterr().out
    page = (tmp_path / "out" / "report.html").read_text()
    assert "The graph predicts new rows better than one without edges" in page and "How the graph fits" in page


def test_damaged_fit_is_refused(table):
    data = hccd.discover(table).to_dict()
    data["fit"]["remaining"] = [["a", "nobody", 0.1, 0.2]]
    with pytest.raises(FileFormatError):
        hccd.HCCDResult.from_dict(data)


def test_a_fit_as_plain_data():
    fit = Fit(-1.0, -2.0, None, 3, ())
    assert Fit.from_dict(fit.to_dict(["a"]), ["a"]) == fit
