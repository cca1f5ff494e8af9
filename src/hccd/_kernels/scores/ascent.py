"""Search for a DAG of high score: climb by single edges, then try what single edges cannot reach.

A *slot* is a pair (x, y) that the search may make an edge from x to y: the row of y lists the x. Each slot knows what
adding its edge, or taking it away, changes in the score; for a variable whose parents change they are computed anew.

* **climb**: the edge is added, taken away or turned round that gains most, until none gains. What a step gains is known
  up to rounding, which is large where variables all but determine each other: a step that turns out to gain nothing is
  taken back, so that every climb has an end.
* **shake**: an edge is turned round by force, or taken away, and held so while the neighbourhood climbs; then it is let
  go. What does not end higher is undone. So two or more steps are taken at once of which the first alone would lose.

Every edge costs ``price`` on top of what the score says. Variables are visited in the order of their numbers and equal
gains go to the first, so that the result depends on nothing else. Slots that are ``barred`` stay as they are.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np

if not cython.compiled:
    from ..graphs.ancestors import Ancestors

# Less than this is rounding.
LEAST_GAIN = cython.declare(cython.double, 1e-6)
NOTHING = cython.declare(cython.double, -1e300)
# The error of a sum of four scores is at most this share of them.
ROUNDING = cython.declare(cython.double, 4.5e-16)

# What a search depends on beside its edges.
RECORDED = ("gain", "score", "bound", "changed", "shaken")


class Ascent:
    """A DAG, from ``edge`` (1 where a slot is one), and what every step would gain."""

    def __init__(self, families, first, other, mirror, edge, price, max_parents, barred=None):
        n = len(first) - 1
        n_slots = len(other)
        self.n = n
        self.families = families
        self.first = first
        self.other = other
        self.mirror = mirror
        self.edge = np.zeros(n_slots, np.uint8)
        self.barred = np.zeros(n_slots, np.uint8) if barred is None else barred
        self.price = price
        self.max_parents = max_parents
        self.gain = np.zeros(n_slots)
        self.score = np.zeros(n)
        self.bound = np.zeros(n)
        self.held = np.zeros(n_slots, np.uint8)
        self.refused = np.zeros(n_slots, np.int64)
        self.n_refused = 0
        self.graph = Ancestors(n, max_parents + 1)
        self.members = np.zeros(max_parents + 1, np.intc)
        # What has to be looked at, and what has to be undone.
        self.waiting = np.zeros(n, np.intc)
        self.n_waiting = 0
        self.waits = np.zeros(n, np.uint8)
        self.journal = np.zeros(4 * n_slots + 64, np.int64)
        self.n_journal = 0
        self.touched = np.zeros(n, np.intc)
        self.n_touched = 0
        self.is_touched = np.zeros(n, np.uint8)
        self.old_score = np.zeros(n)
        self.old_gain = np.zeros(n_slots)
        self.old_bound = np.zeros(n)
        self.recording = False
        # When a variable's parents last changed by shaking, and when a slot was last shaken: until one of its ends
        # changes after that, shaking it again would end the same way.
        self.clock = 1
        self.changed = np.zeros(n, np.int64)
        self.shaken = np.zeros(n_slots, np.int64)
        self.n_moves = 0
        self.begin(np.asarray(edge, np.uint8))

    def begin(self, edge):
        """Put the first edges in, and compute every gain."""
        y: cython.int
        s: cython.longlong
        for y in range(self.n):
            for s in range(self.first[y], self.first[y + 1]):
                if edge[s]:
                    self.edge[s] = 1
                    self.graph.insert(self.other[s], y)
        with cython.nogil:
            for y in range(self.n):
                self.renew(y)

    def record(self):
        """Return copies of all that shaking goes on from; the next search begins with ``edge``."""
        kept = {name: np.array(getattr(self, name)) for name in ("edge", *RECORDED)}
        return {**kept, "clock": np.array([self.clock], np.int64), **self.families.record()}

    def restore(self, kept):
        """Take over what ``record`` returned."""
        for name in RECORDED:
            setattr(self, name, kept[name].copy())
        self.clock = kept["clock"][0]
        self.families.restore(kept)

    def total(self):
        """Return the score of the DAG, less the price of its edges."""
        y: cython.int
        result: cython.double = 0.0
        for y in range(self.n):
            result += self.score[y]
        return result

    @cython.final
    def renew(self, y):
        """Compute the score of y with its parents, and every gain in its row."""
        s: cython.longlong
        i: cython.int
        d: cython.int
        here: cython.int = 0
        gain: cython.double
        best: cython.double = NOTHING
        count: cython.int = self.graph.n_parents[y]
        for s in range(self.first[y], self.first[y + 1]):
            if self.edge[s]:
                i = 0
                for d in range(count):
                    if d != here:
                        self.members[i] = self.graph.parents[y, d]
                        i += 1
                self.families.begin(y, self.members, count - 1)
                self.gain[s] = self.families.value() + self.price
                here += 1
        for d in range(count):
            self.members[d] = self.graph.parents[y, d]
        self.families.begin(y, self.members, count)
        self.score[y] = self.families.value() - self.price * count
        for s in range(self.first[y], self.first[y + 1]):
            if self.edge[s]:
                self.gain[s] -= self.score[y] + self.price * count
            elif count < self.max_parents:
                self.gain[s] = self.families.value_with(self.other[s]) - self.price * (count + 1) - self.score[y]
            else:
                self.gain[s] = NOTHING
            if self.barred[s]:
                self.gain[s] = NOTHING
            gain = self.gain[s]
            if self.edge[s] or self.edge[self.mirror[s]]:
                gain = max(gain, gain + self.gain[self.mirror[s]])
            best = max(best, gain)
        self.bound[y] = best

    @cython.final
    def set_edge(self, s, y):
        """Add the edge of slot s in the row of y, or take it away; gains are not renewed."""
        if self.recording:
            self.journal[self.n_journal] = s
            self.journal[self.n_journal + 1] = y
            self.n_journal += 2
        if self.edge[s]:
            self.edge[s] = 0
            self.graph.remove(self.other[s], y)
        else:
            self.edge[s] = 1
            self.graph.insert(self.other[s], y)

    @cython.final
    def refresh(self, y):
        """Renew the row of y, after keeping what it was, and look at it again."""
        s: cython.longlong
        if self.recording and not self.is_touched[y]:
            self.is_touched[y] = 1
            self.touched[self.n_touched] = y
            self.n_touched += 1
            self.old_score[y] = self.score[y]
            self.old_bound[y] = self.bound[y]
            for s in range(self.first[y], self.first[y + 1]):
                self.old_gain[s] = self.gain[s]
        self.renew(y)
        self.wait(y)

    @cython.final
    def wait(self, y):
        """Put y among the variables to be looked at."""
        if not self.waits[y]:
            self.waits[y] = 1
            self.waiting[self.n_waiting] = y
            self.n_waiting += 1

    @cython.final
    def climb_waiting(self):
        """Take the best step in the rows that wait, until none of them gains."""
        i: cython.int
        y: cython.int
        x: cython.int
        row: cython.int = 0
        s: cython.longlong
        m: cython.longlong
        chosen: cython.longlong
        best: cython.double
        gain: cython.double
        while self.n_journal + 8 <= self.journal.shape[0]:
            best = LEAST_GAIN
            chosen = -1
            for i in range(self.n_waiting):
                y = self.waiting[i]
                if self.bound[y] <= best:
                    continue
                for s in range(self.first[y], self.first[y + 1]):
                    if self.held[s]:
                        continue
                    x = self.other[s]
                    m = self.mirror[s]
                    if self.edge[s]:
                        if self.gain[s] > best:
                            best = self.gain[s]
                            chosen = s
                            row = y
                        gain = self.gain[s] + self.gain[m]
                        if gain > best and self.graph.can_turn(x, y):
                            best = gain
                            chosen = m
                            row = x
                    elif self.edge[m]:
                        gain = self.gain[s] + self.gain[m]
                        if gain > best and self.graph.can_turn(y, x):
                            best = gain
                            chosen = s
                            row = y
                    elif self.gain[s] > best and not self.graph.is_ancestor(y, x):
                        best = self.gain[s]
                        chosen = s
                        row = y
            if chosen < 0:
                break
            if self.step_up(chosen, row):
                self.n_moves += 1
                self.release()
            else:
                self.refused[self.n_refused] = chosen
                self.n_refused += 1
                self.held[chosen] = self.held[self.mirror[chosen]] = 1
        self.release()
        for i in range(self.n_waiting):
            self.waits[self.waiting[i]] = 0
        self.n_waiting = 0

    @cython.final
    def release(self):
        """Let the slots go that were held because a step there gained nothing."""
        i: cython.int
        for i in range(self.n_refused):
            self.held[self.refused[i]] = self.held[self.mirror[self.refused[i]]] = 0
        self.n_refused = 0

    @cython.final
    def step_up(self, s, y):
        """Take a step if the scores of both ends are higher afterwards by more than rounding; return whether."""
        x: cython.int = self.other[s]
        of_x: cython.double = self.score[x]
        of_y: cython.double = self.score[y]
        turned: cython.bint = self.edge[self.mirror[s]]
        sizes: cython.double = abs(of_x) + abs(of_y)
        self.step(s, y)
        sizes += abs(self.score[x]) + abs(self.score[y])
        if (self.score[x] - of_x) + (self.score[y] - of_y) > LEAST_GAIN + ROUNDING * sizes:
            return True
        if turned:
            self.step(self.mirror[s], x)
        else:
            self.step(s, y)
        return False

    @cython.final
    def step(self, s, y):
        """Set the slot s in the row of y; if its edge is there the other way, turn it round."""
        x: cython.int = self.other[s]
        if self.edge[self.mirror[s]]:
            self.set_edge(self.mirror[s], x)
            self.set_edge(s, y)
            self.refresh(x)
        else:
            self.set_edge(s, y)
        self.refresh(y)

    def climb(self):
        """Climb from here until no step gains."""
        y: cython.int
        with cython.nogil:
            for y in range(self.n):
                self.wait(y)
            self.climb_waiting()

    def shake(self, start, stop):
        """Shake the edges into the variables from ``start`` up to ``stop``; return how often that gained."""
        y: cython.int
        s: cython.longlong
        forced: cython.int
        x: cython.int
        found: cython.int = 0
        with cython.nogil:
            for y in range(start, stop):
                for s in range(self.first[y], self.first[y + 1]):
                    x = self.other[s]
                    if not self.edge[s] or self.barred[s] or self.shaken[s] > max(self.changed[x], self.changed[y]):
                        continue
                    for forced in range(2):
                        if self.edge[s] and self.shake_one(s, y, forced == 0):
                            found += 1
                    self.clock += 1
                    self.shaken[s] = self.clock
        return found

    @cython.final
    def shake_one(self, s, y, turn):
        """Turn the edge of slot s round, or take it away, climb nearby, and keep what is higher."""
        i: cython.int
        t: cython.longlong
        m: cython.longlong = self.mirror[s]
        x: cython.int = self.other[s]
        gain: cython.double = 0.0
        self.recording = True
        self.set_edge(s, y)
        if turn and self.graph.n_parents[x] < self.max_parents and self.may_turn(s, y):
            # Other paths from x to y would close a cycle: they are cut where they leave x.
            for t in range(self.first[x], self.first[x + 1]):
                i = self.other[t]
                if self.edge[self.mirror[t]] and self.graph.is_ancestor(i, y):
                    self.set_edge(self.mirror[t], i)
                    self.refresh(i)
            self.set_edge(m, x)
            self.refresh(x)
        self.refresh(y)
        self.held[s] = self.held[m] = 1
        self.climb_waiting()
        self.held[s] = self.held[m] = 0
        for i in range(self.n_touched):
            self.wait(self.touched[i])
        self.climb_waiting()
        self.recording = False
        for i in range(self.n_touched):
            gain += self.score[self.touched[i]] - self.old_score[self.touched[i]]
        if gain <= LEAST_GAIN:
            self.undo()
        else:
            self.clock += 1
            for i in range(self.n_touched):
                self.changed[self.touched[i]] = self.clock
        for i in range(self.n_touched):
            self.is_touched[self.touched[i]] = 0
        self.n_touched = 0
        self.n_journal = 0
        return gain > LEAST_GAIN

    @cython.final
    def may_turn(self, s, y):
        """Whether nothing barred stands against turning the edge of slot s round, which is taken away already."""
        t: cython.longlong
        x: cython.int = self.other[s]
        if self.barred[self.mirror[s]]:
            return False
        for t in range(self.first[x], self.first[x + 1]):
            if self.edge[self.mirror[t]] and self.barred[self.mirror[t]] and self.graph.is_ancestor(self.other[t], y):
                return False
        return True

    @cython.final
    def undo(self):
        """Take back every step since the recording began; the recorded rows are as they were."""
        i: cython.int
        y: cython.int
        s: cython.longlong
        at: cython.longlong = self.n_journal
        while at > 0:
            at -= 2
            self.set_edge(self.journal[at], cython.cast(cython.int, self.journal[at + 1]))
        for i in range(self.n_touched):
            y = self.touched[i]
            self.score[y] = self.old_score[y]
            self.bound[y] = self.old_bound[y]
            for s in range(self.first[y], self.first[y + 1]):
                self.gain[s] = self.old_gain[s]
