"""The kernels of clustering run by Python itself, as a package of another name beside the compiled one.

An import would take the compiled file, which lies in the same directory; so each module is loaded from its source, in
the order in which they need each other.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import SimpleNamespace

import hccd._kernels

PACKAGE = "plain_clustering"
NAMES = ("line", "pairs", "cluster_graph", "tridiagonal", "second_eigenvector", "bisection")


def load():
    """Return the modules by their names, uncompiled."""
    if PACKAGE not in sys.modules:
        package = ModuleSpec(PACKAGE, None, is_package=True)
        # No place to search: whatever is not loaded below cannot be imported from here by accident.
        package.submodule_search_locations = []
        sys.modules[PACKAGE] = module_from_spec(package)
        for name in NAMES:
            full = f"{PACKAGE}.{name}"
            source = Path(hccd._kernels.__file__).parent / f"{name}.py"
            spec = spec_from_loader(full, SourceFileLoader(full, str(source)))
            module = module_from_spec(spec)
            sys.modules[full] = module
            spec.loader.exec_module(module)
    return SimpleNamespace(**{name: sys.modules[f"{PACKAGE}.{name}"] for name in NAMES})
