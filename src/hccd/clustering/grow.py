"""The top-down half of Algorithm 1 (lines 2-10): from pairwise strengths to a tree of clusters.

The tree depends on similarities only, never on conditional tests, so it is grown completely before the
bottom-up half starts. With :class:`FixedK` of 2, the default, all of it is one compiled call; any other rule
is asked cluster by cluster. Every division depends on its own block of W, its path and the seed alone.

A cluster stays a leaf when it has few enough variables (one at the latest), when the depth is used up, when
no pair in it has any weight, when the separability rule answers 1, and when its points cannot be told apart.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.clustering.bisection import Bisection
from hccd.clustering.components import components
from hccd.clustering.layout import lay_out
from hccd.clustering.separability import FixedK
from hccd.clustering.similarity import similarity, weighted_pairs, worth_sparse
from hccd.clustering.spectral import eigenmap, split_in_k, split_in_two
from hccd.clustering.tree import ClusterTree
from hccd.parallel import one_blas_thread

if TYPE_CHECKING:
    from hccd.clustering.similarity import Pairs, Similarity
    from hccd.clustering.splitter import SpectralSplitter


class _Part(NamedTuple):
    """A cluster to be divided: its block of W, its variables, and where it stands in the tree."""

    W: Similarity
    variables: NDArray[np.int64]
    path: tuple[int, ...]
    divisions: int
    connected: bool


class _Division(NamedTuple):
    """What became of a part: its children (parts, or variables of leaves), none if it is a leaf itself."""

    children: tuple[_Part | NDArray[np.int64], ...]
    eigenvalues: tuple[float, ...] = ()


def grow_tree(
    strength: NDArray[np.float64],
    splitter: SpectralSplitter,
    *,
    bias: NDArray[np.float64] | None = None,
    independent: NDArray[np.bool_] | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
    signed: bool = False,
) -> ClusterTree:
    """Cluster the variables hierarchically by the strengths of their pairs.

    Parameters
    ----------
    strength : array of shape (n, n)
        Unconditional strengths I(X, Y), see :func:`hccd.clustering.similarity`.
    splitter : SpectralSplitter
        What is cut, into how many parts, and when to stop.
    bias : array of shape (n, n), optional
        Expected strength of an independent pair.
    independent : boolean array of shape (n, n), optional
        Pairs called marginally independent; used if ``splitter.screen``.
    seed : int
        Fixes the starts of k-means. Cutting in two uses no random numbers.
    n_jobs : int, optional
        Not used: a tree is grown in less time than it takes to hand out the work.
    signed : bool
        Whether strengths have signs, which are left aside: a matrix of correlations need not be copied.

    Examples
    --------
    >>> import numpy as np
    >>> from hccd.clustering import SpectralSplitter
    >>> strength = np.kron(np.eye(2), np.full((3, 3), 0.8)) + 0.1
    >>> grow_tree(strength, SpectralSplitter(min_size=3)).to_dict()["children"]
    [{'variables': [0, 1, 2]}, {'variables': [3, 4, 5]}]
    """
    splitter.check()
    if not splitter.screen:
        independent = None
    if splitter.rule == FixedK(2):
        pairs = weighted_pairs(strength, bias=bias, independent=independent, measure=splitter.measure, signed=signed)
        return _halved(pairs, splitter)
    strength = np.abs(strength) if signed else strength
    W = similarity(strength, bias=bias, independent=independent, measure=splitter.measure)
    n = W.shape[0]
    if n <= splitter.min_size or splitter.max_depth == 0:
        return ClusterTree.single(n)
    with _one_thread(splitter):
        return _divided(_Part(W, np.arange(n), (), 0, connected=False), splitter, int(seed))


def _halved(pairs: Pairs, splitter: SpectralSplitter) -> ClusterTree:
    """Take components apart and cut everything else in two, down to the leaves."""
    n = len(pairs.first) - 1
    growth = Bisection(*pairs)
    max_depth = n if splitter.max_depth is None else min(splitter.max_depth, n)
    n_clusters = growth.grow(min(splitter.min_size, n), max_depth, splitter.min_fraction)
    order, n_children, n_members, eigenvalue = growth.result(n_clusters)
    return ClusterTree.from_layout(
        lay_out(order, n_children.tolist(), n_members.tolist()),
        tuple((0.0, value) if value == value else () for value in eigenvalue.tolist()),
    )


def _divided(root: _Part, splitter: SpectralSplitter, seed: int) -> ClusterTree:
    """Divide cluster by cluster, depth first, as the rule says."""
    order: list[int] = []
    n_children: list[int] = []
    n_members: list[int] = []
    eigenvalues: list[tuple[float, ...]] = []
    waiting: list[_Part | NDArray[np.int64]] = [root]
    while waiting:
        here = waiting.pop()
        variables, division = (
            (here.variables, _divide(here, splitter, seed)) if isinstance(here, _Part) else (here, _Division(()))
        )
        n_children.append(len(division.children))
        n_members.append(len(variables))
        eigenvalues.append(division.eigenvalues)
        if not division.children:
            order.extend(variables.tolist())
        waiting.extend(reversed(division.children))
    return ClusterTree.from_layout(lay_out(order, n_children, n_members), tuple(eigenvalues))


def _divide(part: _Part, splitter: SpectralSplitter, seed: int) -> _Division:
    """Algorithm 1, lines 2-9, for one cluster."""
    W = part.W
    n = len(part.variables)
    if not part.connected:
        apart = components(W)
        n_components = int(apart.max()) + 1
        if n_components == n:
            return _Division(())
        if n_components > 1:
            return _Division(_children(part, apart, n_components, splitter, part.divisions, connected=True))
    rule = splitter.rule
    found = eigenmap(W, rule.n_eigenvalues - 1, connected=True)
    eigenvalues = tuple(found.eigenvalues.tolist())
    k = min(rule.clusters(found.eigenvalues), n)
    labels: NDArray[np.intp] | NDArray[np.bool_]
    if k <= 1:
        return _Division((), eigenvalues)
    if k == 2:
        labels = split_in_two(found.coordinates[:, 0], splitter.min_fraction)
        if labels[0]:  # children stand in the order of their smallest variables, whatever sign u has
            labels = ~labels
    else:
        state = np.random.SeedSequence(seed, spawn_key=part.path).generate_state(1)
        labels = split_in_k(found.coordinates[:, : k - 1], k, int(state[0]))
    k = int(labels.max()) + 1
    if k == 1:
        return _Division((), eigenvalues)
    children = _children(part, labels, k, splitter, part.divisions + 1, connected=False)
    return _Division(children, eigenvalues)


def _children(
    part: _Part,
    labels: NDArray[np.intp] | NDArray[np.bool_],
    k: int,
    splitter: SpectralSplitter,
    divisions: int,
    *,
    connected: bool,
) -> tuple[_Part | NDArray[np.int64], ...]:
    """Return the clusters that ``labels`` makes of a part; those that stay leaves are variables only."""
    if k == 2:
        groups = [np.flatnonzero(labels == 0), np.flatnonzero(labels)]
    else:
        ends = np.cumsum(np.bincount(labels, minlength=k))[:-1]
        groups = np.split(np.argsort(labels, kind="stable"), ends)
    exhausted = splitter.max_depth is not None and divisions >= splitter.max_depth
    children: list[_Part | NDArray[np.int64]] = []
    for i, group in enumerate(groups):
        variables = part.variables[group]
        if exhausted or len(group) <= splitter.min_size:
            children.append(variables)
        else:
            block = _block(part.W, group)
            children.append(_Part(block, variables, (*part.path, i), divisions, connected))
    return tuple(children)


def _block(W: Similarity, group: NDArray[np.intp]) -> Similarity:
    """Take the rows and columns of a group, dense as soon as sparse does not pay any more."""
    if isinstance(W, np.ndarray):
        return W.take(group, axis=0).take(group, axis=1)
    block = W[group][:, group]
    return block if worth_sparse(len(group), block.nnz) else block.toarray()


def _one_thread(splitter: SpectralSplitter) -> AbstractContextManager[object]:
    """Keep BLAS, and OpenMP where it is used, to one thread: quicker, and the same bits for any number of cores."""
    if splitter.rule.most_clusters <= 2:
        return one_blas_thread()
    import sklearn.cluster  # noqa: F401 - only libraries loaded by now are limited
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1)  # type: ignore[no-any-return]
