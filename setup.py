"""Build of the compiled kernels; everything else is declared in pyproject.toml."""

from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

# No fast-math and no fused multiply-add: a compiled kernel must give the same bits as the same file run by
# Python, which the parity tests check.
OPTIONS = ["-O3", "-ffp-contract=off"]

# Relative paths: setuptools refuses absolute ones in a source distribution.
SHARED = "hccd._kernels._cyutility"
KERNELS = sorted(path for path in Path("src/hccd/_kernels").glob("*/*.py") if path.stem != "__init__")

setup(
    ext_modules=cythonize(
        [
            Extension(
                f"hccd._kernels.{path.parent.name}.{path.stem}",
                [str(path)],
                extra_compile_args=OPTIONS,
                # Named, so that a source distribution has them: without its types a kernel is plain, slow Python.
                depends=[str(path.with_suffix(".pxd"))],
            )
            for path in KERNELS
        ]
        + [Extension(SHARED, ["src/" + SHARED.replace(".", "/") + ".c"], extra_compile_args=OPTIONS)],
        shared_utility_qualified_name=SHARED,
        language_level=3,
        compiler_directives={
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
            "freethreading_compatible": True,
        },
    ),
    # One compiler for each core: there are many small kernels.
    options={"build_ext": {"parallel": True}},
)
