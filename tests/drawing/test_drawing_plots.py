"""``HCCDResult.plot``: every kind, on every sort of axes, with any name; matplotlib is left as it was."""

from __future__ import annotations

import json
import subprocess
import sys
from io import BytesIO
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

import hccd
from hccd.cli.commands.plot import ENDINGS as CLI_ENDINGS
from hccd.cli.commands.plot import KINDS as CLI_KINDS
from hccd.drawing.picture import ENDINGS, figure_bytes
from hccd.drawing.plot import KINDS, result_scene
from hccd.errors import InvalidParameterError, NotInstalledError
from hccd.graphs.marks import EdgeType

pytestmark = pytest.mark.slow


def texts(ax) -> list[str]:
    return [text.get_text() for text in ax.texts]


def test_the_command_line_knows_the_same_kinds_and_formats() -> None:
    assert (CLI_KINDS, CLI_ENDINGS) == (KINDS, ENDINGS)


@pytest.mark.parametrize("kind", KINDS)
def test_matplotlib_is_left_as_it_was(alarm, pyplot, kind: str) -> None:
    before = dict(pyplot.rcParams)
    mine = pyplot.figure()
    ax = alarm.plot(kind)
    assert dict(pyplot.rcParams) == before
    assert pyplot.get_fignums() == [mine.number, ax.figure.number]
    given = mine.subplots()
    assert alarm.plot(kind, ax=given) is given
    assert len(pyplot.get_fignums()) == 2
    assert given.figure is mine


@pytest.mark.parametrize(("kind", "ending"), [*((kind, ".png") for kind in KINDS), ("tree", ".svg"), ("graph", ".pdf")])
def test_any_name_is_drawn_without_warnings(nasty, kind: str, ending: str) -> None:
    """Warnings are errors here, and those about missing letters come when the file is written."""
    figure = Figure()
    nasty.plot(kind, ax=figure)
    assert len(figure_bytes(figure, ending)) > 1000


def test_the_graph_shows_every_variable_and_every_edge(alarm) -> None:
    ax = alarm.plot(ax=Figure())
    written = "".join(texts(ax))
    for name in alarm.names:
        assert name in written, name
    scene = result_scene(alarm)
    assert {line.ends for line in scene.lines if line.heads} == set(map(tuple, alarm.graph.directed_edges().tolist()))
    assert {line.ends for line in scene.lines if not line.heads} == set(
        map(tuple, alarm.graph.undirected_edges().tolist())
    )


def curves_of(result):
    """The lines of a picture, the samples of its key left out."""
    return next(c for c in result.plot(ax=Figure()).collections if len(c.get_facecolor()) == 0)


def test_kinds_of_edges_differ_without_colour(alarm) -> None:
    """Arrows have heads; and all lines are whole, whatever the evidence about their directions."""
    assert alarm.conflicts
    lines, curves = result_scene(alarm).lines, curves_of(alarm)
    assert {line.kind: bool(line.heads) for line in lines} == {EdgeType.DIRECTED: True, EdgeType.UNDIRECTED: False}
    assert all(style[1] is None for style in curves.get_linestyle())
    assert [(entry.kind, entry.sure) for entry in result_scene(alarm).key()] == [
        (EdgeType.DIRECTED, None),
        (EdgeType.UNDIRECTED, None),
    ]


def test_widths_and_opacities_follow_the_probabilities(rated) -> None:
    scene = result_scene(rated)
    curves = curves_of(rated)
    shares = [rated.confidence.of(*line.ends).adjacent for line in scene.lines]
    drawn = list(zip(shares, curves.get_linewidth(), curves.get_edgecolor()[:, 3].tolist(), strict=True))
    drawn.sort()
    assert len(drawn) == rated.skeleton.n_edges
    for (low, width, opacity), (high, wider, darker) in pairwise(drawn):
        assert low < high and width < wider and opacity < darker
    heads = next(c for c in rated.plot(ax=Figure()).collections if isinstance(c, PolyCollection))
    arrows = [rated.confidence.of(*line.ends).forward for line in scene.lines if line.heads]
    order = np.argsort(arrows)
    opacities = heads.get_facecolor()[order, 3]
    assert (np.diff(opacities) > 0).all() and opacities[0] > 0.1
    assert [entry.text for entry in scene.key()[2:]] == ["direction unsure", "edge unsure"]


