"""What is in the file of a report: the same bytes each time, nothing from elsewhere, and nothing that could run."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import warnings
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from importlib import resources
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_cases import HOSTILE, alarm, hostile, kinds, large, large_html, numbered, quietly, rated, rated_alarm

import hccd
from hccd.errors import InvalidParameterError
from hccd.report import MARK, CheckLine, CheckSection
from hccd.report.choice import choice_rows
from hccd.report.embedded import safe_json
from hccd.report.labels import set_labels, width
from hccd.report.repeat import repetition
from hccd.result import HCCDResult
from hccd.result.belief import belief
from hccd.tables import Finding, FindingKind
from method_cases import linear_gaussian


class Parts(HTMLParser):
    """The scripts, styles, policy and links of a page, as a browser would take them apart."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.scripts, self.styles, self.tags, self.policy, self._open = [], [], [], "", None
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self._open = (tag, dict(attrs), [])
        if tag == "meta" and dict(attrs).get("http-equiv") == "Content-Security-Policy":
            self.policy = dict(attrs)["content"]

    def handle_data(self, data):
        if self._open:
            self._open[2].append(data)

    def handle_endtag(self, tag):
        if self._open and tag == self._open[0]:
            (self.scripts if tag == "script" else self.styles).append((self._open[1], "".join(self._open[2])))
            self._open = None


def embedded(html):
    return {attrs["id"]: json.loads(text) for attrs, text in Parts(html).scripts if "id" in attrs}


@pytest.mark.parametrize("kind", ["gaussian", "chi2", "mi", "oracle", "pc"])
def test_the_same_result_gives_the_same_bytes(kind):
    result = kinds()[kind]
    html = result.to_html()
    assert html == result.to_html()
    assert html == HCCDResult.from_dict(json.loads(json.dumps(result.to_dict()))).to_html()
    assert html.startswith(MARK) and html.isascii()


def test_runs_differ_in_their_times_only():
    data = linear_gaussian(np.random.default_rng(4), 15, 3, 200)
    pages = [quietly(data, n_jobs=jobs).to_html() for jobs in (1, 2)]
    times = re.compile(r'<script type="application/json" id="seconds">[^<]*</script>')
    assert all(len(times.findall(page)) == 1 for page in pages)
    assert times.sub("", pages[0]) == times.sub("", pages[1])


def test_the_policy_names_the_script_and_the_style():
    parts = Parts(alarm().to_html())
    (script,) = (text for attrs, text in parts.scripts if "type" not in attrs)
    ((_, style),) = parts.styles
    for kind, text in (("script", script), ("style", style)):
        digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in parts.policy
    assert "default-src 'none'" in parts.policy and "unsafe" not in parts.policy


def test_nothing_comes_from_elsewhere():
    html = alarm().to_html()
    parts = Parts(html)
    assert {
        tag for tag, attrs in parts.tags if "src" in attrs or "style" in attrs or any(a.startswith("on") for a in attrs)
    } == set()
    assert [attrs["href"] for _, attrs in parts.tags if "href" in attrs] == ["#edges"]
    assert set(re.findall(r"https?://[^\s\"']+", html)) == {"http://www.w3.org/2000/svg"}


@given(st.lists(st.text(st.characters(exclude_categories=())), max_size=8))
@settings(max_examples=200, deadline=None)
def test_any_text_survives_and_cannot_end_the_script(texts):
    text = safe_json({"names": texts})
    assert text.isascii() and not set(text) & set("<>&")
    assert json.loads(text) == {"names": texts}


def test_hostile_names_leave_the_page_whole():
    html = hostile().to_html()
    assert embedded(html)["content"]["names"] == list(HOSTILE)
    assert len(Parts(html).scripts) == 3
    html.encode("utf-8")


