"""The choices behind a run as one value, and the named sets of them: methods and presets.

A *method* is a column of the paper's tables. All of them are the same algorithm with another tree or another place
for the completeness pass:

========  ==============================  =================
method    tree                            refine (line 18)
========  ==============================  =================
hccd      clusters within clusters        at each level
not-c     clusters within clusters        at the root only
flat      one level of four clusters      at each level
tscb      one level of four clusters      never
pc        one cluster                     (none needed)
score     one cluster                     (none needed)
========  ==============================  =================

``score`` is not in the paper: a search by a score instead of tests, which a conjecture there is about.

A *preset* says how the rest is done: ``default`` is what measures best, ``paper`` what the authors did, as far as can
be told. What measures best is ``hccd`` with a search by a score from its graph on (docs/ACCURACY.md); no other method
and preset has one unless it is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from hccd.baselines import PC, Baseline
from hccd.choices import ColliderRule, ConflictPolicy, Correction, Refine, Scoring, Undirected
from hccd.clustering import FixedK, SpectralSplitter
from hccd.errors import InvalidParameterError
from hccd.run.named_baselines import NAMED, with_limit
from hccd.run.option import shared_options
from hccd.run.options import GraphOptions


@dataclass(frozen=True)
class Settings:
    """Everything that decides the result, apart from the data, the test and the seed.

    ``splitter`` None means one cluster. ``discrete_test``, ``continuous_test`` and ``mixed_test``
    are what ``auto`` stands for.
    ``thresholds`` is the grid of which ``mi`` takes the best by BDeu if no threshold is given; empty: the test's own.
    ``scoring`` is the score of the search that starts from the graph of the tests; where there is one, tests
    condition on at most ``scored_order`` variables, and what larger sets have to say is left to the score. It adds no
    edges to those of the tests if ``score_within_skeleton``. ``score_alone``: the score is what learns, cluster by
    cluster, and tests are those of order 0. ``named`` is the name that the baseline was asked for by. ``pag`` is what
    allows for hidden variables at the end; ``dsep_order`` and ``dsep_length`` bound FCI's possible-d-sep sets and the
    paths to them.
    """

    correction: Correction
    splitter: SpectralSplitter | None
    refine: Refine
    inner_order: int | None
    baseline: Baseline
    colliders: ColliderRule
    collider_order: int | None
    conflicts: ConflictPolicy
    discrete_test: str
    continuous_test: str
    mixed_test: str = "dg"
    thresholds: tuple[float, ...] = ()
    scoring: Scoring = "none"
    undirected: Undirected = "keep"
    scored_order: int | None = None
    score_within_skeleton: bool = False
    score_alone: bool = False
    named: str | None = None
    pag: Literal["fci", "rfci"] | None = None
    dsep_order: int | Literal["auto"] | None = "auto"
    dsep_length: int | None = None

    def described_baseline(self) -> dict[str, object]:
        """Return the baseline with its settings as plain data, for the record of a run."""
        return {**self.baseline.describe(), **({} if self.named is None else {"name": self.named})}

    def before(self, score: str | None) -> Settings:
        """Return the settings of tests that this score follows, or none: their sets are limited where one does."""
        if score is None or self.scored_order is None:
            return self
        return replace(self, baseline=with_limit(self.baseline, self.scored_order))


DEFAULT = Settings(
    correction="fdr",
    splitter=SpectralSplitter(rule=FixedK(2), min_size=10),
    refine="each",
    inner_order=2,
    baseline=PC(stable=True, ordering="strength"),
    colliders="conservative",
    collider_order=1,
    conflicts="strongest",
    discrete_test="g",
    continuous_test="fisher-z",
    scoring="auto",
    scored_order=3,
)

#: The range that the authors' programs search.
AUTHORS_THRESHOLDS = (0.01, 0.0109, 0.0119, 0.0129, 0.0139, 0.0149, 0.0159, 0.0169, 0.0179, 0.0189, 0.0199)
#: With 500 rows and variables of many states all of the above join most pairs: the grid goes on upwards.
HIGHER_THRESHOLDS = (
    0.022, 0.025, 0.03, 0.035, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1, 0.12, 0.16, 0.24, 0.32, 0.48, 0.64, 0.9, 1.2, 1.5,
    2.0, 3.0,
)  # fmt: skip

PAPER = Settings(
    correction="none",
    # Appendix B2, the one place where the paper says it: k' = k = 2 and one recursive call, so four clusters. Equal
    # halves (Shi and Malik's median) are not in its text, but of all trees of four clusters they are the closest to
    # its table 3; what else was tried is in docs/lab/RESULTS_TABLES.md.
    splitter=SpectralSplitter(rule=FixedK(2), max_depth=2, min_size=3, screen=False, min_fraction=0.5),
    refine="each",
    inner_order=None,
    baseline=PC(stable=False, ordering="column"),
    colliders="separating-set",
    collider_order=None,
    conflicts="undirected",
    discrete_test="mi",
    continuous_test="fisher-z",
    thresholds=(*AUTHORS_THRESHOLDS, *HIGHER_THRESHOLDS),
)


def settings_of(options: GraphOptions) -> Settings:
    """Return the settings of method and preset, with single choices replaced; refuse what does not go together."""
    if options.method in ("pc", "score") and (options.tree is not None or options.splitter is not None):
        instead = "baseline 'score'" if options.method == "score" else "method 'hccd'"
        raise InvalidParameterError(
            f"method {options.method!r} has one cluster: leave out tree and splitter, or choose {instead}"
        )
    if options.splitter is not None:
        if not isinstance(options.splitter, SpectralSplitter):
            raise InvalidParameterError(f"splitter is {options.splitter!r}; give a SpectralSplitter")
        options.splitter.check()
    own = not isinstance(options.baseline, str | PC | None)
    if own and not callable(getattr(options.baseline, "learn", None)):
        raise InvalidParameterError(f"baseline is {options.baseline!r}; give a baseline such as PC()")
    given = {name: value for name, value in shared_options(options, Settings).items() if value is not None}
    given |= {name: None for name in ("inner_order", "collider_order", "dsep_order") if given.get(name) == "none"}
    settings = settings_for(options.method, options.preset)
    if isinstance(options.baseline, str):
        settings = with_named(settings, given.pop("baseline"))
    if options.max_order is not None:
        if "baseline" in given:
            raise InvalidParameterError("max_order and baseline are both given: set the limit in the baseline")
        given["baseline"] = with_limit(settings.baseline, None if options.max_order == "none" else options.max_order)
    if settings.score_alone:
        _refuse_for_score(options)
    if "baseline" in given:
        # A limit of the caller's own holds whether a score follows or not.
        given["scored_order"] = None
    settings = replace(settings, **given)
    validate = getattr(settings.baseline, "validate", None)
    if validate is not None:
        validate()
    _refuse_beside(settings, options)
    return settings


def _refuse_beside(settings: Settings, options: GraphOptions) -> None:
    """Refuse what cannot be had together with a PAG, and what only FCI has without it."""
    if settings.pag != "fci" and (options.dsep_order is not None or options.dsep_length is not None):
        raise InvalidParameterError("dsep_order and dsep_length are for the baseline 'fci': leave them out")
    if settings.pag is None:
        return
    because = f"with the baseline {settings.named!r}, whose graph allows for hidden causes"
    if settings.scoring != "none":
        raise InvalidParameterError(f"there is no score search {because}: leave out scoring {settings.scoring!r}")
    if options.knowledge is not None or options.tiers is not None:
        raise InvalidParameterError(f"knowledge cannot be used {because}: leave out knowledge and tiers")
    if settings.undirected != "keep":
        raise InvalidParameterError(f"undirected {settings.undirected!r} cannot be used {because}: leave it out")
    if options.bootstrap not in ("auto", "none", 0):
        raise InvalidParameterError(f"there is no resampling {because}: leave out bootstrap")


def _refuse_for_score(options: GraphOptions) -> None:
    """Refuse what has no meaning where a score learns the graph by itself."""
    if options.preset == "paper":
        raise InvalidParameterError("a score search without tests is not in the paper: choose preset 'default'")
    if options.method == "score" and options.baseline not in (None, "score"):
        raise InvalidParameterError(
            "method 'score' is a baseline in one cluster: leave out baseline, or choose method 'pc'"
        )
    if options.scoring == "none":
        raise InvalidParameterError("scoring is 'none', but 'score' is a score search: leave one of them out")
    for name in ("max_order", "inner_order", "colliders", "collider_order", "conflicts"):
        if getattr(options, name) is not None:
            raise InvalidParameterError(f"{name} applies to conditional tests, but 'score' makes none: leave it out")


def with_named(settings: Settings, name: str) -> Settings:
    """Return the settings with what the name of a baseline stands for."""
    return replace(settings, **NAMED[name], named=name)


def settings_for(method: str, preset: str) -> Settings:
    """Return the settings of a method under a preset."""
    base = DEFAULT if preset == "default" else PAPER
    assert base.splitter is not None
    four = replace(base.splitter, rule=FixedK(4), max_depth=1)
    # The others are there to be compared with the paper's, which have no score.
    tested = replace(base, scoring="none")
    return {
        "hccd": base,
        "pc": replace(tested, splitter=None),
        "flat": replace(tested, splitter=four),
        "tscb": replace(tested, splitter=four, refine="never"),
        "not-c": replace(tested, refine="root"),
        "score": with_named(replace(base, splitter=None), "score"),
    }[method]


def described_splitter(splitter: SpectralSplitter | None) -> object:
    """Return the splitter's settings as plain data, for the record of a run."""
    if splitter is None:
        return "one cluster"
    rule = splitter.rule
    return {**vars(splitter), "rule": {"name": type(rule).__name__, **vars(rule)}}
