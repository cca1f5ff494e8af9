"""The kernel files run by Python itself, as a package of another name beside the compiled one.

A directory holds ``level.py`` and ``level.cpython-*.so`` side by side, and an import would take the compiled file.
So a finder of its own loads what is asked for in this package from its source, and what that imports in turn.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path

import hccd._kernels

PACKAGE = "plain_kernels"
SOURCES = Path(hccd._kernels.__file__).parent
#: The folder of each kernel; no two kernels have the same name.
FOLDERS = {path.stem: path.parent.name for path in sorted(SOURCES.glob("*/*.py")) if path.stem != "__init__"}
NAMES = tuple(sorted(FOLDERS))


class _Sources(MetaPathFinder):
    def find_spec(self, fullname, path=None, target=None):
        package, *below = fullname.split(".")
        if package != PACKAGE:
            return None
        source = SOURCES.joinpath(*below)
        file = source / "__init__.py" if source.is_dir() else source.with_suffix(".py")
        spec = spec_from_file_location(fullname, file, loader=SourceFileLoader(fullname, str(file)))
        if source.is_dir():
            # No place of its own to look in: Python would find the compiled files there.
            spec.submodule_search_locations = []
        return spec


def compiled(name):
    """Return a kernel module as users have it."""
    return import_module(f"hccd._kernels.{FOLDERS[name]}.{name}")


def uncompiled(name):
    """Return a kernel module, uncompiled."""
    if not any(isinstance(finder, _Sources) for finder in sys.meta_path):
        sys.meta_path.append(_Sources())
    return import_module(f"{PACKAGE}.{FOLDERS[name]}.{name}")
