"""One option of a run, as its declaration has it: what a field says besides its name, its type and its default.

All options are declared in ``hccd.run.options``, as fields of dataclasses. From the fields come the parameters of
``discover`` and its like with their documentation (signature.py), the refusal of values that have no meaning, and the
options of the command line, with their names in the config file and in the environment (``hccd.cli.groups``).
Everything here is light: ``hccd --help`` imports it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from functools import cached_property, partial
from numbers import Integral
from typing import Any, get_args

from hccd.errors import InvalidParameterError
from hccd.wording import closest


@dataclass(frozen=True)
class Flag:
    """How an option is written on the command line.

    ``reads`` makes the value of a text, or raises ValueError. ``metavar`` stands for the value in the help, by default
    the choices. ``name`` and ``default`` are there where they differ from those of the field. One that may
    be given ``several`` times has a list.
    """

    metavar: str = ""
    reads: Callable[[str], Any] = str
    name: str = ""
    default: str | None = None
    several: bool = False


@dataclass(frozen=True)
class Option:
    """What is said about an option.

    ``doc`` is true in Python and on the command line, ``python`` only there. A value has a meaning if it is one of the
    ``choices`` or ``fits``; ``wanted`` tells whoever gave another what to give. ``synonyms`` are words that others have
    for some of the choices. ``kind`` is the type in words.
    """

    doc: str
    python: str = ""
    kind: str = ""
    choices: tuple[str, ...] = ()
    fits: Callable[[Any], bool] | None = None
    wanted: str = ""
    flag: Flag | None = None
    synonyms: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def words(self) -> Mapping[str, str]:
        """The choices by all the words for them."""
        return {_bare(word): word for word in self.choices} | dict(self.synonyms)

    def meant(self, name: str, value: Any) -> Any:
        """Return the value that is meant, synonyms replaced; refuse one that has no meaning."""
        if isinstance(value, str) and self.synonyms:
            value = self.words.get(_bare(value), value)
        chosen = isinstance(value, str) and value in self.choices
        fits = self.fits(value) if self.fits is not None else not self.choices
        if not (chosen or fits):
            wanted = self.wanted or f"choose one of {', '.join(self.choices)}"
            near = closest(_bare(value), list(self.words), 1) if isinstance(value, str) else []
            hint = f" (did you mean {self.words[near[0]]!r}?)" if near else ""
            raise InvalidParameterError(f"{name} is {value!r}; {wanted}{hint}")
        return value

    def read(self, name: str, text: str) -> Any:
        """Return the value that a text on the command line stands for, if it has a meaning."""
        assert self.flag is not None
        try:
            value = self.flag.reads(text)
        except ValueError:
            raise InvalidParameterError(f"{name} is {text!r}; {self.wanted}") from None
        return self.meant(name, value)


def _bare(word: str) -> str:
    """Return a word as it is compared: `Fisher_Z` is `fisher-z` is `fisherz`."""
    return re.sub(r"[-_ .]", "", word).lower()


def option_of(declared: Field[Any]) -> Option:
    """Return what is said about a field, which is ``name: Annotated["type", Option(...)] = default``."""
    said: Option = get_args(declared.type)[1]
    return said


def type_of(declared: Field[Any]) -> str:
    """Return the type of a field as it is written."""
    written: str = get_args(declared.type)[0].__forward_arg__
    return written


def check_options(options: Any) -> None:
    """Replace synonyms and refuse values that have no meaning.

    None has one where it is the default: what the preset or the test has.
    """
    for each in fields(options):
        value = getattr(options, each.name)
        if value is not None or each.default is not None:
            meant = option_of(each).meant(each.name, value)
            if meant is not value:
                setattr(options, each.name, meant)


def shared_options(options: Any, group: type) -> dict[str, Any]:
    """Return the values of those options that a group has as well."""
    names = {each.name for each in fields(group)}
    return {each.name: getattr(options, each.name) for each in fields(options) if each.name in names}


def number_or_auto(text: str) -> float | str:
    """Return the number that a text is, or the word."""
    return text if text == "auto" else float(text)


def whole_number(text: str) -> int:
    """Return the whole number that a text is."""
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        raise ValueError
    return int(text)


def number_or_word(text: str) -> int | str:
    """Return the whole number that a text is, or the word."""
    return whole_number(text) if text.lstrip("+-")[:1].isdigit() else text


def from_zero(value: Any) -> bool:
    """Tell whether a value is a whole number from 0."""
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 0


def is_instance_with(method: str) -> Callable[[Any], bool]:
    """Return a function that tells whether a value is an object with this method."""
    return lambda value: not isinstance(value, type) and callable(getattr(value, method, None))


#: An option that is the size of the largest conditioning set.
order_option = partial(
    Option,
    kind='int or "none"',
    choices=("none",),
    fits=from_zero,
    wanted="give a whole number from 0, or 'none' for no limit",
)
