"""Results of every kind of run, made once: with p-values and without, with conflicts, trees and constants."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np

import hccd
from method_cases import discrete_net, linear_gaussian, random_dag, random_tree


def spearman_like(data, x, y, given):
    """A user's own test with a p-value for small sets and nothing to say about others."""
    if len(given) > 1:
        return 0.0
    ranks = np.argsort(np.argsort(data, axis=0), axis=0).astype(float)
    return hccd.FisherZ(0.05).bind(ranks).test(x, y, given).p_value


@cache
def results():
    rng = np.random.default_rng(71)
    continuous = linear_gaussian(rng, 18, 3, 120)
    discrete = discrete_net(rng, 16, 3, 120, (2, 3))
    odd = continuous.copy()
    odd[:, 3] = 1.0
    odd[:, 5] = odd[:, 4]
    names = [f"Größe '{i}' \"x\"\\" for i in range(18)]
    tree = random_tree(rng, 18, leaf=2)
    dag = random_dag(rng, 12, 0.25)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            "gaussian": hccd.discover(continuous, alpha=0.05),
            "paper": hccd.discover(continuous, preset="paper", alpha=0.05),
            "pc": hccd.discover(continuous, method="pc", names=names),
            "tscb": hccd.discover(continuous, method="tscb", colliders="separating-set"),
            "given-tree": hccd.discover(continuous, tree=tree, colliders="conservative"),
            "constants": hccd.discover(odd),
            "g": hccd.discover(discrete, test="g"),
            "chi2": hccd.discover(discrete, test="chi2", method="flat"),
            "mi": hccd.discover(discrete, test="mi", preset="paper"),
            "oracle": hccd.discover(hccd.Oracle(dag).bind(), method="flat"),
            "function": hccd.discover(continuous[:, :12], test=spearman_like, alpha=0.05),
            "two-variables": hccd.discover(rng.normal(size=(50, 2))),
        }


KINDS = [
    "gaussian",
    "paper",
    "pc",
    "tscb",
    "given-tree",
    "constants",
    "g",
    "chi2",
    "mi",
    "oracle",
    "function",
    "two-variables",
]
