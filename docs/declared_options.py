"""Options of a run in the reference: an extension of griffe, for functions and classes that take declared options.

The sources say ``@takes(Options)``; the parameters and their description are there when the module is imported.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import griffe


class DeclaredOptions(griffe.Extension):
    """Replace what the sources show by what users see."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Go through a package that has been read."""
        for taker in _takers(pkg):
            seen = getattr(import_module(taker.module.path), taker.name)
            assert taker.docstring is not None and seen.__doc__ is not None
            taker.docstring.value = inspect.cleandoc(seen.__doc__)
            parameters = [
                _parameter(each, _scope(each.name, pkg["run.options"], taker.module))
                for each in inspect.signature(seen).parameters.values()
            ]
            if isinstance(taker, griffe.Class):
                # That its options are inherited is nothing to its users.
                taker.labels.discard("dataclass")
                taker.bases = [base for base in taker.bases if not str(base).endswith("Options")]
                taker.set_member("__init__", griffe.Function("__init__", parameters=griffe.Parameters(*parameters)))
            else:
                taker.parameters = griffe.Parameters(*parameters)


def _takers(module: griffe.Object) -> Iterator[griffe.Function | griffe.Class]:
    """Find the functions and classes that take options, by their decorators."""
    for member in module.members.values():
        if isinstance(member, griffe.Module):
            yield from _takers(member)
        elif isinstance(member, griffe.Function | griffe.Class) and any(
            str(each.value).partition("(")[0] in ("takes", "documented") for each in member.decorators
        ):
            yield member


def _scope(name: str, options: griffe.Object, other: griffe.Module) -> griffe.Module:
    """Return the module that declares an option, or the other one for what is none."""
    for module in options.modules.values():
        if any(name in group.members for group in module.classes.values()):
            return module
    return other


def _parameter(each: inspect.Parameter, scope: griffe.Module) -> griffe.Parameter:
    """Return a parameter as griffe has it; the names in its type are those of a module."""
    annotation = griffe.get_annotation(ast.parse(str(each.annotation), mode="eval").body, parent=scope)
    kind = griffe.ParameterKind(each.kind.description)
    default = None if each.default is each.empty else repr(each.default)
    return griffe.Parameter(each.name, annotation=annotation, kind=kind, default=default)
