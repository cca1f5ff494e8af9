"""The top-down half of Algorithm 1 (lines 2-10): from pairwise strengths to a tree of clusters.

The tree depends on similarities only, never on conditional tests, so it is grown completely before the
bottom-up half starts. Large clusters are divided level by level, siblings in parallel; a cluster below a few
hundred variables is grown to its leaves as one piece of work. Every division depends on its own block of W,
its path and the seed alone, so the tree is the same for any number of workers and any backend.

A cluster stays a leaf when it has few enough variables (one at the latest), when the depth is used up, when
no pair in it has any weight, when the separability rule answers 1, and when its points cannot be told apart.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.clustering.cluster import Record, assemble
from hccd.clustering.components import components
from hccd.clustering.similarity import similarity, worth_sparse
from hccd.clustering.spectral import eigenmap, split_in_k, split_in_two
from hccd.clustering.tree import ClusterTree
from hccd.parallel import even_chunks, map_independent, worker_count

if TYPE_CHECKING:
    from hccd.clustering.similarity import Similarity
    from hccd.clustering.splitter import SpectralSplitter

# Up to this many variables a whole subtree (some 5 ms) is one piece of work, and pieces travel in chunks.
_SUBTREE_UP_TO = 300
_CHUNKS_PER_WORKER = 4

# For fewer variables handing work out costs more than it saves: the tree takes a few tenths of a second.
_PARALLEL_FROM = 4000

# OpenBLAS gives even a 50 x 50 eigenproblem to a second thread, and on a busy machine then waits ten times as
# long as one thread would take; only for fewer variables is the millisecond of setting a limit not worth it.
_THREADS_MATTER_FROM = 33


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


class _Task(NamedTuple):
    """What every worker needs to know besides its parts."""

    splitter: SpectralSplitter
    seed: int
    process: int


def grow_tree(
    strength: NDArray[np.float64],
    splitter: SpectralSplitter,
    *,
    bias: NDArray[np.float64] | None = None,
    independent: NDArray[np.bool_] | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
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
        How many workers; the tree does not depend on it.

    Examples
    --------
    >>> import numpy as np
    >>> from hccd.clustering import SpectralSplitter
    >>> strength = np.kron(np.eye(2), np.full((3, 3), 0.8)) + 0.1
    >>> grow_tree(strength, SpectralSplitter(min_size=3)).to_dict()["children"]
    [{'variables': [0, 1, 2]}, {'variables': [3, 4, 5]}]
    """
    splitter.check()
    W = similarity(strength, bias=bias, independent=independent if splitter.screen else None, measure=splitter.measure)
    n = W.shape[0]
    root = _Part(W, np.arange(n), (), 0, connected=False)
    if n <= splitter.min_size or splitter.max_depth == 0:
        return ClusterTree.single(n)
    task = _Task(splitter, int(seed), os.getpid())
    with _one_thread(n, splitter):
        n_workers = worker_count(n_jobs) if n >= _PARALLEL_FROM else 1
        records = _grow_in_parallel(root, task, n_jobs, n_workers) if n_workers > 1 else _grow(root, task)
    return ClusterTree(assemble(records))


def _grow_in_parallel(root: _Part, task: _Task, n_jobs: int | None, n_workers: int) -> list[Record]:
    """Divide large clusters level by level, then grow all small ones, then put the pieces in preorder."""
    divided: dict[tuple[int, ...], Record] = {}
    grown: dict[tuple[int, ...], list[Record]] = {}
    small: list[_Part] = []
    level = [root]
    while level:
        divisions = map_independent(_divide_elsewhere, [(part, task) for part in level], n_jobs)
        parts, level = level, []
        for part, division in zip(parts, divisions, strict=True):
            divided[part.path] = _record(part, division)
            for i, child in enumerate(division.children):
                if not isinstance(child, _Part):
                    grown[(*part.path, i)] = [_leaf(child)]
                elif len(child.variables) <= _SUBTREE_UP_TO:
                    small.append(child)
                else:
                    level.append(child)
    chunks = [[small[i] for i in chunk] for chunk in even_chunks(len(small), _CHUNKS_PER_WORKER * n_workers)]
    results = map_independent(_grow_elsewhere, [(chunk, task) for chunk in chunks], n_jobs)
    for chunk, subtrees in zip(chunks, results, strict=True):
        grown.update((part.path, subtree) for part, subtree in zip(chunk, subtrees, strict=True))

    records: list[Record] = []
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        path = waiting.pop()
        if path in grown:
            records.extend(grown[path])
        else:
            records.append(divided[path])
            waiting.extend((*path, i) for i in reversed(range(divided[path].n_children)))
    return records


def _divide_elsewhere(part: _Part, task: _Task) -> _Division:
    """One division, in any thread or process."""
    with _one_thread(len(part.variables), task.splitter, task.process):
        return _divide(part, task)


def _grow_elsewhere(parts: Sequence[_Part], task: _Task) -> list[list[Record]]:
    """Several subtrees, in any thread or process."""
    with _one_thread(max(len(part.variables) for part in parts), task.splitter, task.process):
        return [_grow(part, task) for part in parts]


def _grow(part: _Part, task: _Task) -> list[Record]:
    """Grow a whole subtree, depth first: records in preorder."""
    records = []
    waiting: list[_Part | NDArray[np.int64]] = [part]
    while waiting:
        here = waiting.pop()
        if isinstance(here, _Part):
            division = _divide(here, task)
            records.append(_record(here, division))
            waiting.extend(reversed(division.children))
        else:
            records.append(_leaf(here))
    return records


def _divide(part: _Part, task: _Task) -> _Division:
    """Algorithm 1, lines 2-9, for one cluster."""
    W, splitter = part.W, task.splitter
    n = len(part.variables)
    if not part.connected:
        apart = components(W)
        n_components = int(apart.max()) + 1
        if n_components == n:
            return _Division(())
        if n_components > 1:
            return _Division(_children(part, apart, n_components, task, part.divisions, connected=True))
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
        state = np.random.SeedSequence(task.seed, spawn_key=part.path).generate_state(1)
        labels = split_in_k(found.coordinates[:, : k - 1], k, int(state[0]))
    k = int(labels.max()) + 1
    if k == 1:
        return _Division((), eigenvalues)
    children = _children(part, labels, k, task, part.divisions + 1, connected=False)
    return _Division(children, eigenvalues)


def _children(
    part: _Part,
    labels: NDArray[np.intp] | NDArray[np.bool_],
    k: int,
    task: _Task,
    divisions: int,
    *,
    connected: bool,
) -> tuple[_Part | NDArray[np.int64], ...]:
    """Return the clusters that ``labels`` makes of a part; those that stay leaves are variables only."""
    splitter = task.splitter
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


def _record(part: _Part, division: _Division) -> Record:
    return Record(len(division.children), tuple(part.variables.tolist()), division.eigenvalues)


def _leaf(variables: NDArray[np.int64]) -> Record:
    return Record(0, tuple(variables.tolist()))


def _one_thread(n: int, splitter: SpectralSplitter, process: int = -1) -> AbstractContextManager[object]:
    """Keep BLAS and OpenMP to one thread: quicker on matrices of this size, and the same bits everywhere.

    ``process`` is the process in which the limit has been set already.
    """
    if n < _THREADS_MATTER_FROM or process == os.getpid():
        return nullcontext()
    if splitter.rule.most_clusters > 2:
        import sklearn.cluster  # noqa: F401 - only libraries loaded by now are limited
    import scipy.linalg  # noqa: F401
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1)  # type: ignore[no-any-return]
