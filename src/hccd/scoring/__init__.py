"""A score on top of the tests: a search over DAGs that starts from the learned graph.

Not a part of the paper's method: it is named in the result, and ``scoring="none"`` leaves it out.
"""

from hccd.scoring.ascend import MAX_PARENTS, Ascended, ascend, most_parents
from hccd.scoring.candidate_parents import CandidateParents
from hccd.scoring.choice import MOST_CANDIDATES, score_for
from hccd.scoring.record import ScoreSearch

__all__ = [
    "MAX_PARENTS",
    "MOST_CANDIDATES",
    "Ascended",
    "CandidateParents",
    "ScoreSearch",
    "ascend",
    "most_parents",
    "score_for",
]