def test_pictures_show_their_clusters_and_lines_end_at_boxes():
    for result, html in ((alarm(), alarm().to_html()), (large(), large_html())):
        content = embedded(html)["content"]
        layout, wide, high = result.tree.layout(), content["boxes"]["widths"], content["boxes"]["height"]
        edges = list(zip(content["edges"]["from"], content["edges"]["to"], strict=True))
        assert {frozenset(edge) for edge in edges} == {frozenset(edge) for edge in result.skeleton.edges.tolist()}
        for cluster, number in enumerate(content["shown_in"]):
            assert set(layout.variables(cluster).tolist()) <= set(content["pictures"][number]["nodes"])
        for picture in content["pictures"]:
            at = {v: (x, y) for v, x, y in zip(picture["nodes"], picture["x"], picture["y"], strict=True)}
            inside = {e for e, (a, b) in enumerate(edges) if a in at and b in at}
            assert set(picture["edges"]) == inside
            for e, path in zip(picture["edges"], picture["paths"], strict=True):
                numbers = [int(word) for word in re.findall(r"-?\d+", path)]
                for v, (x, y) in zip(edges[e], (numbers[:2], numbers[-2:]), strict=True):
                    assert abs(x - at[v][0]) <= wide[v] / 2 + 1
                    assert abs(abs(y - at[v][1]) - high / 2) <= 1.5
            for (v, (x1, y1)), (w, (x2, y2)) in combinations(at.items(), 2):
                assert abs(x1 - x2) >= (wide[v] + wide[w]) / 2 or abs(y1 - y2) >= high


def test_labels_fit_and_stay_apart():
    assert set_labels(["pressure", "", "  "]) == [("pressure",), ("(empty)",), ("(blank)",)]
    first, second = set_labels(["a" * 30 + "first", "a" * 30 + "second"])
    assert first != second and len(first) == len(second) == 2
    shown = set_labels(HOSTILE)
    assert all(1 <= len(lines) <= 2 and all(lines) and width(lines) <= 150 for lines in shown)
    # Names of a common length are whole.
    names = ["mean fractal dimension", "worst concave points", "bill_length_mm", "HYPOVOLEMIA"]
    assert ["".join(lines).replace(" ", "") for lines in set_labels(names)] == [name.replace(" ", "") for name in names]


def test_many_edges_open_with_the_strongest_alone():
    content = embedded(large_html())["content"]
    strength, first = content["edges"]["strength"], content["first"]
    kept = first["picture"]["edges"]
    assert len(kept) == 120 == len(strength) - first["hidden"]
    assert min(strength[e] for e in kept) >= max(s for e, s in enumerate(strength) if e not in set(kept))
    assert first["picture"]["nodes"] == list(range(300))
    assert embedded(alarm().to_html())["content"]["first"] is None


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"method": "pc", "alpha": 0.05},
        {"method": "flat", "preset": "paper", "seed": 3},
        {"scoring": "none"},
        {"method": "pc", "scoring": "bic"},
        {"baseline": hccd.PC(max_order=1)},
        {"max_order": 0, "method": "pc"},
        # With a score and without a limit to the order.
        {"max_order": "none"},
        {"baseline": hccd.PC()},
        {"baseline": hccd.PC(stable=False), "colliders": "max-p", "inner_order": "none"},
        {"correction": "none", "colliders": "majority", "collider_order": "none"},
        {"preset": "paper", "correction": "fdr", "colliders": "conservative", "collider_order": 2},
        {"splitter": hccd.SpectralSplitter(rule=hccd.NearZero(0.6), min_size=4), "refine": "root"},
        {"tree": [[0, 1, 2, 3], [4, 5, [6, 7, 8], [9, 10, 11]]], "conflicts": "undirected"},
    ],
)
def test_what_it_says_to_type_repeats_the_run(options, tmp_path, monkeypatch):
    data = linear_gaussian(np.random.default_rng(8), 12, 3, 200)
    np.savetxt(tmp_path / "data.csv", data, delimiter=",", header=",".join(f"v{i}" for i in range(12)), comments="")
    from hccd.cli.main import main
    from hccd.tables import read_table

    monkeypatch.chdir(tmp_path)
    result = quietly(read_table(tmp_path / "data.csv"), **options)
    result.save(tmp_path / "graph.json")
    expected = {key: value for key, value in result.to_dict().items() if key != "seconds"}
    typed = embedded(result.to_html())["content"]["repeat"]

    names: dict = {}
    exec(typed["python"].replace('"DATA"', '"data.csv"'), names)
    found = {key: value for key, value in names["result"].to_dict().items() if key != "seconds"}
    if "tree" in options:
        expected["parameters"].pop("tree"), found["parameters"].pop("tree")
    assert found == expected
    plain = {"method", "preset", "alpha", "seed", "scoring", "max_order"}
    simple = not options.keys() - plain or options.get("baseline") in (hccd.PC(max_order=1), hccd.PC())
    assert bool(typed["command"]) == simple
    if simple:
        words = typed["command"].replace("DATA", "data.csv").split()[1:]
        assert main([*words, "--out", "again", "--quiet"]) == 0
        again = HCCDResult.load("again/graph.json").to_dict()
        assert {key: value for key, value in again.items() if key != "seconds"} == expected


