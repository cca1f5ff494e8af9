"""What is known of grow-shrink trees, in arrays that grow: nodes, their branches, and who is near whom.

A node is a set of parents: that of the node above it, and one more. Its branches lead to nodes of one parent more, and
its end is what shrinking leaves of its parents. Two variables are *near* each other if one was ever seen to gain as a
parent of the other.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np

# More nodes than this are not kept: the trees begin anew.
MOST_NODES = cython.declare(cython.longlong, 1 << 21)

# Arrays that grow with the trees.
BY_NODE = (
    "above", "added", "size", "grown", "shrunk", "branch_first", "branch_count", "end_first", "end_count", "seen_ahead",
    "partial",
)  # fmt: skip
BY_BRANCH = ("branch_variable", "branch_gain", "branch_node", "branch_partner")
BY_NEAR = ("near_variable", "near_next")


class TreeStore:
    """The trees of ``n`` variables, each with ``widest`` candidates at most."""

    def __init__(self, n, widest, max_parents):
        self.n = n
        self.widest = widest
        self.max_parents = max_parents
        self.root = np.full(n, -1, np.int64)
        self.members = np.zeros(max_parents + 1, np.intc)
        # Who was ever seen to gain as a parent of whom, either way: bits, and lists from ``near_last`` on.
        self.words = (n + 63) // 64
        self.near_bits = np.zeros((n, self.words), np.uint64)
        self.near_last = np.full(n, -1, np.int64)
        self.near_count = np.zeros(n, np.intc)
        self.near_variable = np.zeros(32 * n + 64, np.intc)
        self.near_next = np.zeros(32 * n + 64, np.int64)
        self.n_near = 0
        self.work = 0
        self.n_nodes = 0
        self.n_branches = 0
        self.n_ends = 0
        nodes = 16 * n + 64
        self.above = np.zeros(nodes, np.int64)
        self.added = np.zeros(nodes, np.intc)
        self.size = np.zeros(nodes, np.intc)
        self.grown = np.zeros(nodes)
        self.shrunk = np.zeros(nodes)
        self.branch_first = np.zeros(nodes, np.int64)
        self.branch_count = np.zeros(nodes, np.intc)
        self.end_first = np.zeros(nodes, np.int64)
        self.end_count = np.zeros(nodes, np.intc)
        self.seen_ahead = np.zeros(nodes, np.uint8)
        self.partial = np.zeros(nodes, np.uint8)
        self.branch_variable = np.zeros(4 * nodes + widest, np.intc)
        self.branch_gain = np.zeros(4 * nodes + widest)
        self.branch_node = np.zeros(4 * nodes + widest, np.int64)
        self.branch_partner = np.zeros(4 * nodes + widest, np.intc)
        self.ends = np.zeros(4 * nodes + max_parents, np.intc)

    @cython.final
    def make_room(self):
        """Have room for one node more, with all it may need."""
        if self.n_nodes + 1 >= self.above.shape[0]:
            with cython.gil:
                self.double(BY_NODE)
        if self.n_branches + self.widest >= self.branch_variable.shape[0]:
            with cython.gil:
                self.double(BY_BRANCH)
        if self.n_ends + self.max_parents >= self.ends.shape[0]:
            with cython.gil:
                self.double(("ends",))
        return 0

    def double(self, names):
        """Make these arrays twice as long."""
        for name in names:
            setattr(self, name, np.concatenate([np.asarray(getattr(self, name))] * 2))

    def record(self):
        """Return copies of all that later walks depend on."""
        used = {**dict.fromkeys(BY_NODE, self.n_nodes), **dict.fromkeys(BY_NEAR, self.n_near), "ends": self.n_ends}
        kept = {name: np.array(getattr(self, name)[:length]) for name, length in used.items()}
        # Most of it are branches that no walk has taken, and nobody asks again what one gains.
        kept["branch_variable"] = np.asarray(self.branch_variable)[: self.n_branches].astype(np.min_scalar_type(self.n))
        for name in ("branch_node", "branch_partner"):
            values = np.asarray(getattr(self, name))[: self.n_branches]
            kept[f"{name}_at"] = np.flatnonzero(values >= 0)
            kept[name] = values[kept[f"{name}_at"]]
        kept |= {"root": np.array(self.root), "near_last": np.array(self.near_last)}
        kept["tree_work"] = np.array([self.work], np.int64)
        return kept

    def restore(self, kept):
        """Take over what ``record`` returned."""
        x: cython.int
        y: cython.int
        s: cython.longlong
        one: cython.ulonglong = 1
        # As much room as there is at least at the beginning: doubled, it holds one node more.
        room = 64 + self.widest + self.max_parents
        for name in (*BY_NODE, *BY_NEAR, "ends"):
            setattr(self, name, np.concatenate([kept[name], np.zeros(room, kept[name].dtype)]))
        self.n_nodes, self.n_branches = len(kept["above"]), len(kept["branch_variable"])
        self.branch_variable = np.concatenate([kept["branch_variable"], np.zeros(room, np.intc)]).astype(np.intc)
        self.branch_gain = np.zeros(self.n_branches + room)
        for name, kind in (("branch_node", np.int64), ("branch_partner", np.intc)):
            values = np.full(self.n_branches + room, -1, kind)
            values[kept[f"{name}_at"]] = kept[name]
            setattr(self, name, values)
        self.n_ends, self.n_near = len(kept["ends"]), len(kept["near_next"])
        self.root, self.near_last = kept["root"].copy(), kept["near_last"].copy()
        self.work = kept["tree_work"][0]
        self.near_bits[:] = 0
        self.near_count[:] = 0
        for x in range(self.n):
            s = self.near_last[x]
            while s >= 0:
                y = self.near_variable[s]
                self.near_bits[x, y >> 6] |= one << cython.cast(cython.int, y & 63)
                self.near_count[x] += 1
                s = self.near_next[s]

    @cython.final
    def know(self, x, y):
        """Take note that x gained as a parent of y somewhere: where one stands matters to the other."""
        if (self.near_bits[x, y >> 6] >> cython.cast(cython.int, y & 63)) & 1:
            return 0
        if self.n_near + 2 > self.near_variable.shape[0]:
            with cython.gil:
                self.double(BY_NEAR)
        self.know_one(x, y)
        self.know_one(y, x)
        return 0

    @cython.final
    def know_one(self, x, y):
        """Put y among those near x."""
        bit: cython.ulonglong = 1
        self.near_bits[x, y >> 6] |= bit << cython.cast(cython.int, y & 63)
        self.near_variable[self.n_near] = y
        self.near_next[self.n_near] = self.near_last[x]
        self.near_last[x] = self.n_near
        self.near_count[x] += 1
        self.n_near += 1

    @cython.final
    def forget(self):
        """Begin all trees anew."""
        y: cython.int
        for y in range(self.n):
            self.root[y] = -1
        self.n_nodes = self.n_branches = self.n_ends = 0

    def compact(self):
        """Put side by side what belongs to a variable, as it was: walks then stay near. Return the nodes' new numbers.

        What is there was made in the order in which variables were looked at, which has scattered it.
        """
        x: cython.int
        node: cython.longlong
        s: cython.longlong
        place: cython.longlong
        count: cython.longlong = 0
        owner = np.zeros(self.n_nodes, np.intc)
        of: cython.int[::1] = owner
        variable = np.zeros_like(np.asarray(self.near_variable))
        after = np.zeros_like(np.asarray(self.near_next))
        to_variable: cython.int[::1] = variable
        to_after: cython.longlong[::1] = after
        for x in range(self.n):
            if self.root[x] >= 0:
                of[self.root[x]] = x
            # These lists go backwards, here too.
            s = self.near_last[x]
            place = count - 1
            while s >= 0:
                place += 1
                s = self.near_next[s]
            s = self.near_last[x]
            if s >= 0:
                self.near_last[x] = place
            count = place + 1
            while s >= 0:
                to_variable[place] = self.near_variable[s]
                s = self.near_next[s]
                to_after[place] = place - 1 if s >= 0 else -1
                place -= 1
        self.near_variable, self.near_next = variable, after
        # Nodes come after the one above them.
        for node in range(self.n_nodes):
            if self.above[node] >= 0:
                of[node] = of[self.above[node]]
        order = np.argsort(owner, kind="stable")
        number = np.empty(len(order) + 1, np.int64)
        number[order] = np.arange(len(order))
        number[len(order)] = -1
        for name in BY_NODE:
            values = np.asarray(getattr(self, name))
            values[: len(order)] = values[order]
        self.n_branches = self.drawn_together("branch_first", "branch_count", BY_BRANCH)
        self.n_ends = self.drawn_together("end_first", "end_count", ("ends",))
        for name, length in (("above", self.n_nodes), ("branch_node", self.n_branches)):
            values = np.asarray(getattr(self, name))
            values[:length] = number[values[:length]]
        self.root = number[np.asarray(self.root)]
        return number[: len(order)]

    def drawn_together(self, first, count, names):
        """Lay out the lists of all nodes one after the other; return how long they are together."""
        begins = np.asarray(getattr(self, first))[: self.n_nodes]
        counts = np.maximum(np.asarray(getattr(self, count))[: self.n_nodes], 0)
        total = int(counts.sum())
        starts = np.cumsum(counts) - counts
        places = np.repeat(begins - starts, counts) + np.arange(total)
        for name in names:
            values = np.asarray(getattr(self, name))
            values[:total] = values[places]
        begins[:] = starts
        return total

    @cython.final
    def new_node(self, above, x, size):
        """Add a node: the parents of the node above, and x."""
        node: cython.longlong = self.n_nodes
        self.make_room()
        self.above[node] = above
        self.added[node] = x
        self.size[node] = size
        self.branch_count[node] = -1
        self.end_count[node] = -1
        self.seen_ahead[node] = 0
        self.partial[node] = 0
        self.n_nodes += 1
        return node

    @cython.final
    def list_members(self, node):
        """List the parents of a node in the order in which they were added; return how many there are."""
        i: cython.int
        count: cython.int = self.size[node]
        for i in range(count - 1, -1, -1):
            self.members[i] = self.added[node]
            node = self.above[node]
        return count

    @cython.final
    def add_branch(self, node, x, partner, gain, behind):
        """Give a node one more branch, behind so many others: to x, where x and its partner are both available."""
        i: cython.longlong
        to: cython.longlong
        begin: cython.longlong
        self.make_room()
        begin = self.n_branches
        for i in range(self.branch_count[node]):
            to = begin + i + (i >= behind)
            self.branch_variable[to] = self.branch_variable[self.branch_first[node] + i]
            self.branch_gain[to] = self.branch_gain[self.branch_first[node] + i]
            self.branch_node[to] = self.branch_node[self.branch_first[node] + i]
            self.branch_partner[to] = self.branch_partner[self.branch_first[node] + i]
        to = begin + behind
        self.branch_variable[to] = x
        self.branch_gain[to] = gain
        self.branch_node[to] = -1
        self.branch_partner[to] = partner
        self.branch_first[node] = begin
        self.branch_count[node] += 1
        self.n_branches += self.branch_count[node]
        return 0
