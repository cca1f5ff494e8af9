"""A test with a full memory: it writes down every question it is asked, so that repeats can be seen."""

from __future__ import annotations

from collections import Counter

import numpy as np
from scipy.stats import norm

from hccd.independence import BoundCITest, CIResult


class Remembering(BoundCITest):
    """Fisher's z by inverting blocks of a correlation matrix; answers may be shared, the record is its own."""

    def __init__(self, data, alpha=0.05, answers=None):
        self.correlation = np.corrcoef(data, rowvar=False)
        self.rows = len(data)
        self.alpha = alpha
        self.answers = {} if answers is None else answers
        self.asked = Counter()

    @property
    def n_variables(self):
        return len(self.correlation)

    def test(self, x, y, given=()):
        question = (min(x, y), max(x, y), *sorted(given))
        self.asked[question] += 1
        if question not in self.answers:
            inverse = np.linalg.inv(self.correlation[np.ix_(question, question)])
            r = -inverse[0, 1] / np.sqrt(inverse[0, 0] * inverse[1, 1])
            p = 2 * norm.sf(abs(np.arctanh(r)) * np.sqrt(self.rows - len(given) - 3))
            self.answers[question] = CIResult(bool(p >= self.alpha), float(abs(r)), float(p))
        return self.answers[question]

    @property
    def distinct(self):
        return set(self.asked)

    @property
    def repeated(self):
        return {question: times for question, times in self.asked.items() if times > 1}
