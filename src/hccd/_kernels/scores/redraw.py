"""Missing cells drawn anew, each given the rest of its row: one sweep of a Gibbs sampler over a discrete network.

The probability of a state is that of the cell given its parents times that of each child given its own parents, up to a
factor. Tables hold the probabilities of the states of a variable for each combination of its parents; the number of a
combination is the sum of the parents' states, each times its stride.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython


def redraw(
    data,
    states,
    rows,
    first_row,
    parents,
    stride,
    first_parent,
    children,
    first_child,
    table,
    first_cell,
    uniform,
    chance,
):
    """Draw the cells of each variable v in ``rows[first_row[v] : first_row[v + 1]]``, one variable after another.

    ``data[v, r]`` is the state of v in row r. ``parents`` of v, with their ``stride``, are from first_parent[v] on,
    its ``children`` from first_child[v] on, and its table from first_cell[v] on. ``uniform`` has a number below 1 for
    each cell; ``chance`` is room for the states of one variable.
    """
    v: cython.int
    i: cython.Py_ssize_t
    r: cython.int
    c: cython.Py_ssize_t
    p: cython.Py_ssize_t
    k: cython.int
    child: cython.int
    step: cython.longlong
    at: cython.longlong
    n_states: cython.int
    total: cython.double
    for v in range(data.shape[0]):
        n_states = states[v]
        for i in range(first_row[v], first_row[v + 1]):
            r = rows[i]
            at = 0
            for p in range(first_parent[v], first_parent[v + 1]):
                at += data[parents[p], r] * stride[p]
            for k in range(n_states):
                chance[k] = table[first_cell[v] + at * n_states + k]
            for c in range(first_child[v], first_child[v + 1]):
                child = children[c]
                at = 0
                step = 0
                for p in range(first_parent[child], first_parent[child + 1]):
                    if parents[p] == v:
                        step = stride[p]
                    else:
                        at += data[parents[p], r] * stride[p]
                for k in range(n_states):
                    chance[k] *= table[first_cell[child] + (at + k * step) * states[child] + data[child, r]]
            total = 0.0
            for k in range(n_states):
                total += chance[k]
            total *= uniform[i]
            for k in range(n_states):
                total -= chance[k]
                if total < 0.0:
                    data[v, r] = k
                    break
