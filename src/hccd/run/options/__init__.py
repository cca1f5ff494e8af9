"""Every option of a run, declared once: the fields of groups, from which each caller takes those that concern it.

To add an option, add a field to a group here and use it, mostly in ``settings_of``: signatures, documentation, checks,
the command line, the config file and the environment follow from the field. Types are texts, since most are slow to
import.

The groups are not frozen, since ``HCCD`` is one of them, and scikit-learn changes the parameters of estimators.
"""

from dataclasses import dataclass
from typing import Annotated

from hccd.run.option import Option
from hccd.run.options.data import NameOptions, ValueOptions
from hccd.run.options.graph import ConfidenceOptions, DirectionOptions, HiddenOptions, ScoreOptions
from hccd.run.options.skeleton import KnowledgeOptions, MethodOptions, TreeOptions
from hccd.run.options.work import SeedOptions, WorkOptions


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
