"""Baseline algorithms that the wrapper runs on clusters (the paper's Alg)."""

from hccd.baselines.pc import PC
from hccd.baselines.protocol import Baseline, KnownDependent, LocalResult, PassContext

__all__ = ["PC", "Baseline", "KnownDependent", "LocalResult", "PassContext"]
