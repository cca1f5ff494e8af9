"""A run in the words of a paper: what was done, with what settings, and what to cite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hccd.graphs import PAG
from hccd.version import __version__
from hccd.wording import counted

if TYPE_CHECKING:
    from hccd.result.hccd_result import HCCDResult

BIBTEX = f"""@inproceedings{{nisimov2021hccd,
  title     = {{Improving Efficiency and Accuracy of Causal Discovery Using a Hierarchical Wrapper}},
  author    = {{Nisimov, Shami and Gurwicz, Yaniv and Rohekar, Raanan Y. and Novik, Gal}},
  booktitle = {{Workshop on Tractable Probabilistic Modeling, Conference on Uncertainty in Artificial Intelligence}},
  year      = {{2021}},
  eprint    = {{2107.05001}},
  eprinttype = {{arxiv}}
}}

@software{{hccd,
  title   = {{hccd: causal discovery by hierarchical clustering}},
  author  = {{{{The hccd authors}}}},
  version = {{{__version__}}},
  license = {{MIT}}
}}"""

_TESTS = {
    "fisher-z": "Fisher's z test of partial correlations",
    "g": "the G test of conditional independence",
    "chi2": "the chi-square test of conditional independence",
    "mi": "conditional mutual information",
    "kci": "the kernel test of conditional independence (Zhang et al. 2011)",
    "pdcorr": "partial distance correlation",
    "cmiknn": "conditional mutual information by nearest neighbours (Runge 2018)",
    "dg": "the degenerate Gaussian likelihood ratio test",
    "regression": "likelihood ratio tests of nested regressions",
    "oracle": "an oracle of d-separation",
}
_METHODS = {
    "hccd": "the hierarchical wrapper HCCD (Nisimov et al. 2021) around {}",
    "flat": "a wrapper of one level of clusters around {}",
    "tscb": "a wrapper of one level of clusters without its completeness pass around {}",
    "not-c": "the hierarchical wrapper HCCD (Nisimov et al. 2021), completed at the root only, around {}",
    "pc": "{}",
}
_TRANSFORMS = {
    "trim": "Outlying rows were left out.",
    "trim-cells": "Cells that the rest of their rows contradicts were replaced by values that fit.",
    "normal-scores": "Values were replaced by normal scores.",
    "ranks": "Values were replaced by ranks.",
    "log": "Values were replaced by their logarithms.",
    "curves": "Variables could act by their squares and cubes.",
}
_SCORES = {"bic": "the Bayesian information criterion", "bd": "a Bayesian Dirichlet score"}


def methods_text(result: HCCDResult) -> str:
    """Return the paragraph for a methods section."""
    own = result.parameters
    rows = own.get("n_samples")
    of_rows = "" if rows is None else f" from {counted(int(rows), 'row')}"
    sentences = [
        f"We learned a causal graph of {counted(len(result.names), 'variable')}{of_rows} with hccd {__version__}, by "
        f"{_method(result)}.",
        "" if _without_tests(result) else _tested(own),
        _TRANSFORMS.get(str(own.get("transform")), ""),
        "Background knowledge restricted the edges." if own.get("knowledge") else "",
        _scored(result),
        _directed_further(own),
    ]
    if result.confidence is not None:
        sentences.append(
            f"The probability of each edge comes from {counted(result.confidence.resamples, 'resample')} of the rows, "
            "calibrated on simulated data."
        )
    sentences.append(f"All other settings are those of the preset {own.get('preset')}; the seed is {own.get('seed')}.")
    sentences.append(_meaning(result))
    return " ".join(filter(None, sentences))


def _method(result: HCCDResult) -> str:
    """Name the algorithm."""
    own = result.parameters
    baseline = own.get("baseline")
    name = str(baseline.get("name", "pc")) if isinstance(baseline, Mapping) else "pc"
    algorithm = f"the algorithm {name.upper()}"
    if _without_tests(result):
        algorithm = f"a search over directed acyclic graphs by {_score(result)}"
    return _METHODS.get(str(own.get("method")), "{}").format(algorithm)


def _without_tests(result: HCCDResult) -> bool:
    """Whether a score learned the graph by itself."""
    return result.score is not None and result.score.without_tests


def _score(result: HCCDResult) -> str:
    """Name the score."""
    return "" if result.score is None else _SCORES.get(result.score.name, result.score.name)


def _tested(own: Mapping[str, Any]) -> str:
    """Name the test with its level."""
    test = own.get("test")
    if not isinstance(test, Mapping):
        return ""
    limits = [f"{key} {value:g}" for key, value in test.items() if key in ("alpha", "threshold") and value is not None]
    many = ", which for tests without condition is a false discovery rate" if own.get("correction") == "fdr" else ""
    at = f" ({limits[0]}{many})" if limits else ""
    return f"Independence was decided by {_TESTS.get(str(test.get('name')), 'a test of our own')}{at}."


def _scored(result: HCCDResult) -> str:
    """Name the score, if one followed the tests."""
    if result.score is None or result.score.without_tests:
        return ""
    return f"A search over directed acyclic graphs by {_score(result)} started from the graph of these tests."


def _directed_further(own: Mapping[str, Any]) -> str:
    """Say what directed edges that the class leaves open, if something did."""
    if own.get("undirected") != "lingam":
        return ""
    return (
        "Undirected edges of the class were directed where the noise is not normal, by pairwise likelihood ratios of "
        "linear models (Hyvarinen and Smith 2013)."
    )


def _meaning(result: HCCDResult) -> str:
    """Say what is learned, and under which assumptions."""
    if isinstance(result.graph, PAG):
        return (
            "The result is a partial ancestral graph (Zhang 2008), which allows for hidden common causes and for a "
            "selection of rows: it assumes that there is no feedback, and that the independences in the data are those "
            "of the graph."
        )
    return (
        "The result is an equivalence class: it assumes that there are no hidden common causes, no feedback and no "
        "selection of rows, and that the independences in the data are those of the graph."
    )
