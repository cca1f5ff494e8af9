"""A score on top of the tests: a search over DAGs that starts from the learned graph.

Not a part of the paper's method: it is named in the result, and ``scoring="none"`` leaves it out.
"""

from hccd.scoring.candidate_parents import CandidateParents
from hccd.scoring.choice import MOST_CANDIDATES, RESAMPLED_CANDIDATES, candidates_for, score_for
from hccd.scoring.record import ScoreSearch
from hccd.scoring.search import BRIEF, MAX_PARENTS, BestDag, most_parents, search_dag

__all__ = [
    "BRIEF",
    "MAX_PARENTS",
    "MOST_CANDIDATES",
    "RESAMPLED_CANDIDATES",
    "BestDag",
    "CandidateParents",
    "ScoreSearch",
    "candidates_for",
    "most_parents",
    "score_for",
    "search_dag",
]
