"""The kernel files run by Python itself, as a package of another name beside the compiled one.

The directory holds ``level.py`` and ``level.cpython-*.so`` side by side, and an import would take the compiled file.
So each module is loaded from its source by name, in the order in which they need each other.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import hccd._kernels

PACKAGE = "plain_kernels"
NAMES = ("level", "correlation", "contingency", "ledger")
SOURCES = Path(hccd._kernels.__file__).parent


def load():
    """Return the modules level, correlation, contingency and ledger, uncompiled."""
    if PACKAGE not in sys.modules:
        package = ModuleSpec(PACKAGE, None, is_package=True)
        # No place to search: whatever is not loaded below cannot be imported from here by accident.
        package.submodule_search_locations = []
        sys.modules[PACKAGE] = module_from_spec(package)
        for name in NAMES:
            full = f"{PACKAGE}.{name}"
            spec = spec_from_loader(full, SourceFileLoader(full, str(SOURCES / f"{name}.py")))
            module = module_from_spec(spec)
            sys.modules[full] = module
            spec.loader.exec_module(module)
    return tuple(sys.modules[f"{PACKAGE}.{name}"] for name in NAMES)
