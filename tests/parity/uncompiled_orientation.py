"""The orientation kernels run by Python itself; they need no other kernel, so each is loaded from its source alone."""

from __future__ import annotations

from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import hccd._kernels

NAMES = ("adjacency", "acceptance", "extension", "meek", "untested")
SOURCES = Path(hccd._kernels.__file__).parent


@cache
def uncompiled(name):
    """Return one kernel module, uncompiled."""
    full = f"plain_orientation_{name}"
    spec = spec_from_loader(full, SourceFileLoader(full, str(SOURCES / f"{name}.py")))
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
