"""scikit-learn's own checks of an estimator, on discrete data and on continuous data."""

import pytest
import sklearn
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_dataframe_column_names_consistency, parametrize_with_checks
from sklearn.utils.fixes import parse_version

from hccd import HCCD, FisherZ

# The checks make tiny tables, some with constant or repeated columns: the warnings about them are right.
pytestmark = pytest.mark.filterwarnings("ignore::hccd.errors.DataWarning")

# HCCD() takes categories, so scikit-learn tests it with whole numbers; HCCD("fisher-z") does not and gets fractions.
DISCRETE, CONTINUOUS = HCCD(), HCCD("fisher-z")


def expected_failures(estimator):
    """Each check that must fail, with the reason; a check that passes all the same is reported as an error."""
    failures = {}
    if estimator.test == "fisher-z":
        failures["check_dtype_object"] = (
            "a dictionary in a cell must be a TypeError for the check; here whatever is wrong with the data is an "
            "InvalidDataError, which is a ValueError, and the message names the column"
        )
    elif parse_version(sklearn.__version__) < parse_version("1.7.1"):
        failures["check_positive_only_tag_during_fit"] = (
            "the check itself subtracts a fraction from whole numbers in place, for any estimator that takes categories"
        )
    return failures


@parametrize_with_checks([DISCRETE, CONTINUOUS], expected_failed_checks=expected_failures)
def test_scikit_learn_check(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", [DISCRETE, CONTINUOUS], ids=["discrete", "continuous"])
def test_column_names_are_tracked_as_scikit_learn_does(estimator):
    # Not among the checks that are handed out, though every estimator of scikit-learn itself must pass it.
    check_dataframe_column_names_consistency("HCCD", estimator)


@pytest.mark.parametrize(
    ("test", "takes_text"),
    [("auto", True), ("g", True), ("mi", True), ("fisher-z", False), (FisherZ(0.05), False), (len, True)],
)
def test_tags_say_what_the_test_takes(test, takes_text):
    tags = get_tags(HCCD(test))
    assert tags.input_tags.categorical is takes_text
    assert tags.input_tags.string is takes_text
    assert tags.input_tags.dict
    assert not tags.input_tags.sparse
    assert tags.input_tags.allow_nan
    assert not tags.target_tags.required
    assert tags.requires_fit
    assert not tags.no_validation
    assert not tags.non_deterministic
