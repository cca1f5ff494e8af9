"""``HCCD``: the method as a scikit-learn estimator.

A shell around ``discover`` and nothing more: it reads the table, calls, and hands out the fields of the result. The
graph is about the columns that it was learned from, so there is nothing to predict or to transform for other rows.
"""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from sklearn.base import BaseEstimator

from hccd.choices import TRANSFORMS, Transform
from hccd.discovery import discover
from hccd.errors import InvalidDataError
from hccd.independence import FisherZ
from hccd.run.option import Option
from hccd.run.options import GraphOptions
from hccd.run.options.work import SeedOptions, WorkOptions
from hccd.run.signature import documented
from hccd.tables import Table, as_table, own_names
from hccd.tables.checks import FEWEST_COLUMNS, FEWEST_ROWS


@documented
@dataclass(kw_only=True, eq=False, repr=False)
class HCCD(BaseEstimator, WorkOptions, SeedOptions, GraphOptions):  # type: ignore[misc]
    """Causal discovery by hierarchical clustering, as an estimator.

    Parameters
    ----------
    **options
        The fields of `hccd.run.options.GraphOptions`, ``SeedOptions`` and ``WorkOptions``, and those below.

    Attributes
    ----------
    result_ : HCCDResult
        All that was learned, with names, explanations and costs.
    graph_ : PDAG or PAG
        The learned graph.
    skeleton_ : Skeleton
        The graph without directions.
    cluster_tree_ : ClusterTree
        The clusters that were used.
    labels_ : ndarray of shape (n_features_in_,)
        For each variable the number of its leaf in the tree.
    separating_sets_ : SeparatingSets
        Mapping from each separated pair of variables, smaller number first, to the set that separates them.
    n_ci_tests_ : int
        Independence tests made.
    n_features_in_ : int
        Number of columns seen by ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns seen by ``fit``; only there when ``X`` has names and all of them are text.

    See Also
    --------
    hccd.discover : The same as a function; it also takes tests without data, such as an oracle.

    Examples
    --------
    >>> import numpy as np
    >>> from hccd import HCCD
    >>> rng = np.random.default_rng(1)
    >>> rain = rng.normal(size=500); sprinkler = rng.normal(size=500)
    >>> wet = rain + sprinkler + 0.5 * rng.normal(size=500)
    >>> learned = HCCD(alpha=0.01).fit({"rain": rain, "sprinkler": sprinkler, "wet": wet})
    >>> learned.result_.edges()
    [('rain', 'wet', 'directed'), ('sprinkler', 'wet', 'directed')]
    >>> learned.separating_sets_[0, 1]
    ()
    """

    transformation: Annotated[
        "Transform",
        Option(
            "The ``transform`` of `hccd.discover`, renamed because scikit-learn gives that name to a method.",
            choices=TRANSFORMS,
        ),
    ] = "auto"

    def fit(self, X: Any, y: object = None, sample_weight: Any = None) -> "HCCD":
        """Learn the graph of the columns of ``X``.

        Parameters
        ----------
        X : table
            A numpy array, a pandas, polars or Arrow table, a dictionary of columns or a list of rows. Rows are
            observations, columns are variables; discrete columns may hold text.
        y : None
            Not used; only because scikit-learn passes it.
        sample_weight : array of shape (n_samples,) or column, optional
            What `hccd.discover` calls ``weights``: whole numbers are counts of equal rows, others sampling weights.

        Returns
        -------
        HCCD
            The estimator itself.
        """
        table = _read(X)
        settings = self.get_params(deep=False)
        result = discover(table, transform=settings.pop("transformation"), weights=sample_weight, **settings)

        # Only now, so that a fit that fails leaves an earlier one whole.
        self.result_ = result
        self.graph_ = result.graph
        self.skeleton_ = result.skeleton
        self.cluster_tree_ = result.tree
        self.labels_ = result.tree.labels()
        self.separating_sets_ = result.separators
        self.n_ci_tests_ = int(result.tests.total)
        self.n_features_in_ = table.n_columns
        names = own_names(X)
        if names is not None and all(isinstance(name, str) for name in names):
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        numbers_only = isinstance(self.test, FisherZ) or (isinstance(self.test, str) and self.test == "fisher-z")
        tags.input_tags.categorical = tags.input_tags.string = not numbers_only
        tags.input_tags.dict = True
        tags.input_tags.allow_nan = True
        return tags


def _read(X: Any) -> Table:
    """Make a table; a refusal of nameless data also has scikit-learn's words for it, which its users look for."""
    try:
        return as_table(X)
    except InvalidDataError as refusal:
        is_array = (isinstance(X, list | tuple) or hasattr(X, "shape")) and own_names(X) is None
        words = _scikit_learn_words(X) if is_array else ""
        if not words:
            raise
        raise refusal.reworded(f"{refusal.sentence} (in scikit-learn's words: {words})") from None


def _scikit_learn_words(X: Any) -> str:
    """Return what scikit-learn's own check says about an array, without the values it quotes; nothing if it is fine."""
    from sklearn.utils.validation import check_array

    try:
        check_array(X, dtype=None, input_name="X", ensure_min_samples=FEWEST_ROWS, ensure_min_features=FEWEST_COLUMNS)
    except (TypeError, ValueError) as error:
        lines = str(error).splitlines()
        return " ".join(line for line in lines if not line.startswith(("array=", "[", " ")))
    return ""
