"""Options of the data: what is done to the values, and what variables are called."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from hccd.choices import TRANSFORMS, Transform
from hccd.run.option import Flag, Option

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


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
