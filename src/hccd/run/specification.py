"""From what the caller says of a test (its name, a function) to a specification.

The choice of ``auto`` is made here: a test for discrete data if every column is discrete, one for continuous data if
every column is continuous, and one for both side by side otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hccd.errors import InvalidParameterError
from hccd.independence import (
    ChiSquareTest,
    CITest,
    CustomTest,
    DegenerateGaussian,
    FisherZ,
    GTest,
    MutualInformation,
    RegressionTest,
)
from hccd.independence.foreign import function_of, named_function
from hccd.run.settings import Settings
from hccd.tables import Kind, Table

#: Tests that take columns of all kinds.
MIXED_TESTS = ("dg", "regression")


def specification(
    test: str | CITest | Callable[..., Any], alpha: float | None, threshold: float | Sequence[float] | None
) -> CITest:
    """Return the specification that ``test`` stands for."""
    if isinstance(test, type):
        raise InvalidParameterError(f"test is the class {test.__name__}; give an instance, such as {test.__name__}()")
    if not isinstance(test, str):
        if threshold is not None or (alpha is not None and hasattr(test, "bind")):
            raise InvalidParameterError(
                "alpha and threshold belong to the test's own specification here: set them there"
            )
        if hasattr(test, "bind"):
            return test
        test = function_of(test) or test
        if not callable(test):
            raise InvalidParameterError(f"test is {test!r}; give a name, a specification or a function")
        return CustomTest(test) if alpha is None else CustomTest(test, alpha)
    if threshold is not None and test != "mi":
        raise InvalidParameterError(f"threshold belongs to the test 'mi'; the test {test!r} has alpha")
    if test == "mi":
        if isinstance(threshold, Sequence):
            raise InvalidParameterError(f"threshold is {threshold!r}; give one amount of information in nats")
        return MutualInformation() if threshold is None else MutualInformation(threshold)
    foreign = named_function(test)
    if foreign is not None:
        return CustomTest(foreign) if alpha is None else CustomTest(foreign, alpha)
    specs: dict[str, Callable[..., CITest]] = {
        "fisher-z": FisherZ,
        "dg": DegenerateGaussian,
        "regression": RegressionTest,
        "g": GTest,
        "chi2": ChiSquareTest,
    }
    return specs[test]() if alpha is None else specs[test](alpha)


def chosen_test(table: Table, settings: Settings) -> str:
    """Return the test that ``auto`` stands for: told from the columns."""
    if table.ordinal or len(set(table.kinds)) > 1:
        return settings.mixed_test
    return settings.discrete_test if table.kinds[0] is Kind.DISCRETE else settings.continuous_test
