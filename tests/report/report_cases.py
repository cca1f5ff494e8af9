"""Results to make reports of: every kind of evidence, hostile names, many variables."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np

import hccd
from hccd.datasets.alarm import alarm_path
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


@cache
def hostile():
    return quietly(linear_gaussian(np.random.default_rng(5), len(HOSTILE), 3, 400), names=list(HOSTILE))


@cache
def large(n=300):
    return quietly(linear_gaussian(np.random.default_rng(2), n, 4, 1000))


@cache
def large_html():
    return large().to_html()


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
