"""Knowledge of the user's own about a graph: tiers, forbidden and required edges, roots and leaves."""

from hccd.knowledge.files import read_knowledge
from hccd.knowledge.foreign import as_knowledge
from hccd.knowledge.value import Knowledge

__all__ = ["Knowledge", "as_knowledge", "read_knowledge"]
