"""Options that decide the skeleton: the test, the method, the clusters, and what is known of the graph."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from numbers import Real
from os import PathLike
from typing import TYPE_CHECKING, Annotated, Any, Literal

from hccd.choices import (
    BASELINE_SYNONYMS,
    BASELINES,
    CORRECTIONS,
    METHODS,
    MISSINGS,
    PRESETS,
    REFINES,
    TEST_SYNONYMS,
    TESTS,
    Correction,
    Missing,
    Refine,
)
from hccd.run.option import Flag, Option, from_zero, is_instance_with, number_or_auto, order_option, whole_number

if TYPE_CHECKING:
    from hccd.baselines import Baseline
    from hccd.clustering import ClusterTree, SpectralSplitter
    from hccd.independence import CITest
    from hccd.knowledge import Knowledge


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
            fits=lambda value: isinstance(value, Mapping) or (from_zero(value) and value >= 2),
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
            fits=is_instance_with("describe"),
            wanted=f"choose one of {', '.join(BASELINES)}, or give a baseline such as PC()",
            flag=Flag("NAME"),
        ),
    ] = None
    max_order: Annotated[
        "int | Literal['none'] | None",
        order_option(
            'The size of the largest conditioning set in the skeleton search, or ``"none"`` for no limit; by default '
            "3 if a score search follows, and no limit otherwise.",
            python="A baseline of your own has its own limit.",
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
        order_option(
            'The largest conditioning set in every pass before the completeness pass at the root; ``"none"`` for '
            'no limit. By default the preset\'s: 2, and no limit for ``"paper"``.',
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
