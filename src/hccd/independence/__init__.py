"""Conditional-independence tests."""

from hccd.independence.custom import CustomTest
from hccd.independence.degenerate_gaussian import BoundDegenerateGaussian, DegenerateGaussian
from hccd.independence.fisher_z import BoundFisherZ, FisherZ
from hccd.independence.level import Level, LevelOutcome, answer, answer_by
from hccd.independence.marginals import Marginals
from hccd.independence.oracle import Oracle
from hccd.independence.protocol import (
    BoundCITest,
    CIResult,
    CITest,
    ManyResults,
)
from hccd.independence.regression import BoundRegression, RegressionTest
from hccd.independence.tables import BoundTableTest, ChiSquareTest, GTest, MutualInformation

__all__ = [
    "BoundCITest",
    "BoundDegenerateGaussian",
    "BoundFisherZ",
    "BoundRegression",
    "BoundTableTest",
    "CIResult",
    "CITest",
    "ChiSquareTest",
    "CustomTest",
    "DegenerateGaussian",
    "FisherZ",
    "GTest",
    "Level",
    "LevelOutcome",
    "ManyResults",
    "Marginals",
    "MutualInformation",
    "Oracle",
    "RegressionTest",
    "answer",
    "answer_by",
]
