"""The report of a PAG in a real browser: marks, legend, words."""

from __future__ import annotations

from itertools import combinations

import pytest
from report_browser import ASK_ALL, as_loaded, choose
from report_cases import all_types, fci

from hccd.graphs.marks import EdgeType
from hccd.graphs.meaning import meanings, neighbour_lists
from real_browser import lack

pytestmark = pytest.mark.slow

if lack():
    pytest.skip(lack(), allow_module_level=True)


def test_every_pair_of_a_pag_is_explained_as_the_library_does(opened):
    result = fci()
    assert {kind for *_, kind in result.edges()} >= {"bidirected", "partially-directed", "nondirected", "directed"}
    said = opened(result.to_html()).page.evaluate(ASK_ALL)
    loaded = as_loaded(result)
    for a, b in combinations(range(len(result.names)), 2):
        assert said[f"{a},{b}"] in {loaded.explain(a, b), loaded.explain(b, a)}


#: The places of the marks of an edge on the screen, with the ends of its line.
MARKS = """(e) => {
  const group = document.querySelector(`#scene .edge[data-edge="${e}"]`);
  const line = group.querySelector(".line");
  const at = (length) => {
    const p = line.getPointAtLength(length).matrixTransform(line.getScreenCTM());
    return [p.x, p.y];
  };
  const middle = (mark) => { const b = mark.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; };
  const places = (marks) => [...group.querySelectorAll(marks)].map(middle);
  return { ends: [at(0), at(line.getTotalLength())], arrowhead: places(".head"), circle: places(".circle") };
}"""


def test_every_mark_of_a_pag_is_at_its_end(opened):
    result = all_types()
    seen = opened(result.to_html())
    for number, (source, target, kind) in enumerate(result.edges()):
        found = seen.page.evaluate(MARKS, number)
        drawn = {"arrowhead": set(), "circle": set()}
        for mark, places in drawn.items():
            for x, y in found[mark]:
                away = [(x - end[0]) ** 2 + (y - end[1]) ** 2 for end in found["ends"]]
                places.add(int(away[1] < away[0]))
        marks = EdgeType(kind).marks
        for name in drawn:
            assert drawn[name] == {end for end, mark in enumerate(marks) if mark.value == name}, (source, target, kind)
            assert len(found[name]) == len(drawn[name])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_legend_and_the_words_of_a_pag(opened, scheme):
    result = all_types()
    seen = opened(result.to_html(), color_scheme=scheme)
    legend = seen.text("#legend")
    for words in meanings(result.graph).values():
        assert words.legend in legend
    assert seen.page.locator("#legend .head").count() == 4 and seen.page.locator("#legend .circle").count() == 4
    number, edge = next((n, e) for n, e in enumerate(result.edges()) if e[2] == "bidirected")
    seen.page.locator(f'.edge[data-edge="{number}"] .hit').dispatch_event("click")
    assert (
        seen.text("#answer h3").split() == [edge[0], "↔", edge[1]] and seen.text("#answer .kind") == "bidirected edge"
    )
    facts = seen.text("#answer .facts")
    for end, other in ((0, 1), (1, 0)):
        reason = result.reasons[result.index(edge[other]), result.index(edge[end])]
        assert f"Mark at '{edge[end]}'" in facts and f"FCI's rule {reason.removeprefix('R')}" in facts
    row = seen.text(f'#edge-table tr[data-edge="{number}"]')
    assert "↔" in row and "FCI's rule" in row
    assert "hidden common cause" in seen.page.locator(f'.edge[data-edge="{number}"] title').text_content()
    # A circle hides the line under it: it is filled as the ground is, and drawn as the line is.
    look = """e => [getComputedStyle(e).fill, getComputedStyle(document.querySelector("#stage")).backgroundColor,
      getComputedStyle(e).stroke, getComputedStyle(e.parentNode.querySelector(".line")).stroke]"""
    fill, ground, stroke, line = seen.page.locator("#scene .circle").first.evaluate(look)
    assert fill == ground and stroke == line
    assert "Two arrowheads mean a hidden common cause" in seen.text("#story")


def test_a_variable_of_a_pag_and_its_close_up(opened):
    result = all_types()
    seen = opened(result.to_html())
    v = max(range(37), key=lambda w: len(result.graph.neighbors(w)))
    choose(seen, v)
    lists = neighbour_lists(result.graph, v)
    answer = seen.text("#answer")
    for name, found in lists.items():
        assert (f"{name.capitalize()} ({len(found)})" in answer) == bool(found)
    seen.page.get_by_role("button", name="Show only its neighbours").click()
    boxes = {
        int(n.get_attribute("data-node")): n.bounding_box() for n in seen.page.locator("#scene .node:visible").all()
    }
    assert set(boxes) == {v, *result.graph.neighbors(v)}
    for w in [*lists["causes"], *lists["possible causes"]]:
        assert boxes[w]["y"] < boxes[v]["y"]
    for w in [*lists["effects"], *lists["possible effects"]]:
        assert boxes[w]["y"] > boxes[v]["y"]
