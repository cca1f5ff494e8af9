"""Every option of a run, declared once: the fields of groups, from which each caller takes those that concern it.

To add an option, add a field here and use it, mostly in ``settings_of``: signatures, documentation, checks, the command
line, the config file and the environment follow from the field. Types are texts, since most are slow to import.

The groups are not frozen, since ``HCCD`` is one of them, and scikit-learn changes the parameters of estimators.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from numbers import Integral, Real
from os import PathLike
from typing import TYPE_CHECKING, Annotated, Any, Literal

from hccd.choices import (
    BASELINE_SYNONYMS,
    BASELINES,
    COLLIDER_RULES,
    CONFLICT_POLICIES,
    CORRECTIONS,
    METHODS,
    MISSINGS,
    PRESETS,
    REFINES,
    SCORINGS,
    TEST_SYNONYMS,
    TESTS,
    TRANSFORMS,
    UNDIRECTED,
    ColliderRule,
    ConflictPolicy,
    Correction,
    Missing,
    Refine,
    Scoring,
    Transform,
    Undirected,
)
from hccd.progress import ProgressFunction
from hccd.run.option import Flag, Option, number_or_auto, whole_number

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from hccd.baselines import Baseline
    from hccd.checkpoint import Checkpoint
    from hccd.clustering import ClusterTree, SpectralSplitter
    from hccd.independence import CITest
    from hccd.knowledge import Knowledge
    from hccd.run.seed import RandomSource

_ORDER = "give a whole number from 0, or 'none' for no limit"


def _from_zero(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 0


def _is_random_source(value: Any) -> bool:
    # Told by what it offers: numpy is slow to import.
    return _from_zero(value) or any(callable(getattr(value, name, None)) for name in ("integers", "randint"))


def _number_or_word(text: str) -> int | str:
    return whole_number(text) if text.lstrip("+-")[:1].isdigit() else text


def _is_instance_with(method: str) -> Callable[[Any], bool]:
    return lambda value: not isinstance(value, type) and callable(getattr(value, method, None))


@dataclass(init=False, eq=False, repr=False)
class TestOptions:
    """Which independence test."""

    test: Annotated[
        "str | CITest | Callable[..., Any]",
        Option(
            'The independence test: ``"fisher-z"`` for continuous data; ``"g"``, ``"chi2"`` or ``"mi"`` (mutual '
            'information and a threshold) for discrete data; ``"dg"`` (degenerate Gaussian) or ``"regression"`` '
            '(likelihood ratios) for mixed data; ``"kci"``, ``"pdcorr"`` and ``"cmiknn"`` of other packages for '
            'continuous data; ``"auto"`` chooses by the columns.',
            python="Or a specification such as ``FisherZ(alpha=0.01)``, a function ``f(data, x, y, given)`` that "
            "returns a p-value, or a test object of tigramite or hyppo.",
            kind="str, specification or function",
            choices=TESTS,
            synonyms=TEST_SYNONYMS,
            wanted=f"choose one of {', '.join(TESTS)} ('auto' chooses by the columns)",
            fits=lambda value: not isinstance(value, str),
            flag=Flag(),
        ),
    ] = "auto"
    _: KW_ONLY
    alpha: Annotated[
        "float | Literal['auto'] | None",
        Option(
            'Significance level of ``"fisher-z"``, ``"dg"``, ``"g"`` and ``"chi2"``, between 0 and 1; by default 0.01 '
            'for ``"fisher-z"`` and ``"dg"``, 0.05 for ``"g"`` and ``"chi2"``. ``"auto"`` chooses the level whose '
            "graphs predict held-out rows best.",
            python="Also for a test function of your own, with the default 0.01.",
            kind='float or "auto"',
            choices=("auto",),
            fits=lambda value: isinstance(value, Real) and 0.0 < float(value) < 1.0,
            wanted="give a number between 0 and 1, for example 0.01, or 'auto'",
            flag=Flag("A", number_or_auto),
        ),
    ] = None
    threshold: Annotated[
        "float | Sequence[float] | None",
        Option(
            'For ``"mi"``: the mutual information, in nats, up to which variables count as independent; by default '
            '0.015, and with the preset ``"paper"`` the one of a list whose graph has the highest BDeu score.',
            python="From a list, the best value is chosen in the same way.",
            kind="float or sequence of float",
            fits=lambda value: not isinstance(value, Real) or 0.0 <= float(value) < math.inf,
            wanted="give an amount of information in nats, for example 0.015",
            flag=Flag("T", float),
        ),
    ] = None
    discrete: Annotated[
        "Iterable[object] | str",
        Option(
            'Columns to treat as discrete with ``test="auto"``, whatever they hold: names, ranges ``"first:last"``, '
            "positions.",
            kind="columns",
        ),
    ] = ()
    continuous: Annotated[
        "Iterable[object] | str",
        Option(
            'Columns to treat as continuous with ``test="auto"``, in the same way.',
            kind="columns",
        ),
    ] = ()
    ordinal: Annotated[
        "Iterable[object] | str",
        Option(
            'Columns whose numbers are ordered states, in the same way; for the test ``"dg"``, which ``"auto"`` then '
            "chooses.",
            kind="columns",
        ),
    ] = ()
    discretize: Annotated[
        "Mapping[str, int] | int | None",
        Option(
            'Group the numbers of columns into classes of about equal size: ``{"age": 4}`` makes four classes of one '
            "column, a number alone does so for all continuous columns.",
            kind="dict or int",
            fits=lambda value: isinstance(value, Mapping) or (_from_zero(value) and value >= 2),
            wanted="give a number of classes from 2, or one for each column, such as {'age': 4}",
        ),
    ] = None


@dataclass(init=False, kw_only=True, eq=False, repr=False)
class MethodOptions(TestOptions):
    """How the skeleton is learned, as far as it decides what that costs."""

    missing: Annotated[
        "Missing",
        Option(
            'How to handle missing cells: ``"em"`` estimates the covariances of continuous and mixed columns from all '
            'rows; ``"testwise"`` makes each test with the rows that are complete in its columns; ``"impute"`` imputes '
            'each cell ten times from the other cells of its row; ``"rows"`` drops incomplete rows; ``"refuse"`` stops '
            'with an error. ``"auto"`` is ``"testwise"`` if all columns are discrete or the test is ``"regression"``, '
            'and ``"em"`` otherwise.',
            choices=MISSINGS,
            wanted=f"choose one of {', '.join(MISSINGS)} (the option na names the cells that mean no value)",
            flag=Flag(),
        ),
    ] = "auto"
    method: Annotated[
        "str",
        Option(
            '``"hccd"``: hierarchical clusters; ``"pc"``: no clusters; ``"flat"``: one level of four clusters; '
            '``"tscb"``: the same without the completeness pass; ``"not-c"``: completeness pass at the root only; '
            '``"score"``: no clusters, and a score search instead of tests.',
            python="All but the last are columns of the paper's tables.",
            choices=METHODS,
            flag=Flag(),
        ),
    ] = "hccd"
    preset: Annotated[
        "str",
        Option(
            '``"default"``: the most accurate settings; ``"paper"``: those of the authors.',
            choices=PRESETS,
            flag=Flag(),
        ),
    ] = "default"
    correction: Annotated[
        "Correction | None",
        Option(
            'The correction of unconditional tests for multiple testing. ``"fdr"``: ``alpha`` is the false discovery '
            'rate among all pairs; ``"none"``: it is the level of each test. By default ``"fdr"``, and ``"none"`` '
            'with the preset ``"paper"``.',
            choices=CORRECTIONS,
        ),
    ] = None
    baseline: Annotated[
        "str | Baseline | None",
        Option(
            "The algorithm that learns inside the clusters, by default the preset's PC: "
            f"{', '.join(BASELINES)} (docs/ALGORITHMS.md). "
            '``"score"`` is the score search of this package; the names ``hc``, ``ges`` and ``boss`` select it as '
            "well.",
            python="Or a baseline of your own, or PC with other settings, such as ``PC(stable=False)``; its own "
            "``max_order`` then applies.",
            kind="str or Baseline",
            choices=BASELINES,
            synonyms=BASELINE_SYNONYMS,
            fits=_is_instance_with("describe"),
            wanted=f"choose one of {', '.join(BASELINES)}, or give a baseline such as PC()",
            flag=Flag("NAME"),
        ),
    ] = None
    max_order: Annotated[
        "int | Literal['none'] | None",
        Option(
            'The size of the largest conditioning set in the skeleton search, or ``"none"`` for no limit; by default '
            "3 if a score search follows, and no limit otherwise.",
            python="A baseline of your own has its own limit.",
            kind='int or "none"',
            choices=("none",),
            fits=_from_zero,
            wanted=_ORDER,
            flag=Flag("K", lambda text: text if text == "none" else whole_number(text)),
        ),
    ] = None


@dataclass(init=False, kw_only=True, eq=False, repr=False)
class TreeOptions(MethodOptions):
    """Which clusters, and what is done in them."""

    tree: Annotated[
        "ClusterTree | Sequence[Any] | None",
        Option(
            'Clusters to use instead of computed ones, such as ``[["A", "B"], ["C", ["D", "E"]]]``.',
            kind="ClusterTree or nested lists",
        ),
    ] = None
    splitter: Annotated[
        "SpectralSplitter | None",
        Option(
            "How to compute the clusters; by default as in the method and the preset.",
            kind="SpectralSplitter",
        ),
    ] = None
    refine: Annotated[
        "Refine | None",
        Option(
            "Where the completeness pass (line 18 of the paper's algorithm) is made: at each level of clusters, at the "
            "root only, or never; by default as in the method.",
            choices=REFINES,
        ),
    ] = None
    inner_order: Annotated[
        "int | Literal['none'] | None",
        Option(
            'The largest conditioning set in every pass before the completeness pass at the root; ``"none"`` for '
            'no limit. By default the preset\'s: 2, and no limit for ``"paper"``.',
            kind='int or "none"',
            choices=("none",),
            fits=_from_zero,
            wanted=_ORDER,
        ),
    ] = None


@dataclass(init=False, kw_only=True, eq=False, repr=False)
class KnowledgeOptions:
    """What is known of the graph."""

    knowledge: Annotated[
        "Knowledge | Mapping[str, Any] | str | PathLike[str] | None",
        Option(
            "Background knowledge about the graph, in a file: tiers, forbidden and required edges, roots, "
            "leaves (TOML, JSON, CSV or Tetrad's format).",
            python="Or a ``Knowledge``, or causal-learn's ``BackgroundKnowledge``.",
            kind="Knowledge or file",
            flag=Flag("FILE"),
        ),
    ] = None
    tiers: Annotated[
        "Sequence[Any] | None",
        Option(
            "The columns of one tier; tiers are in the order of time or of causation, the earliest first: no arrow "
            "points to an earlier tier.",
            python="A list of tiers, each a list of columns.",
            kind="sequence of columns",
            fits=lambda value: isinstance(value, Iterable) and not isinstance(value, str),
            wanted="give a list of tiers, such as [['age', 'sex'], ['bmi']]",
            flag=Flag("COLUMNS", name="tier", several=True),
        ),
    ] = None


@dataclass(init=False, kw_only=True, eq=False, repr=False)
class DirectionOptions:
    """How edges get their directions."""

    colliders: Annotated[
        "ColliderRule | None",
        Option(
            "Which conditioning sets decide whether a triple is a collider: see ``hccd.orientation.colliders``. By "
            "default the "
            'preset\'s: ``"conservative"``, and ``"separating-set"`` for ``"paper"``.',
            choices=COLLIDER_RULES,
        ),
    ] = None
    collider_order: Annotated[
        "int | Literal['none'] | None",
        Option(
            'The largest set that ``"conservative"``, ``"majority"`` and ``"max-p-full"`` test, besides the one '
            'that separated the pair; ``"none"`` for no limit. By default the preset\'s: 1, and no limit for '
            '``"paper"``.',
            kind='int or "none"',
            choices=("none",),
            fits=_from_zero,
            wanted=_ORDER,
        ),
    ] = None
    conflicts: Annotated[
        "ConflictPolicy | None",
        Option(
            'Which of two contradictory colliders is kept. ``"strongest"``: the one whose outer variables are most '
            'dependent given a set with the collider; ``"first"``: the first; ``"undirected"``: neither. By default '
            'the preset\'s: ``"strongest"``, and ``"undirected"`` for ``"paper"``.',
            choices=CONFLICT_POLICIES,
        ),
    ] = None
    undirected: Annotated[
        "Undirected",
        Option(
            'What to do with edges whose direction the independences leave open: ``"keep"`` leaves them undirected; '
            '``"lingam"`` directs them where the noise is not normal, for continuous columns and linear effects.',
            python="Such an arrow has the reason ``lingam`` in ``result.reasons``.",
            choices=UNDIRECTED,
            flag=Flag(),
        ),
    ] = "keep"


@dataclass(init=False, kw_only=True, eq=False, repr=False)
class HiddenOptions:
    """How far FCI looks for what separates two variables if there are hidden ones."""

    dsep_order: Annotated[
        "int | Literal['auto', 'none'] | None",
        Option(
            'For the baseline ``"fci"``: the largest possible-d-sep set that is tested; ``"none"`` for no limit. '
            'By default ``"auto"``: for each pair the largest for which there are at most 1,000 sets.',
            kind='int, "auto" or "none"',
            choices=("auto", "none"),
            fits=_from_zero,
            wanted="give the largest number of variables to condition on, or auto, or none",
            flag=Flag("K", _number_or_word),
        ),
    ] = None
    dsep_length: Annotated[
        "int | None",
        Option(
            'For the baseline ``"fci"``: the longest path, in edges, that leads to a variable of a possible-d-sep set; '
            "by default there is no limit. With thousands of variables 3 keeps these sets small.",
            kind="int",
            fits=lambda value: isinstance(value, Integral) and value >= 1,
            wanted="give a number of edges from 1",
            flag=Flag("N", whole_number),
        ),
    ] = None


@dataclass(init=False, kw_only=True, eq=False, repr=False)
class ScoreOptions:
    """What follows the tests."""

    scoring: Annotated[
        "Scoring | None",
        Option(
            'The score of the score search, which starts from the graph of the tests: ``"bic"`` for continuous data, '
            '``"bd"`` (Bayesian Dirichlet) for discrete data, ``"auto"`` by the columns, ``"none"`` for no score '
            'search. By default ``"auto"`` for the method ``"hccd"`` of the preset ``"default"``, else ``"none"``.',
            python="The paper's theorems are about the tests alone. ``result.score`` describes what the score search "
            "did, and holds the graph of the tests.",
            choices=SCORINGS,
            flag=Flag(),
        ),
    ] = None
    price: Annotated[
        "float | Literal['auto'] | None",
        Option(
            "Penalty for each edge on top of the score's own penalty, in nats; by default it depends on the numbers of "
            'rows and columns. ``"auto"`` chooses the one whose graphs predict held-out rows best.',
            python="``result.score.price`` is the value that was used.",
            kind='float or "auto"',
            choices=("auto",),
            fits=lambda value: isinstance(value, Real) and 0.0 <= float(value) < math.inf,
            wanted="give a number from 0, for example 3, or 'auto'",
            flag=Flag("P", number_or_auto),
        ),
    ] = None


@dataclass(init=False, kw_only=True, eq=False, repr=False)
class ValueOptions:
    """What is done to the values; not for ``HCCD``, which scikit-learn would take for a transformer by this name."""

    transform: Annotated[
        "Transform",
        Option(
            'The transform of continuous columns before correlations: ``"none"``; ``"trim"`` drops rows that are far '
            'from all others; ``"trim-cells"`` replaces single cells that the rest of their row contradicts; '
            '``"normal-scores"`` and ``"ranks"`` use only the order of the values; ``"log"`` takes '
            'logarithms; ``"curves"`` adds squares and cubes, with the test ``"dg"``. ``"auto"`` chooses by the data, '
            'but never ranks or logarithms; with the preset ``"paper"`` it is ``"none"``.',
            choices=TRANSFORMS,
            flag=Flag(),
        ),
    ] = "auto"
    weights: Annotated[
        "str | int | ArrayLike | None",
        Option(
            "Weights of the rows: a column, which is then not a variable of the graph. Whole numbers are counts of "
            "equal rows; other numbers are sampling weights, and the effective number of rows is used.",
            python="Or one number for each row.",
            kind="column or array",
            flag=Flag("COLUMN"),
        ),
    ] = None


@dataclass(init=False, kw_only=True, eq=False, repr=False)
class NameOptions:
    """What variables are called."""

    names: Annotated[
        "Sequence[str] | None",
        Option(
            "Names of the variables, if ``data`` has none.",
            kind="sequence of str",
        ),
    ] = None


@dataclass(init=False, kw_only=True, eq=False, repr=False)
class SeedOptions:
    """What is left to chance."""

    seed: Annotated[
        "int | None",
        Option(
            "Seed of the random numbers: resamples, and k-means for splits into more than two clusters; by default 0.",
            kind="int",
            fits=_from_zero,
            wanted="give a whole number from 0",
            flag=Flag("N", whole_number, default="0"),
        ),
    ] = None
    random_state: Annotated[
        "RandomSource",
        Option(
            "Another name of ``seed``. None means 0, so that a run can be repeated. A generator gives a new seed each "
            "time.",
            kind="int, RandomState, Generator or None",
            fits=_is_random_source,
            wanted="give a whole number from 0, None, or a numpy RandomState or Generator",
        ),
    ] = None


@dataclass(init=False, kw_only=True, eq=False, repr=False)
class ConfidenceOptions:
    """How sure each edge is."""

    bootstrap: Annotated[
        "int | Literal['auto', 'none']",
        Option(
            'Number of resamples of the rows, from which the probability of each edge is estimated; ``"auto"`` draws '
            '100 if that takes no more than a few seconds, ``"none"`` or 0 draws none.',
            python="The probabilities are in ``result.confidence``.",
            kind='int, "auto" or "none"',
            choices=("auto", "none"),
            fits=_from_zero,
            wanted="give the number of resamples, such as 100, or auto, or none",
            flag=Flag("N", _number_or_word),
        ),
    ] = "auto"


@dataclass(init=False, kw_only=True, eq=False, repr=False)
class WorkOptions:
    """How the work is done, which does not change the result."""

    n_jobs: Annotated[
        "int | None",
        Option(
            "Number of workers; -1 for one on each core. The result is the same.",
            python="None means one, or the number in joblib's ``parallel_config``.",
            kind="int",
            fits=lambda value: isinstance(value, Integral) and value != 0,
            wanted="give the number of workers, or -1 for one on each core",
            flag=Flag("N", whole_number, name="jobs", default="1"),
        ),
    ] = None
    client: Annotated[
        "Any",
        Option(
            "Address of a Dask scheduler, such as ``tcp://10.0.0.5:8786``: its workers get resamples of the rows, "
            "tests in Python, and whole clusters of variables; the result is the same.",
            python="Or a ``dask.distributed.Client``. By default the active client, if there is one and ``n_jobs`` is "
            "not given.",
            kind="str or distributed.Client",
            fits=lambda value: (isinstance(value, str) and value != "") or _is_instance_with("scatter")(value),
            wanted="give a dask.distributed.Client or the address of a scheduler, such as 'tcp://10.0.0.5:8786'",
            flag=Flag("ADDRESS", name="dask"),
        ),
    ] = None
    log: Annotated[
        "str | PathLike[str] | None",
        Option(
            "A file to which a log is appended, one JSON object in each line: stages, levels, clusters of variables "
            "and saved states, with tests, seconds and bytes.",
            kind="path",
            fits=lambda value: isinstance(value, str | PathLike),
            wanted="give the name of a file",
            flag=Flag("FILE"),
        ),
    ] = None
    progress: Annotated[
        "bool | ProgressFunction | None",
        Option(
            "True shows a bar on the terminal or in the notebook, with the time that is left. Or a function that is "
            "called with a ``Progress`` event at every step.",
            kind="bool or callable",
            fits=lambda value: isinstance(value, bool) or callable(value),
            wanted="give True, or a function that takes an event",
        ),
    ] = None
    verbose: Annotated[
        "bool | int",
        Option(
            "True prints a line when a stage of the run begins.",
            kind="bool",
            fits=lambda value: isinstance(value, Integral) and value >= 0,
            wanted="give True or False",
        ),
    ] = False
    checkpoint: Annotated[
        "Checkpoint | None",
        Option(
            'Where the state of the run is saved regularly, such as ``hccd.CheckpointFolder("folder")``; a run '
            "with the same data and settings continues from there.",
            kind="Checkpoint",
            fits=_is_instance_with("resume"),
            wanted="give one such as CheckpointFolder('folder')",
        ),
    ] = None


@dataclass(init=False, kw_only=True, eq=False, repr=False)
class GraphOptions(ConfidenceOptions, ScoreOptions, HiddenOptions, DirectionOptions, KnowledgeOptions, TreeOptions):
    """What decides the graph, apart from the data and from chance."""


@dataclass(kw_only=True, eq=False, repr=False)
class Options(WorkOptions, SeedOptions, NameOptions, ValueOptions, GraphOptions):
    """The arguments of `hccd.discover`, apart from the data: all there are."""


@dataclass(kw_only=True, eq=False, repr=False)
class SkeletonOptions(WorkOptions, SeedOptions, NameOptions, ValueOptions, KnowledgeOptions, TreeOptions):
    """The arguments of `hccd.learn_skeleton`: those that do not concern directions."""


@dataclass(kw_only=True, eq=False, repr=False)
class CheckOptions(NameOptions, ValueOptions, ConfidenceOptions, ScoreOptions, KnowledgeOptions, MethodOptions):
    """The arguments of `hccd.check_data`: those that decide what is found about a table, and what learning costs."""

    estimate: Annotated[
        "bool",
        Option(
            "Whether to estimate tests and time.",
            kind="bool",
        ),
    ] = True