def test_a_known_graph_has_nothing_to_repeat():
    assert repetition({}) is None
    assert repetition({"method": "hccd", "preset": "default", "test": "given"}) is None


def test_what_is_left_out_is_said(monkeypatch):
    result = large(60)
    full = result.to_html()
    assert embedded(full)["content"]["left_out"] == []
    monkeypatch.setattr("hccd.report.evidence.P_VALUES", 59)
    monkeypatch.setattr("hccd.report.evidence.SEPARATIONS", 100)
    monkeypatch.setattr("hccd.report.edges.EXPLAINED", 10)
    html = result.to_html()
    content = embedded(html)["content"]
    assert len(content["left_out"]) == 3 and len(html) < len(full)
    assert content["missing"]["p_values"] is None and content["missing"]["separated"] is None
    assert sum(why is not None for why in content["edges"]["why"]) == 10


def test_a_data_check_is_taken_as_a_value_or_as_plain_data():
    check = CheckSection("Check", (CheckLine("fine so far", "fine"), CheckLine("odd", "warning")))
    plain = {"title": "Check", "lines": [{"level": "fine", "text": "fine so far"}, {"level": "warning", "text": "odd"}]}
    assert CheckSection.of(plain) == check == CheckSection.of(check)
    result = kinds()["pc"]
    assert result.to_html(data_check=check) == result.to_html(data_check=plain)
    content = embedded(result.to_html(data_check=plain))["content"]
    assert content["check"] == {"title": "Check", "lines": [{"level": "fine", "text": "fine so far"}]}
    assert content["warnings"] == [*result.warnings, "odd"]
    for wrong in (
        "text",
        3,
        {"format": "hccd-check"},
        {"lines": "text"},
        {"lines": [3]},
        {"lines": [{"text": "x", "level": "bad"}]},
    ):
        with pytest.raises(InvalidParameterError, match="data_check"):
            result.to_html(data_check=wrong)


def test_the_output_of_hccd_check_is_understood():
    found = {
        "format": "hccd-check", "n_rows": 2000, "n_columns": 2, "understood": "2 discrete", "why": "G test",
        "findings": [{"severity": "warning", "sentence": "column 'a' is constant", "columns": ["a"]}],
        "notes": ["read with ';'"],
    }  # fmt: skip

    class Check:
        def to_dict(self):
            return found

    section = CheckSection.of(Check())
    assert section == CheckSection.of(found)
    assert [(line.level, line.text) for line in section.lines] == [
        ("note", "2,000 rows and 2 columns: 2 discrete"),
        ("note", "Test: G test"),
        ("warning", "column 'a' is constant"),
        ("note", "read with ';'"),
    ]


def test_every_warning_is_in_it_once():
    """What the run and the check both say stands once, whatever the check calls it; nothing says that all is well."""
    result = kinds()["constant"]
    (said, *_) = result.warnings
    check = {"lines": [{"text": said, "level": "note"}, {"text": "odd", "level": "warning"}, "rows: 150"]}
    content = embedded(result.to_html(data_check=check))["content"]
    assert content["warnings"] == [*result.warnings, "odd"]
    assert [line["text"] for line in content["check"]["lines"]] == ["rows: 150"]
    assert embedded(result.to_html())["content"]["warnings"] == list(result.warnings)


def test_without_probabilities_there_are_none():
    assert alarm().confidence is None
    assert embedded(alarm().to_html())["content"]["confidence"] is None


def test_probabilities_are_those_of_the_result():
    result = rated_alarm()
    found = embedded(result.to_html())["content"]["confidence"]
    for e, ((i, j), _) in enumerate(numbered(result)):
        own = result.confidence.of(i, j)
        assert found["shares"][e] == pytest.approx(own, abs=1e-4)
    assert [row[:2] for row in found["unjoined"]] == [
        [x, y]
        for x, y in sorted(
            (pair for pair in result.confidence.pairs.tolist() if not result.skeleton.has_edge(*pair)),
            key=lambda pair: -result.confidence.of(*pair).adjacent,
        )
    ]


def test_edges_and_arrowheads_are_counted_by_probability():
    result = kinds()["pc"]
    directed = [is_directed for _, is_directed in numbered(result)]
    shares = [(0.95, 0.9, 0.7, 0.5, 0.2)[e % 5] for e in range(len(directed))]
    found = embedded(rated(result, shares, 1.0).to_html())["content"]["confidence"]
    by_class = lambda values: [  # noqa: E731
        sum(p >= 0.9 for p in values), sum(0.5 <= p < 0.9 for p in values), sum(p < 0.5 for p in values)
    ]  # fmt: skip
    assert found["edge_classes"] == by_class(shares)
    assert found["arrowhead_classes"] == by_class([p for p, own in zip(shares, directed, strict=True) if own])
    assert 0 < sum(directed) < len(directed)


