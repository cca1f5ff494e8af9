"""Baseline algorithms that the wrapper runs on clusters (the paper's Alg): PC, or an algorithm of the user's own."""

from typing import TypeAlias

from hccd.baselines.algorithm import Algorithm, KnownDependent, LocalResult, PassContext
from hccd.baselines.brai import BRAI
from hccd.baselines.causal_learn import CausalLearnFCI, CausalLearnPC
from hccd.baselines.mmpc import MMPC
from hccd.baselines.pc import PC
from hccd.baselines.rai import RAI

#: What ``baseline`` may be.
Baseline: TypeAlias = PC | Algorithm

__all__ = [
    "BRAI",
    "MMPC",
    "PC",
    "RAI",
    "Algorithm",
    "Baseline",
    "CausalLearnFCI",
    "CausalLearnPC",
    "KnownDependent",
    "LocalResult",
    "PassContext",
]
