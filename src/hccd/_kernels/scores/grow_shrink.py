"""Grow-shrink trees: the parents that a variable has best among those that come before it, found once for each case.

Parents are grown (the candidate that gains most, until none gains) and then shrunk (the parent whose loss gains most,
until none does). Which candidate is next depends on the parents so far and on who is available, so the decisions of a
variable form a tree: a node is a set of parents, its branches are the candidates that would gain, best first, and a
walk takes the first branch that is available (Andrews et al. 2023). A node is scored when a walk first comes there;
after that a question costs a few comparisons.

A walk at a *glance* looks for candidates only among those near the variable: of which one was ever seen to gain as a
parent of the other. That is for what is tried and mostly given up: what it lists is listed anew by the next other walk.

A candidate x is available where ``place[x] < limit``. The candidates of y are ``other[first[y] : last[y]]``, ascending;
y itself may be among them. Those of ``must[must_first[y] : must_first[y + 1]]`` are parents of y wherever they are
available, whatever that costs: they are grown first and not shrunk.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np

if not cython.compiled:
    from .tree_store import TreeStore

# Less than this is rounding.
LEAST_GAIN = cython.declare(cython.double, 1e-6)
# More than anything gains.
FIRST = cython.declare(cython.double, 1e300)
# Two parents are looked for together where one of them gains this part of the price, among so many of these.
PART = cython.declare(cython.double, -1.0)
LOOKED_AT = cython.declare(cython.int, 16)


class GrowShrink(TreeStore):
    """The trees of all variables; every parent costs ``price`` on top of what the score says."""

    def __init__(self, families, first, last, other, price, max_parents, must_first, must):
        n = len(first)
        widest = int((last - first + np.diff(must_first)).max(initial=0))
        TreeStore.__init__(self, n, widest, max_parents)
        self.families = families
        self.first = first
        self.last = last
        self.other = other
        self.price = price
        self.must_first = must_first
        self.must = must
        self.is_must = np.zeros(n, np.uint8)
        self.place = np.zeros(n, np.intc)
        self.fewer = np.zeros(max_parents + 1, np.intc)
        self.excluded = np.zeros(n, np.uint8)
        self.ahead = np.zeros(LOOKED_AT, np.intc)
        self.ahead_gain = np.zeros(LOOKED_AT)
        self.others = np.zeros(widest + 1, np.intc)
        self.found = np.zeros(widest + 1, np.intc)
        self.gain = np.zeros(widest + 1)
        self.glance = False
        self.until = 0
        self.matters = np.zeros((n, self.words), np.uint64)
        self.noting = False
        for y in range(n):
            for x in must[must_first[y] : must_first[y + 1]]:
                self.know(x, y)

    @cython.final
    def find_gaining(self, y, count, least):
        """Find the candidates of y, no members nor musts, that gain more than ``least``; return how many.

        The family at hand is that of y with the first ``count`` members; at a glance only those near y are asked.
        """
        s: cython.longlong = self.near_last[y]
        x: cython.int
        total: cython.int = 0
        self.exclude(y, count, 1)
        if self.glance:
            while s >= 0:
                x = self.near_variable[s]
                if self.is_candidate(x, y):
                    self.others[total] = x
                    total += 1
                s = self.near_next[s]
            total = self.families.gaining(least, self.others[:total], self.excluded, self.found, self.gain)
        else:
            total = self.families.gaining(
                least, self.other[self.first[y] : self.last[y]], self.excluded, self.found, self.gain
            )
        self.exclude(y, count, 0)
        return total

    @cython.final
    def exclude(self, y, count, mark):
        """Mark y, the first ``count`` members and the musts, or take the marks away."""
        i: cython.int
        s: cython.longlong
        for i in range(count):
            self.excluded[self.members[i]] = mark
        self.excluded[y] = mark
        for s in range(self.must_first[y], self.must_first[y + 1]):
            self.excluded[self.must[s]] = mark

    @cython.final
    def is_candidate(self, x, y):
        """Whether x is a candidate of y."""
        low: cython.longlong = self.first[y]
        high: cython.longlong = self.last[y]
        middle: cython.longlong
        if high - low == self.n:
            return True
        while low < high:
            middle = (low + high) >> 1
            if self.other[middle] < x:
                low = middle + 1
            else:
                high = middle
        return low < self.last[y] and self.other[low] == x

    @cython.final
    def is_among(self, x, count):
        """Whether x is one of the first ``count`` members."""
        i: cython.int
        for i in range(count):
            if self.members[i] == x:
                return True
        return False

    @cython.final
    def expand(self, y, node):
        """List the candidates that would gain, best first; at a glance, those near y."""
        i: cython.longlong
        before: cython.longlong = self.branch_first[node]
        n_before: cython.int = self.branch_count[node]
        begin: cython.longlong = self.n_branches
        b: cython.int
        total: cython.int
        x: cython.int
        gain: cython.double
        count: cython.int = self.list_members(node)
        self.branch_first[node] = begin
        self.branch_count[node] = 0
        self.partial[node] = self.glance
        self.families.begin(y, self.members, count)
        # What the branch to this node promised is right up to rounding only.
        self.grown[node] = self.families.value() - self.price * count
        if count >= self.max_parents:
            return 0
        self.make_room()
        for i in range(self.must_first[y], self.must_first[y + 1]):
            if not self.is_among(self.must[i], count):
                self.branch_gain[self.n_branches] = FIRST
                self.branch_variable[self.n_branches] = self.must[i]
                self.n_branches += 1
        total = self.find_gaining(y, count, self.price + LEAST_GAIN)
        for b in range(total):
            x = self.found[b]
            gain = self.gain[b] - self.price
            i = self.n_branches
            # The first of equals stays first.
            while i > begin and self.branch_gain[i - 1] < gain:
                self.branch_gain[i] = self.branch_gain[i - 1]
                self.branch_variable[i] = self.branch_variable[i - 1]
                i -= 1
            self.branch_gain[i] = gain
            self.branch_variable[i] = x
            self.n_branches += 1
            self.know(x, y)
        for i in range(begin, self.n_branches):
            self.branch_node[i] = -1
            self.branch_partner[i] = -1
        self.branch_count[node] = cython.cast(cython.int, self.n_branches - begin)
        # Where a glance has been before, what is known further down stays.
        for b in range(n_before):
            if self.branch_node[before + b] >= 0:
                for i in range(begin, self.n_branches):
                    if self.branch_variable[i] == self.branch_variable[before + b]:
                        self.branch_node[i] = self.branch_node[before + b]
        return 0

    @cython.final
    def is_open(self, node):
        """Whether it is still to be found out who would gain."""
        return self.branch_count[node] < 0 or (self.partial[node] and not self.glance)

    @cython.final
    def shrink(self, y, node):
        """Take parents away as long as that gains, and keep what is left."""
        i: cython.int
        worst: cython.int
        count: cython.int = self.list_members(node)
        score: cython.double = self.grown[node]
        value: cython.double
        self.make_room()
        while count > 0:
            worst = self.weakest(y, count)
            if worst < 0:
                break
            for i in range(count - 1):
                self.fewer[i] = self.members[i + (i >= worst)]
            self.families.begin(y, self.fewer, count - 1)
            value = self.families.value() - self.price * (count - 1)
            if value <= score + LEAST_GAIN:
                break
            score = value
            count -= 1
            for i in range(count):
                self.members[i] = self.fewer[i]
        self.shrunk[node] = score
        self.end_first[node] = self.n_ends
        self.end_count[node] = count
        for i in range(count):
            self.ends[self.n_ends + i] = self.members[i]
        self.n_ends += count
        return 0

    @cython.final
    def weakest(self, y, count):
        """Return the place of the member whose loss leaves the highest score, -1 if all are musts."""
        i: cython.int
        d: cython.int
        s: cython.longlong
        found: cython.int = -1
        value: cython.double
        best: cython.double = -FIRST
        if self.must_first[y] == self.must_first[y + 1]:
            return self.families.weakest(y, self.members, count, self.fewer)
        for s in range(self.must_first[y], self.must_first[y + 1]):
            self.is_must[self.must[s]] = 1
        for d in range(count):
            if not self.is_must[self.members[d]]:
                for i in range(count - 1):
                    self.fewer[i] = self.members[i + (i >= d)]
                self.families.begin(y, self.fewer, count - 1)
                value = self.families.value()
                if value > best:
                    best = value
                    found = d
        for s in range(self.must_first[y], self.must_first[y + 1]):
            self.is_must[self.must[s]] = 0
        return found

    @cython.final
    def look_ahead(self, y, node, limit):
        """Look for two that gain together as parents of y where none gains alone; return whether there are such.

        One of the two has to gain a part of what it costs: LOOKED_AT of those that gain most are tried.
        """
        j: cython.int
        b: cython.int
        tried: cython.int
        first: cython.int = -1
        second: cython.int = -1
        total: cython.int
        count: cython.int = self.list_members(node)
        best: cython.double = LEAST_GAIN
        if self.seen_ahead[node] or count + 2 > self.max_parents:
            return False
        self.seen_ahead[node] = 1
        self.families.begin(y, self.members, count)
        self.exclude(y, count, 1)
        tried = self.families.strongest(
            PART * self.price,
            self.other[self.first[y] : self.last[y]],
            self.excluded,
            self.place,
            limit,
            self.ahead,
            self.ahead_gain,
        )
        self.exclude(y, count, 0)
        for j in range(tried):
            self.members[count] = self.ahead[j]
            self.families.begin(y, self.members, count + 1)
            total = self.find_gaining(y, count + 1, 2.0 * self.price - self.ahead_gain[j] + best)
            for b in range(total):
                if self.place[self.found[b]] < limit and self.gain[b] + self.ahead_gain[j] - 2.0 * self.price > best:
                    best = self.gain[b] + self.ahead_gain[j] - 2.0 * self.price
                    first = self.ahead[j]
                    second = self.found[b]
        if first < 0:
            return False
        self.add_branch(node, first, second, best, self.branch_count[node])
        self.know(first, y)
        self.know(second, y)
        return True

    @cython.final
    def noted(self, y, limit):
        """Walk, and note whose place matters to it: anybody else might stand elsewhere, and it would be the same."""
        i: cython.int
        node: cython.longlong
        for i in range(self.words):
            self.matters[y, i] = 0
        self.noting = True
        node = self.walk(y, limit)
        self.noting = False
        return node

    @cython.final
    def note(self, y, x):
        """Note that the place of x matters to y."""
        bit: cython.ulonglong = 1
        self.matters[y, x >> 6] |= bit << cython.cast(cython.int, x & 63)

    @cython.final
    def does_matter(self, y, x):
        """Whether the place of x matters to y as the order is."""
        return (self.matters[y, x >> 6] >> cython.cast(cython.int, x & 63)) & 1

    @cython.final
    def lead(self, y, members, count):
        """Let walks of y come to these parents before all others, where each is available with the next one."""
        i: cython.int
        b: cython.longlong
        child: cython.longlong
        node: cython.longlong = self.root[y]
        for i in range(count):
            if self.is_open(node):
                self.expand(y, node)
            child = -1
            for b in range(self.branch_first[node], self.branch_first[node] + self.branch_count[node]):
                if self.branch_variable[b] == members[i]:
                    child = max(child, self.branch_node[b])
            if child < 0:
                child = self.new_node(node, members[i], self.size[node] + 1)
            self.add_branch(node, members[i], members[i + 1] if i + 1 < count else -1, FIRST, 0)
            self.branch_node[self.branch_first[node]] = child
            self.know(members[i], y)
            node = child
        return 0

    @cython.final
    def walk(self, y, limit):
        """Return the node where growing ends for y if those before ``limit`` are available; it is shrunk.

        It would be the same for every limit up to ``until``.
        """
        node: cython.longlong = self.root[y]
        child: cython.longlong
        b: cython.longlong
        found: cython.longlong
        place: cython.int
        until: cython.int = self.n
        work: cython.longlong = 0
        noting: cython.bint = self.noting
        if node < 0:
            node = self.new_node(-1, -1, 0)
            self.root[y] = node
        while True:
            if self.is_open(node):
                self.expand(y, node)
            found = -1
            work += 20
            for b in range(self.branch_first[node], self.branch_first[node] + self.branch_count[node]):
                work += 2
                place = self.place[self.branch_variable[b]]
                if noting:
                    self.note(y, self.branch_variable[b])
                if self.branch_partner[b] >= 0:
                    place = max(place, self.place[self.branch_partner[b]])
                    if noting:
                        self.note(y, self.branch_partner[b])
                if place < limit:
                    found = b
                    break
                until = min(until, place)
            if found < 0:
                break
            child = self.branch_node[found]
            if child < 0:
                child = self.new_node(node, self.branch_variable[found], self.size[node] + 1)
                self.branch_node[found] = child
            node = child
        self.until = until
        self.work += work
        if self.end_count[node] < 0:
            self.shrink(y, node)
        return node
