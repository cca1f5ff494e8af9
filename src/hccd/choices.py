"""The words to choose from, of every option that has some; nothing is imported, so that ``hccd --help`` is quick.

What they mean is told where they are followed: methods and presets in ``hccd.run.settings``, collider rules and
conflicts in ``hccd.orientation``, transforms in ``hccd.independence.transforms``.
"""

from __future__ import annotations

from typing import Literal, get_args

Test = Literal["auto", "fisher-z", "g", "chi2", "mi", "dg", "regression", "kci", "pdcorr", "cmiknn"]
Method = Literal["hccd", "pc", "flat", "tscb", "not-c", "score"]
Preset = Literal["default", "paper"]
NamedBaseline = Literal[
    "pc", "cpc", "mpc", "pc-max", "fci", "rfci", "rai", "b-rai", "mmpc", "mmhc", "score", "causal-learn-pc",
    "causal-learn-fci",
]  # fmt: skip
Correction = Literal["none", "fdr"]
Refine = Literal["each", "root", "never"]
ColliderRule = Literal["separating-set", "max-p", "max-p-full", "conservative", "majority"]
ConflictPolicy = Literal["strongest", "first", "undirected"]
Undirected = Literal["keep", "lingam"]
Scoring = Literal["auto", "none", "bic", "bd"]
Missing = Literal["auto", "testwise", "em", "impute", "rows", "refuse"]
Transform = Literal["auto", "none", "trim", "trim-cells", "normal-scores", "ranks", "log", "curves"]

TESTS: tuple[str, ...] = get_args(Test)
#: What other programs call the tests, without signs and capitals.
TEST_SYNONYMS = {
    "fisherz": "fisher-z",
    "partialcorrelation": "fisher-z",
    "parcorr": "fisher-z",
    "correlation": "fisher-z",
    "pearson": "fisher-z",
    "pearsonr": "fisher-z",
    "gaussian": "fisher-z",
    "gausscitest": "fisher-z",
    "zf": "fisher-z",
    "gsq": "g",
    "g2": "g",
    "gsquare": "g",
    "gsquared": "g",
    "gtest": "g",
    "discitest": "g",
    "chisq": "chi2",
    "chisquare": "chi2",
    "chisquared": "chi2",
    "x2": "chi2",
    "mutualinformation": "mi",
    "degenerategaussian": "dg",
    "dglrt": "dg",
    "lrt": "regression",
    "likelihoodratio": "regression",
    "mixedlrt": "regression",
    "kernelci": "kci",
    "partialdcorr": "pdcorr",
    "cmi": "cmiknn",
}
METHODS: tuple[str, ...] = get_args(Method)
PRESETS: tuple[str, ...] = get_args(Preset)
BASELINES: tuple[str, ...] = get_args(NamedBaseline)
#: What other programs and papers call them, without signs and capitals.
BASELINE_SYNONYMS = {
    "pcstable": "pc",
    "conservativepc": "cpc",
    "majoritypc": "mpc",
    "majorityrulepc": "mpc",
    "hc": "score",
    "hillclimbing": "score",
    "ges": "score",
    "boss": "score",
}
CORRECTIONS: tuple[str, ...] = get_args(Correction)
REFINES: tuple[str, ...] = get_args(Refine)
COLLIDER_RULES: tuple[str, ...] = get_args(ColliderRule)
CONFLICT_POLICIES: tuple[str, ...] = get_args(ConflictPolicy)
UNDIRECTED: tuple[str, ...] = get_args(Undirected)
SCORINGS: tuple[str, ...] = get_args(Scoring)
MISSINGS: tuple[str, ...] = get_args(Missing)
TRANSFORMS: tuple[str, ...] = get_args(Transform)
