"""A score on top of the tests: a search over DAGs that starts from the learned graph.

Not a part of the paper's method: it is named in the result, and ``scoring="none"`` leaves it out.
"""

from hccd.scoring.candidate_parents import CandidateParents
from hccd.scoring.choice import MOST_CANDIDATES, candidates_for, score_for
from hccd.scoring.clusters import pairs_at
from hccd.scoring.journal import ScoreJournal
from hccd.scoring.record import BestDag, ScoreSearch
from hccd.scoring.search import MAX_PARENTS, most_parents, score_of, search_dag, search_nearby

__all__ = [
    "MAX_PARENTS",
    "MOST_CANDIDATES",
    "BestDag",
    "CandidateParents",
    "ScoreJournal",
    "ScoreSearch",
    "candidates_for",
    "most_parents",
    "pairs_at",
    "score_for",
    "score_of",
    "search_dag",
    "search_nearby",
]
