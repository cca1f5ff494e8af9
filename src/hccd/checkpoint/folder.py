"""A folder where a run leaves its state now and then, so that a run that was stopped can be taken up again.

One file for each stage of a run, ``.hccd-partial-STAGE-KEY.npz``: arrays of numbers, no code. It is written beside its
place first and then moved, the first time after a second, then every few, and not at all by a stage that takes no
longer. A file that is damaged is not used. The files of other runs are never touched.
"""

from __future__ import annotations

import os
import time
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from hccd.checkpoint.protocol import STAGES, Arrays, S, State
from hccd.errors import HCCDError
from hccd.files.folders import make_folders, unmake_folders
from hccd.wording import STAGES as STAGE_NAMES

PREFIX, SUFFIX = ".hccd-partial-", ".npz"

_FORMAT = "hccd-partial 3"
#: Seconds before the first save. A stage that took no longer is made again rather than saved.
_FIRST = 1.0
#: Seconds until the next try after a save that failed: a disk that is full may have room later.
_AGAIN = 30.0
#: Saving may take this part of the time at most.
_SHARE = 0.05


class CheckpointFolder:
    """Keep the state of a run in a folder.

    Parameters
    ----------
    folder : str or path
        Created when there is something to save.
    every : float
        Seconds between two saves; the first comes after one second at most.
    note : callable, optional
        Called with a sentence when a run is continued, or cannot be.

    Examples
    --------
    ``result = hccd.discover(data, checkpoint=(kept := hccd.CheckpointFolder("run")))``, then ``result.save(...)`` and
    ``kept.remove()``. After an interruption the same lines continue the run.
    """

    def __init__(
        self, folder: str | os.PathLike[str], *, every: float = 3.0, note: Callable[[str], None] | None = None
    ) -> None:
        self.folder = Path(folder)
        self.every = every
        self._note = note or _silent
        self._next = time.monotonic() + self._first
        # When each stage of the run at hand began, and the files that are its own.
        self._began: dict[str, float] = {}
        self._used: dict[str, Path] = {}
        self._failed = False
        self._others_noted = False

    def __repr__(self) -> str:
        return f"CheckpointFolder({str(self.folder)!r}, every={self.every:g})"

    def __eq__(self, other: object) -> bool:
        # A clone of an estimator must look the same as the estimator.
        same = isinstance(other, CheckpointFolder) and (self.folder, self.every) == (other.folder, other.every)
        return same and type(self) is type(other)

    def __hash__(self) -> int:
        return hash((self.folder, self.every))

    @property
    def saved(self) -> bool:
        """Whether there is a state of this run in the folder."""
        return any(path.exists() for path in self._used.values())

    @property
    def _first(self) -> float:
        return min(_FIRST, self.every)

    def resume(self, stage: str, key: Callable[[], str], read: Callable[[Arrays], S]) -> S | None:
        """Return the state of a stage that was saved under this key, if there is one that can be used."""
        self._begin(stage)
        files = self._files(stage)
        if not files:
            return None
        path = self._path(stage, key())
        with suppress(OSError):
            # What a kill left half written.
            _beside(path).unlink(missing_ok=True)
        others = sorted(other.name for other in files if other not in (path, _beside(path)))
        if others and not self._others_noted:
            self._others_noted = True
            self._note(
                f"a run with other data or options, or of another version of hccd, was interrupted in '{self.folder}' "
                f"({others[0]}): that file is kept; delete it if you do not need it"
            )
        if not path.exists():
            return None
        self._used[stage] = path
        try:
            state = read(_arrays(path, key()))
        except (
            HCCDError, OSError, ValueError, TypeError, KeyError, IndexError, EOFError, StopIteration, RuntimeError,
            NotImplementedError, MemoryError, zipfile.BadZipFile, zlib.error,
        ):  # fmt: skip
            what = "this run" if stage == STAGES[0] else f"the {STAGE_NAMES[stage]}"
            self._note(f"the state of an interrupted run, '{path}', is damaged: {what} starts again")
            return None
        self._note(f"continuing the interrupted run: {state.reached}")
        return state

    def _begin(self, stage: str) -> None:
        """Forget what an earlier run left of this stage and of those that follow."""
        now = time.monotonic()
        if stage == STAGES[0]:
            self._next = now + self._first
            self._failed = self._others_noted = False
        for later in STAGES[STAGES.index(stage) :]:
            self._used.pop(later, None)
        self._began[stage] = now

    def due(self, stage: str, *, finished: bool = False) -> bool:
        """Whether it is time to save, or, at the end of a stage, whether the stage took long enough to be saved."""
        now = time.monotonic()
        return now >= self._next or (finished and now >= self._began.get(stage, now) + self._first)

    def save(self, stage: str, key: Callable[[], str], state: State) -> None:
        """Write the state; if that fails, say so, keep the state before, and try again later."""
        path = self._path(stage, key())
        began = time.monotonic()
        made: list[Path] = []
        try:
            made = make_folders(self.folder)
            _write(path, key(), state)
        except OSError as error:
            unmake_folders(made)
            if not self._failed:
                before = "it continues from the previous state" if self.saved else "it starts from the beginning"
                self._note(
                    f"the state of the run cannot be saved ({error.strerror or error}): if the run is interrupted, "
                    f"{before}"
                )
            self._failed = True
            self._next = began + max(_AGAIN, self.every)
            return
        if self._failed:
            self._failed = False
            self._note("the state of the run is saved again")
        self._used[stage] = path
        now = time.monotonic()
        self._next = now + max(self.every, (now - began) / _SHARE)

    def remove(self) -> None:
        """Remove the files of this run, if there are any; the result is saved elsewhere."""
        for path in self._used.values():
            with suppress(OSError):
                _beside(path).unlink(missing_ok=True)
                path.unlink(missing_ok=True)

    def _path(self, stage: str, key: str) -> Path:
        return self.folder / f"{PREFIX}{stage}-{key[:12]}{SUFFIX}"

    def _files(self, stage: str) -> list[Path]:
        """List the files of this stage of all runs here."""
        start = f"{PREFIX}{stage}-"
        try:
            return [path for path in self.folder.iterdir() if path.name.startswith(start) and SUFFIX in path.suffixes]
        except OSError:
            return []


def _silent(_sentence: str) -> None:
    """Say nothing."""


def _arrays(path: Path, key: str) -> Arrays:
    """Read a file that ``_write`` made; almost anything may be raised if it is none."""
    with path.open("rb") as content, np.load(content, allow_pickle=False) as file:
        arrays: dict[str, Any] = {name: file[name] for name in file.files}
    if str(arrays.pop("format")) != _FORMAT or str(arrays.pop("key")) != key:
        raise ValueError("another format or another run")
    return arrays


def _write(path: Path, key: str, state: State) -> None:
    """Write beside the target first and then move, so that a kill leaves the old file or the new one."""
    temporary = _beside(path)
    try:
        with temporary.open("wb") as file:
            arrays: dict[str, Any] = {"format": np.array(_FORMAT), "key": np.array(key), **state.to_arrays()}
            np.savez(file, **arrays)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _beside(path: Path) -> Path:
    """Name the file that is being written; always the same, so that a kill leaves one of them at most."""
    return path.with_suffix(f"{SUFFIX}.part")