@pytest.mark.parametrize(
    ("share", "pointing", "advice"),
    [
        (0.3, 1.0, "Most edges are unlikely"),
        (1.0, 0.4, "Most arrowheads are unlikely"),
        (0.7, 1.0, "Fewer than half of the edges are sure, and 0 of"),
        (1.0, 0.6, "Most edges are sure, but fewer than half of the arrowheads"),
        (1.0, 1.0, "Most of this graph would be the same"),
    ],
)
def test_the_advice_follows_from_the_figures(share, pointing, advice):
    result = alarm()
    rated_result = rated(result, [share] * result.skeleton.n_edges, pointing)
    assert embedded(rated_result.to_html())["content"]["confidence"]["advice"].startswith(advice)


def test_a_stable_graph_is_not_praised_beside_warnings():
    """Resamples of dependent rows agree with each other, and are wrong together."""
    result = rated(alarm(), [1.0] * alarm().skeleton.n_edges, 1.0)
    plain, warned = (
        embedded(result.to_html(data_check={"lines": lines}))["content"]["confidence"]["advice"]
        for lines in ([], [{"level": "warning", "text": "the rows are in the order of time"}])
    )
    assert "warnings" in warned and "warnings" not in plain


@pytest.mark.parametrize("kind", ["time-order", "grouped", "repeated-rows", "skewed"])
def test_no_edge_is_called_sure_where_rows_depend_on_each_other(kind):
    """Six random walks: nine of twelve edges in all resamples, and not one of them is true."""
    found = Finding(FindingKind(kind), (), "something is wrong")
    result = replace(rated(alarm(), [1.0] * alarm().skeleton.n_edges, 0.6), findings=(found,))
    advice = embedded(result.to_html())["content"]["confidence"]["advice"]
    assert advice.startswith("The rows seem to depend" if kind != "skewed" else "Most edges are sure")
    assert ("too many" in belief(result).sure) == (kind != "skewed")


def test_what_the_data_chose_is_in_the_page():
    rng = np.random.default_rng(0)
    table = rng.normal(size=(200, 1)) + rng.normal(size=(200, 4))
    for options in ({"alpha": "auto", "scoring": "none"}, {"price": "auto"}):
        result = hccd.discover(table, **options)
        (name,) = (key for key, value in options.items() if value == "auto")
        made, shown = result.parameters[f"{name}_choice"], embedded(result.to_html())["content"]["choice"]
        assert (shown["name"], shown["chosen"], shown["tried"]) == (name, made["chosen"], made["tried"])
        first, *lines = choice_rows(result)
        assert first[0] == name and len(lines) == len(made["tried"])
        assert [text.split()[0] for _, text in lines if "chosen" in text] == [f"{made['chosen']:.4g}"]
    codes = rng.integers(0, 2, size=(300, 1)) ^ (rng.random((300, 3)) < 0.2)
    result = hccd.discover(codes.astype(int), test="mi", threshold=[0.001, 0.01, 0.1], preset="paper")
    shown = embedded(result.to_html())["content"]["choice"]
    assert shown["chosen"] == result.parameters["test"]["threshold"]
    tried = result.parameters["threshold_choice"]["tried"]
    assert shown["tried"] == [each[:2] for each in tried]
    assert embedded(alarm().to_html())["content"]["choice"] is None and choice_rows(alarm()) == []


def test_probabilities_that_are_left_out_are_said(monkeypatch):
    monkeypatch.setattr("hccd.report.trust.UNJOINED", 2)
    content = embedded(rated_alarm().to_html())["content"]
    assert len(content["confidence"]["unjoined"]) == 2
    assert [text for text in content["left_out"] if "result.confidence" in text]


def test_a_path_is_written_and_replaced(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("old")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        html = alarm().to_html(path)
    assert path.read_text(encoding="utf-8") == html
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]


def test_every_id_is_there_once():
    """Scripts find their elements by them: a second one of the same name gets what is meant for the first."""
    ids = re.findall(r'\sid="([^"]+)"', resources.files("hccd.report").joinpath("page/page.html").read_text("utf-8"))
    assert len(ids) > 20 and [name for name, times in Counter(ids).items() if times > 1] == []
