"""Results of every kind of run, made once: with p-values and without, with conflicts, trees and constants."""

from __future__ import annotations

import base64
import warnings
import zlib
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


def in_first_form(data):
    """Saved data as files had them first: an object for each separation, names for numbers, p-values as one text."""
    names, columns = data["nodes"], data["separations"]
    ends = np.cumsum([0, *columns["order"]]).tolist()
    listed = [
        {
            "pair": [names[columns["x"][i]], names[columns["y"][i]]],
            "given": [names[z] for z in columns["given"][ends[i] : ends[i + 1]]],
            "p_value": columns["p_value"][i],
            "stage": columns["stages"][columns["stage"][i]],
            "cluster": columns["clusters"][columns["cluster"][i]],
        }
        for i in range(len(columns["x"]))
    ]
    p_values = data["marginal_p_values"]
    if p_values is not None:
        high, low = (zlib.decompress(base64.b64decode(p_values[part])) for part in ("high", "low"))
        codes = bytes(byte for pair in zip(low, high, strict=True) for byte in pair)
        p_values = base64.b64encode(zlib.compress(codes, 6)).decode("ascii")
    return {**data, "separations": listed, "marginal_p_values": p_values}
