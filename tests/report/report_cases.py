"""Results to make reports of: every kind of evidence, hostile names, many variables."""

from __future__ import annotations

import dataclasses
import warnings
from functools import cache

import numpy as np

import hccd
from hccd.datasets.alarm import alarm_path
from hccd.graphs import PAG
from hccd.graphs.marks import EdgeType
from hccd.result.confidence import Confidence
from hccd.tables import read_table
from method_cases import discrete_net, linear_gaussian, random_dag

HOSTILE = (
    '<img src=x onerror="alert(1)">',
    "</script><script>alert(2)</script>",
    "__proto__",
    "constructor",
    "\"double\" 'single' `tick`",
    "emoji 🧬👩‍🔬",
    "x" * 200,
    "line\nbreak\ttab",
    "مرحبا بالعالم",
    "&lt;b&gt;&amp;",
    "${alert(3)}",
    "\u2028line\u2029",
    "<!--",
    "javascript:alert(4)",
    " ",
    "half \ud800 pair",
)


def quietly(*args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return hccd.discover(*args, **options)


@cache
def alarm():
    return quietly(read_table(alarm_path()))


def rated(result, adjacent, pointing=0.5, unjoined=()):
    """The result with probabilities made by hand.

    Edge e is there in ``adjacent[e]`` of the resamples, and points as it does, or is undirected, in ``pointing`` of
    these; the rest is the other direction. ``unjoined`` are pairs without an edge, with how often they are adjacent.
    """
    rows = {}
    for share, (i, j) in zip(adjacent, (pair for pair, _ in numbered(result)), strict=True):
        directed = dict(numbered(result))[i, j]
        own = [share * pointing, share * (1 - pointing)] if directed else [share * (1 - pointing), 0.0]
        rows[min(i, j), max(i, j)] = [*(own if i < j else own[::-1]), 0.0 if directed else share * pointing]
    for x, y, share in unjoined:
        rows[x, y] = [0.0, share, 0.0]
    pairs = sorted(rows)
    return dataclasses.replace(
        result, confidence=Confidence(np.array(pairs), np.array([rows[pair] for pair in pairs]), 100)
    )


def numbered(result):
    """The edges as the page numbers them: both ends, and whether the edge is directed."""
    return [((result.index(s), result.index(t)), kind == "directed") for s, t, kind in result.edges()]


@cache
def rated_alarm():
    """ALARM with edges of all probabilities, one of them twice, and two pairs that nearly are edges."""
    shares = [round(1.0 - e / 50, 2) for e in range(len(alarm().edges()))]
    apart = [(x, y) for x in range(5) for y in range(x + 1, 37) if not alarm().skeleton.has_edge(x, y)]
    return rated(alarm(), [shares[1], *shares[1:]], 0.8, [(*apart[0], 0.62), (*apart[7], 0.31), (*apart[9], 0.04)])


@cache
def fci():
    """A PAG of FCI: a and b cause c, hidden variables are behind c and d and behind d and e; g, h and i are a chain."""
    rng = np.random.default_rng(3)
    a, b, g, one, two = rng.normal(size=(5, 2000))
    noise = 0.6 * rng.normal(size=(6, 2000))
    c, d, e = a + b + 1.2 * one, 1.2 * one + 0.8 * two, 0.9 * two
    h = g + rng.normal(size=2000)
    columns = [a, b, c + noise[0], d + noise[1], e + noise[2], c + noise[0] + noise[3], g, h, h + rng.normal(size=2000)]
    return quietly(np.column_stack(columns), names=list("abcdefghi"), baseline="fci")


@cache
def all_types():
    """ALARM's edges with all types of a PAG, in turn; every mark has a reason."""
    types = list(EdgeType)
    edges = [(i, j, types[e % 6]) for e, (i, j) in enumerate(alarm().skeleton.edges.tolist())]
    graph = PAG.from_edges(37, edges)
    reasons = {(i, j): f"R{1 + (i + j) % 10}" for i, j in np.argwhere(graph.marks > 1).tolist()}
    return dataclasses.replace(
        alarm(), graph=graph, reasons=reasons, score=None, fit=None, confidence=None, colliders=(), conflicts=()
    )


@cache
def hostile():
    return quietly(linear_gaussian(np.random.default_rng(5), len(HOSTILE), 3, 400), names=list(HOSTILE))


@cache
def large(n=300):
    return quietly(linear_gaussian(np.random.default_rng(2), n, 4, 1000))


@cache
def large_html(n=300):
    return large(n).to_html()


@cache
def dense():
    """Thirty variables of long names that nearly all depend on each other: more edges than a picture opens with."""
    rng = np.random.default_rng(4)
    data = rng.normal(size=(600, 30))
    for i in range(1, 30):
        data[:, i] += data[:, max(0, i - 9) : i] @ rng.uniform(-0.6, 0.6, min(i, 9))
    what = ("radius", "perimeter", "area", "texture", "smoothness", "compactness", "concavity", "symmetry")
    what += ("fractal-dimension", "concave-points")
    names = [f"{kind} {each}" for kind in ("mean", "worst", "error of") for each in what]
    return quietly(data, names=names, bootstrap="none")


@cache
def kinds():
    """Results with p-values and without, with one cluster and many, learned and known."""
    rng = np.random.default_rng(9)
    continuous, discrete = linear_gaussian(rng, 16, 3, 150), discrete_net(rng, 14, 3, 150, (2, 3))
    constant = continuous.copy()
    constant[:, 3] = 1.0
    return {
        "gaussian": quietly(continuous, alpha=0.05),
        "pc": quietly(continuous, method="pc"),
        "constant": quietly(constant),
        "chi2": quietly(discrete, test="chi2", method="flat"),
        "mi": quietly(discrete, test="mi", preset="paper"),
        "oracle": quietly(hccd.Oracle(random_dag(rng, 12, 0.25)).bind(), method="flat"),
        "two-variables": quietly(rng.normal(size=(60, 2))),
    }
