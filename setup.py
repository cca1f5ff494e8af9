"""Build of the compiled kernels; everything else is declared in pyproject.toml."""

from itertools import count
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

# Relative paths: setuptools refuses absolute ones in a source distribution.
KERNELS = sorted(path for path in Path("src/hccd/_kernels").glob("*/*.py") if path.stem != "__init__")

# What Cython would otherwise write into every kernel anew, half a megabyte each.
SHARED = "hccd._kernels._cyutility"

# Where C files and compiled kernels stay, so that only what has changed is made anew.
KEPT = Path("build/kernels")

DIRECTIVES = {
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "freethreading_compatible": True,
    # Nobody pickles a kernel or asks for its signature: a third of the code, and of the time to compile it.
    "auto_pickle": False,
    "binding": False,
}

# No fast-math and no fused multiply-add: a compiled kernel must give the same bits as the same file run by
# Python, which the parity tests check. No debug information, which is most of what the compiler would write.
OPTIONS = {"msvc": ["/O2", "/fp:precise"], "unix": ["-O3", "-ffp-contract=off", "-g0"]}


class BuildKernels(build_ext):
    """Translate kernels to C and compile those that have changed."""

    def finalize_options(self):
        """Keep what is built for the source tree: pip would have it in a directory that goes away."""
        super().finalize_options()
        # One compiler for each core: there are many small kernels.
        self.parallel = self.parallel or True
        if self.inplace:
            self.build_lib, self.build_temp = str(KEPT / "lib"), str(KEPT / "temp")

    def build_extensions(self):
        """Translate all kernels, anew if this file has changed, then compile."""
        changed = Path(__file__).stat().st_mtime
        translated = cythonize(
            self.extensions,
            build_dir=str(KEPT),
            force=any(path.stat().st_mtime < changed for path in KEPT.glob("src/**/*.c")),
            quiet=True,
            shared_utility_qualified_name=SHARED,
            language_level=3,
            compiler_directives=DIRECTIVES,
        )
        sources = {extension.name: extension.sources for extension in translated}
        for extension in self.extensions:
            extension.sources = sources[extension.name]
            extension.extra_compile_args = OPTIONS.get(self.compiler.compiler_type, OPTIONS["unix"])
        self.done = count(1)
        super().build_extensions()

    def build_extension(self, extension):
        """Compile one kernel; now and then say how many are there."""
        super().build_extension(extension)
        done = next(self.done)
        if done % 8 == 0:
            print(f"kernels    {done} of {len(self.extensions)} ready", flush=True)  # noqa: T201


def extension(path):
    """Return the extension module of a kernel."""
    # The types are named, so that a source distribution has them: without them a kernel is plain, slow Python.
    name = ".".join(path.relative_to("src").with_suffix("").parts)
    return Extension(name, [path.as_posix()], depends=[path.with_suffix(".pxd").as_posix()])


setup(
    ext_modules=[*map(extension, KERNELS), Extension(SHARED, [f"src/{SHARED.replace('.', '/')}.c"])],
    cmdclass={"build_ext": BuildKernels},
)
