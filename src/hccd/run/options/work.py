"""Options of how a run is made: chance, workers, and what can be seen of it."""

from dataclasses import dataclass
from numbers import Integral
from os import PathLike
from typing import TYPE_CHECKING, Annotated, Any

from hccd.progress import ProgressFunction
from hccd.run.option import Flag, Option, from_zero, is_instance_with, whole_number

if TYPE_CHECKING:
    from hccd.checkpoint import Checkpoint
    from hccd.run.seed import RandomSource


def _is_random_source(value: Any) -> bool:
    # Told by what it offers: numpy is slow to import.
    return from_zero(value) or any(callable(getattr(value, name, None)) for name in ("integers", "randint"))


@dataclass(init=False, kw_only=True, eq=False, repr=False)
class SeedOptions:
    """What is left to chance."""

    seed: Annotated[
        "int | None",
        Option(
            "Seed of the random numbers: resamples, and k-means for splits into more than two clusters; by default 0.",
            kind="int",
            fits=from_zero,
            wanted="give a whole number from 0",
            flag=Flag("N", whole_number, default="0"),
        ),
    ] = None
    random_state: Annotated[
        "RandomSource",
        Option(
            "Another name of ``seed``. None means 0, so that a run can be repeated. A generator gives a new seed each "
            "time.",
            kind="int, RandomState, Generator or None",
            fits=_is_random_source,
            wanted="give a whole number from 0, None, or a numpy RandomState or Generator",
        ),
    ] = None


@dataclass(init=False, kw_only=True, eq=False, repr=False)
class WorkOptions:
    """How the work is done, which does not change the result."""

    n_jobs: Annotated[
        "int | None",
        Option(
            "Number of workers; -1 for one on each core. The result is the same.",
            python="None means one, or the number in joblib's ``parallel_config``.",
            kind="int",
            fits=lambda value: isinstance(value, Integral) and value != 0,
            wanted="give the number of workers, or -1 for one on each core",
            flag=Flag("N", whole_number, name="jobs", default="1"),
        ),
    ] = None
    client: Annotated[
        "Any",
        Option(
            "Address of a Dask scheduler, such as ``tcp://10.0.0.5:8786``: its workers get resamples of the rows, "
            "tests in Python, and whole clusters of variables; the result is the same.",
            python="Or a ``dask.distributed.Client``. By default the active client, if there is one and ``n_jobs`` is "
            "not given.",
            kind="str or distributed.Client",
            fits=lambda value: (isinstance(value, str) and value != "") or is_instance_with("scatter")(value),
            wanted="give a dask.distributed.Client or the address of a scheduler, such as 'tcp://10.0.0.5:8786'",
            flag=Flag("ADDRESS", name="dask"),
        ),
    ] = None
    log: Annotated[
        "str | PathLike[str] | None",
        Option(
            "A file to which a log is appended, one JSON object in each line: stages, levels, clusters of variables "
            "and saved states, with tests, seconds and bytes.",
            kind="path",
            fits=lambda value: isinstance(value, str | PathLike),
            wanted="give the name of a file",
            flag=Flag("FILE"),
        ),
    ] = None
    progress: Annotated[
        "bool | ProgressFunction | None",
        Option(
            "True shows a bar on the terminal or in the notebook, with the time that is left. Or a function that is "
            "called with a ``Progress`` event at every step.",
            kind="bool or callable",
            fits=lambda value: isinstance(value, bool) or callable(value),
            wanted="give True, or a function that takes an event",
        ),
    ] = None
    verbose: Annotated[
        "bool | int",
        Option(
            "True prints a line when a stage of the run begins.",
            kind="bool",
            fits=lambda value: isinstance(value, Integral) and value >= 0,
            wanted="give True or False",
        ),
    ] = False
    checkpoint: Annotated[
        "Checkpoint | None",
        Option(
            'Where the state of the run is saved regularly, such as ``hccd.CheckpointFolder("folder")``; a run '
            "with the same data and settings continues from there.",
            kind="Checkpoint",
            fits=is_instance_with("resume"),
            wanted="give one such as CheckpointFolder('folder')",
        ),
    ] = None
