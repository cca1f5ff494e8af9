"""Data with a known truth: random linear models, and a sample of the ALARM network."""

from hccd.datasets.alarm import alarm_edges, alarm_path
from hccd.datasets.synthetic import LinearGaussian, RandomDAG, random_dag

__all__ = ["LinearGaussian", "RandomDAG", "alarm_edges", "alarm_path", "random_dag"]
