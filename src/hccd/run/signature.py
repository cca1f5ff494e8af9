"""Functions and classes that take declared options: how readers, ``inspect`` and type checkers see them.

``@takes(Options)`` makes ``f(data, options)`` a function ``f(data, test="auto", *, alpha=None, ...)``. The entry
``**options`` in the "Parameters" of a docstring becomes the entries of all options.
"""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
from collections import ChainMap
from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Any, ParamSpec, Protocol, TypeVar, get_type_hints

from numpy.typing import ArrayLike

from hccd.baselines import Baseline
from hccd.checkpoint import Checkpoint
from hccd.clustering import ClusterTree, SpectralSplitter
from hccd.independence import CITest
from hccd.knowledge import Knowledge
from hccd.run.option import check_options, option_of, type_of
from hccd.run.seed import RandomSource

#: What the declaration names and does not import.
_TYPES = {
    "ArrayLike": ArrayLike,
    "Baseline": Baseline,
    "CITest": CITest,
    "Checkpoint": Checkpoint,
    "ClusterTree": ClusterTree,
    "Knowledge": Knowledge,
    "RandomSource": RandomSource,
    "SpectralSplitter": SpectralSplitter,
}
_WIDTH = 112

P = ParamSpec("P")
G = TypeVar("G")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
C = TypeVar("C", bound=type)


class TakesOptions(Protocol[P, R_co]):
    """A function of data and options."""

    def __call__(self, data: Any, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Call it."""
        ...


def takes(group: Callable[P, G]) -> Callable[[Callable[[Any, G], R]], TakesOptions[P, R]]:
    """Give a function of data and a group of options the options as parameters; values without meaning are refused."""

    def decorated(function: Callable[[Any, G], R]) -> TakesOptions[P, R]:
        shape = inspect.signature(function)
        data, _ = shape.parameters.values()
        shape = shape.replace(parameters=[data, *_parameters(group)])

        @wraps(function)
        def taking(data: Any, *args: P.args, **kwargs: P.kwargs) -> R:
            try:
                shape.bind(data, *args, **kwargs)
            except TypeError as error:
                # The function's own name, as Python says it, not that of the group.
                raise TypeError(f"{function.__name__}() {error}") from None
            options = group(*args, **kwargs)
            check_options(options)
            return function(data, options)

        taking.__signature__ = shape  # type: ignore[attr-defined]
        taking.__annotations__ = {**_types(group), **get_type_hints(function)}
        taking.__annotations__.pop("options")
        taking.__doc__ = _documented(function.__doc__, group)
        return taking

    return decorated


def documented(group: C) -> C:
    """Give a class that is a group of options their documentation, and types that can be asked for."""
    init = vars(group)["__init__"]
    itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    init.__signature__ = inspect.Signature([itself, *_parameters(group)], return_annotation=None)
    init.__annotations__ = _types(group)
    group.__doc__ = _documented(group.__doc__, group)
    return group


def _parameters(group: Any) -> list[inspect.Parameter]:
    """Return the options as parameters, with their types as they are written."""
    kinds = inspect.signature(group).parameters
    return [kinds[each.name].replace(annotation=type_of(each)) for each in fields(group)]


def _types(group: Any) -> dict[str, Any]:
    """Return the types of the options."""
    # As they are named where each group is declared.
    known = ChainMap(_TYPES, *(vars(sys.modules[each.__module__]) for each in group.__mro__))
    return get_type_hints(group.__init__, dict(known))


def _documented(docstring: str | None, group: Any) -> str | None:
    """Return a docstring with the entries of all options."""
    if docstring is None:  # by python -OO
        return None
    place = re.search(r"^( *)\*\*options.*\n(?:\1 +.*\n)*", docstring, re.MULTILINE)
    assert place is not None
    entries = "".join(_entry(each) for each in fields(group))
    return docstring[: place.start()] + textwrap.indent(entries, place[1]) + docstring[place.end() :]


def _entry(each: Any) -> str:
    """Return how the documentation describes an option."""
    said = option_of(each)
    kind = said.kind or "{" + ", ".join(f'"{choice}"' for choice in said.choices) + "}"
    default = f'"{each.default}"' if isinstance(each.default, str) else repr(each.default)
    text = textwrap.fill(
        f"{said.doc} {said.python}".strip(),
        _WIDTH,
        initial_indent="    ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return f"{each.name} : {kind}, default={default}\n{text}\n"