def test_a_part_of_the_picture_keeps_its_probabilities(rated) -> None:
    whole = {tuple(result_scene(rated).names[v] for v in line.ends): line.sure for line in result_scene(rated).lines}
    part = result_scene(rated, around="HR", distance=1)
    assert {tuple(part.names[v] for v in line.ends): line.sure for line in part.lines}.items() <= whole.items()


def test_the_page_draws_edges_as_pictures_do(rated) -> None:
    """One encoding: the report has the same widths and opacities as the scene of matplotlib and SVG."""
    text = rated.to_html().partition('id="content">')[2].partition("</script>")[0]
    content = json.loads(text)
    edges = zip(content["edges"]["from"], content["edges"]["to"], content["confidence"]["looks"], strict=True)
    looks = {(a, b): tuple(look) for a, b, look in edges}
    assert {line.ends: tuple(line.sure) for line in result_scene(rated).lines} == looks


def test_names_fit_their_boxes(nasty) -> None:
    figure = Figure()
    ax = nasty.plot(ax=figure)
    figure.canvas.draw()
    points = ax.get_window_extent().width / abs(np.diff(ax.get_xlim())[0])
    key = len(result_scene(nasty).key())
    for text in ax.texts[: len(ax.texts) - key]:
        assert text.get_window_extent().width <= 1.02 * points, text.get_text()


def test_only_a_neighbourhood(alarm) -> None:
    scene = result_scene(alarm, around="HR", distance=1)
    hr = alarm.index("HR")
    assert set(scene.names) == {"HR", *(alarm.names[v] for v in alarm.graph.neighbors(hr))}
    inside = [edge for edge in alarm.edges() if {*edge[:2]} <= set(scene.names)]
    assert len(scene.lines) == len(inside)
    everything = result_scene(alarm, around=["HR", 0], distance=99)
    assert set(everything.names) < set(alarm.names)
    assert "BP" in "".join(texts(alarm.plot(around="CO", ax=Figure())))


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ({"kind": "picture"}, "kind is 'picture'"),
        ({"around": "nobody"}, "there is no variable 'nobody'"),
        ({"around": []}, "around is empty"),
        ({"around": "HR", "distance": -1}, "distance is -1"),
        ({"around": "HR", "kind": "tests"}, "around cuts out"),
        ({"ratio": 0}, "ratio is 0"),
    ],
)
def test_what_cannot_be_drawn_is_refused(alarm, arguments, what: str) -> None:
    with pytest.raises(InvalidParameterError, match=what):
        alarm.plot(**arguments)


def test_clusters_name_sizes_and_members(alarm) -> None:
    written = texts(alarm.plot("clusters", ax=Figure()))
    for number, cluster in enumerate(alarm.tree.clusters()):
        assert f"cluster {alarm.tree.path(number)}" in written
        assert any(line.startswith(f"{len(cluster.variables)} variable") for line in written)
    assert all(any(name in line for line in written) for name in alarm.names)


def test_bars_add_up_to_the_tests(alarm) -> None:
    ax = alarm.plot("tests", ax=Figure())
    assert sum(bar.get_height() for bar in ax.patches) == alarm.tests.total
    tops = [
        max(bar.get_y() + bar.get_height() for bar in ax.patches if round(bar.get_x() + 0.35) == order)
        for order in range(len(alarm.tests.by_order))
    ]
    assert tops == list(alarm.tests.by_order)


@pytest.mark.parametrize("kind", KINDS)
def test_the_smallest_results_can_be_drawn(kind: str) -> None:
    result = hccd.discover(np.random.default_rng(0).normal(size=(50, 2)), method="pc")
    figure = Figure()
    result.plot(kind, ax=figure)
    figure.savefig(BytesIO())


@pytest.mark.parametrize("ending", ENDINGS)
def test_files_repeat_byte_by_byte(alarm, ending: str) -> None:
    def once() -> bytes:
        figure = Figure()
        alarm.plot("tree", ax=figure)
        return figure_bytes(figure, ending)

    assert once() == once()


def test_unknown_formats_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match=r"'\.bmp'"):
        figure_bytes(Figure(), ".bmp")


def test_without_matplotlib_one_sentence_says_what_to_install(alarm, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(NotInstalledError, match=r"pip install 'hccd\[plot\]'"):
        alarm.plot()


def test_importing_and_showing_a_result_needs_no_matplotlib() -> None:
    code = (
        "import sys, hccd, numpy as np\n"
        "r = hccd.discover(np.random.default_rng(0).normal(size=(50, 3)))\n"
        "assert '<svg' in r._repr_html_()\n"
        "assert 'matplotlib' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
