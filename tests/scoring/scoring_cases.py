"""Scores and searches written once more, from their definitions, with numpy, scipy and networkx."""

from __future__ import annotations

import warnings
from itertools import combinations

import networkx as nx
import numpy as np
from scipy.special import gammaln, logsumexp, xlogy

import hccd
from hccd.errors import DataWarning
from hccd.independence.fisher_z import SINGULAR
from hccd.independence.tables import EQUIVALENT_ROWS
from hccd.scoring import CandidateParents

WEIGHTS = 4.0 ** np.arange(-2, 6)
ROOM = 16


def quietly(*args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return hccd.discover(*args, **options)


def dirichlet(prior, counts):
    """The logarithm of the probability of columns of states, one Dirichlet prior for each row of counts."""
    prior = np.broadcast_to(prior, counts.shape)
    ends = gammaln(prior.sum(1)) - gammaln(prior.sum(1) + counts.sum(1))
    return float(ends.sum() + (gammaln(prior + counts) - gammaln(prior)).sum())


def table_score(data, child, parents):
    """The Bayesian Dirichlet score as the module says it, from a table of counts."""
    states, code = np.unique(data[:, child], return_inverse=True)
    r, rows = len(states), len(data)
    share = np.bincount(code) / rows
    sparse_alone = dirichlet(np.full((1, r), EQUIVALENT_ROWS / r), np.bincount(code)[None, :])
    if not len(parents):
        return sparse_alone
    kinds, combination = np.unique(data[:, list(parents)], axis=0, return_inverse=True)
    q = len(kinds)
    counts = np.zeros((q, r))
    np.add.at(counts, (combination.ravel(), code), 1)
    sparse = dirichlet(EQUIVALENT_ROWS / (q * r), counts)
    # The pooled prior takes the shares for known; what it says is measured from them.
    pooled = [dirichlet(s * share[None, :], counts) for s in WEIGHTS]
    known = xlogy(np.bincount(code), share).sum()
    mean = logsumexp(pooled) - np.log(len(WEIGHTS)) + sparse_alone - known
    return float(logsumexp([sparse, mean]) - np.log(2))


def gaussian_score(data, child, parents):
    """BIC by least squares; rows count as they do for Fisher's z."""
    rows = len(data) - 3
    centered = data - data.mean(0)
    total = (centered[:, child] ** 2).sum()
    left = total
    if len(parents):
        x = centered[:, list(parents)] / np.maximum(centered[:, list(parents)].std(0), 1e-300)
        left = ((centered[:, child] - x @ np.linalg.lstsq(x, centered[:, child], rcond=1e-7)[0]) ** 2).sum()
    share = max(left / total, SINGULAR) if total > 1e-20 else 1.0
    return float(-rows / 2 * np.log(share) - len(parents) / 2 * np.log(rows))


def members(parents):
    return np.array(sorted(parents), np.int32)


def all_pairs(n):
    """Candidates: every pair."""
    families = hccd.FisherZ(0.01).bind_correlation(np.eye(n), 100).families(ROOM)
    return CandidateParents.of(families, np.zeros((n, n), bool), hccd.PDAG.from_edges(n), n)


def dag_total(parents, score, price):
    return sum(score(v, tuple(sorted(own))) - price * len(own) for v, own in parents.items())


def parents_of(dag):
    return {v: frozenset(dag.parents(v)) for v in range(dag.n)}


def is_acyclic(parents):
    graph = nx.DiGraph([(x, y) for y, own in parents.items() for x in own])
    return nx.is_directed_acyclic_graph(graph)


def neighbours_of(parents, pairs):
    """Every DAG that is one addition, deletion or reversal away."""
    for a, b in pairs:
        for x, y in ((a, b), (b, a)):
            if x in parents[y]:
                yield {**parents, y: parents[y] - {x}}
                turned = {**parents, y: parents[y] - {x}, x: parents[x] | {y}}
                if is_acyclic(turned):
                    yield turned
            elif y not in parents[x]:
                added = {**parents, y: parents[y] | {x}}
                if is_acyclic(added):
                    yield added


def all_dags(n):
    """Every DAG over n variables, as parents."""
    pairs = list(combinations(range(n), 2))
    for number in range(3 ** len(pairs)):
        parents = {v: set() for v in range(n)}
        for a, b in pairs:
            number, kind = divmod(number, 3)
            if kind == 1:
                parents[b].add(a)
            elif kind == 2:
                parents[a].add(b)
        if is_acyclic(parents):
            yield {v: frozenset(own) for v, own in parents.items()}
