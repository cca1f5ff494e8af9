"""The kernel files run by Python itself, as a package of another name beside the compiled one.

The directory holds ``level.py`` and ``level.cpython-*.so`` side by side, and an import would take the compiled file.
So a finder of its own loads what is asked for in this package from its source, and what that imports in turn.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import hccd._kernels

PACKAGE = "plain_kernels"
SOURCES = Path(hccd._kernels.__file__).parent
NAMES = tuple(sorted(path.stem for path in SOURCES.glob("*.py") if path.stem != "__init__"))


class _Sources(MetaPathFinder):
    def find_spec(self, fullname, path=None, target=None):
        package, _, name = fullname.rpartition(".")
        if package != PACKAGE:
            return None
        return spec_from_loader(fullname, SourceFileLoader(fullname, str(SOURCES / f"{name}.py")))


def uncompiled(name):
    """Return a kernel module, uncompiled."""
    if PACKAGE not in sys.modules:
        package = ModuleSpec(PACKAGE, None, is_package=True)
        package.submodule_search_locations = []
        sys.modules[PACKAGE] = module_from_spec(package)
        sys.meta_path.append(_Sources())
    return import_module(f"{PACKAGE}.{name}")
