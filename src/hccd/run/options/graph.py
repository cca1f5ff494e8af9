"""Options that decide what is made of a skeleton: directions, hidden causes, the score, and how sure each edge is."""

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Annotated, Literal

from hccd.choices import (
    COLLIDER_RULES,
    CONFLICT_POLICIES,
    SCORINGS,
    UNDIRECTED,
    ColliderRule,
    ConflictPolicy,
    Scoring,
    Undirected,
)
from hccd.run.option import Flag, Option, from_zero, number_or_auto, number_or_word, order_option, whole_number


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
        order_option(
            'The largest set that ``"conservative"``, ``"majority"`` and ``"max-p-full"`` test, besides the one '
            'that separated the pair; ``"none"`` for no limit. By default the preset\'s: 1, and no limit for '
            '``"paper"``.',
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
            fits=from_zero,
            wanted="give the largest number of variables to condition on, or auto, or none",
            flag=Flag("K", number_or_word),
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
            fits=from_zero,
            wanted="give the number of resamples, such as 100, or auto, or none",
            flag=Flag("N", number_or_word),
        ),
    ] = "auto"
