"""A folder where a search leaves its state now and then, so that a run that was stopped can be taken up again.

One file for each search, ``.hccd-partial-KEY.npz``: arrays of numbers, no code. It is written beside its place first
and then moved, at most every few seconds, and not at all by a search that takes no longer. A file that is damaged is
not used. The files of other searches are never touched. What has been counted of resamples, after the search, has a
file of its own, ``.hccd-partial-KEY-resamples.npz``.
"""

from __future__ import annotations

import os
import time
import zipfile
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.checkpoint.state import SearchState
from hccd.errors import HCCDError

PREFIX, SUFFIX = ".hccd-partial-", ".npz"
_RESAMPLES = "-resamples"

_FORMAT = "hccd-partial 2"
#: Saving may take this part of the time at most.
_SHARE = 0.05


# What reading a file may raise that is none of ours, or no longer whole.
_DAMAGE = (
    HCCDError, OSError, ValueError, TypeError, KeyError, IndexError, EOFError, StopIteration, RuntimeError,
    NotImplementedError, MemoryError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


class CheckpointFolder:
    """Keep the states of searches in a folder.

    Parameters
    ----------
    folder : str or path
        Made when there is something to put into it.
    every : float
        Seconds between two saves, and before the first.
    note : callable, optional
        Called with a sentence when a run is taken up again, or cannot be.

    Examples
    --------
    ``result = hccd.discover(data, checkpoint=(kept := hccd.CheckpointFolder("run")))``, then ``result.save(...)`` and
    ``kept.remove()``. After an interrupt, the same lines go on where the run was.
    """

    def __init__(
        self, folder: str | os.PathLike[str], *, every: float = 3.0, note: Callable[[str], None] | None = None
    ) -> None:
        self.folder = Path(folder)
        self.every = every
        self._note = note or _silent
        self._next = time.monotonic() + every
        self._used: Path | None = None
        self._counted: Path | None = None
        self._failed = False

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
        """Whether there is a state of this search in the folder, or of its resamples."""
        return any(path is not None and path.exists() for path in (self._used, self._counted))

    def resume(self, key: Callable[[], str], check: Callable[[SearchState], None]) -> SearchState | None:
        """Return the state that was saved under this key, if there is one that can be used."""
        self._next = time.monotonic() + self.every
        self._used, self._counted, self._failed = None, None, False
        files = [path for path in self._files() if _RESAMPLES not in path.name]
        if not files:
            return None
        path = self._path(key())
        with suppress(OSError):
            # What a kill left half written.
            _beside(path).unlink(missing_ok=True)
        others = sorted(other.name for other in files if other not in (path, _beside(path)))
        if others:
            self._note(
                f"a run with other data or options was interrupted in '{self.folder}' ({others[0]}): "
                "it is left as it is; delete that file if you do not need it"
            )
        if not path.exists():
            return None
        self._used = path
        try:
            state = SearchState.from_arrays(_read(path, key()))
            check(state)
        except _DAMAGE:
            self._note(f"the state of an interrupted run, '{path}', is damaged: this run begins anew")
            return None
        self._note(f"going on with the run that was interrupted: {state.tests:,} tests were made before")
        return state

    def due(self) -> bool:
        """Whether it is time to save."""
        return time.monotonic() >= self._next and not self._failed

    def save(self, key: Callable[[], str], state: SearchState) -> None:
        """Write the state; if that fails, say so once and let the run go on without."""
        path = self._path(key())
        if self._written(path, key(), state.to_arrays()):
            self._used = path

    def recall(self, key: str) -> Mapping[str, NDArray[Any]] | None:
        """Return the counts of resamples that were kept under this key, if there are any that can be read."""
        path = self._path(key, _RESAMPLES)
        if not path.exists():
            return None
        self._counted = path
        try:
            return _read(path, key)
        except _DAMAGE:
            self._note(f"what was counted of resamples, '{path}', is damaged: they are drawn again")
            return None

    def keep(self, key: str, counts: Mapping[str, NDArray[Any]]) -> None:
        """Write the counts of resamples, in place of those before."""
        path = self._path(key, _RESAMPLES)
        if self._written(path, key, counts):
            self._counted = path

    def _written(self, path: Path, key: str, arrays: Mapping[str, NDArray[Any]]) -> bool:
        """Write a file, and return whether that went well."""
        began = time.monotonic()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            _write(path, key, arrays)
        except OSError as error:
            self._failed = True
            self._note(f"the state of the run cannot be saved ({error.strerror or error}): an interrupt would lose it")
            return False
        now = time.monotonic()
        self._next = now + max(self.every, (now - began) / _SHARE)
        return True

    def remove(self) -> None:
        """Remove the files of this search, if there are any: its result is safe elsewhere."""
        for path in (self._used, self._counted):
            if path is not None:
                with suppress(OSError):
                    _beside(path).unlink(missing_ok=True)
                    path.unlink(missing_ok=True)

    def _path(self, key: str, what: str = "") -> Path:
        return self.folder / f"{PREFIX}{key[:12]}{what}{SUFFIX}"

    def _files(self) -> list[Path]:
        """List the files of all searches here."""
        try:
            return [path for path in self.folder.iterdir() if path.name.startswith(PREFIX) and SUFFIX in path.suffixes]
        except OSError:
            return []


def _silent(_sentence: str) -> None:
    """Say nothing."""


def _read(path: Path, key: str) -> dict[str, NDArray[Any]]:
    """Read a file that ``_write`` made; almost anything may be raised if it is none."""
    with path.open("rb") as content, np.load(content, allow_pickle=False) as file:
        arrays: dict[str, Any] = {name: file[name] for name in file.files}
    if str(arrays["format"]) != _FORMAT or str(arrays["key"]) != key:
        raise ValueError("another format or another search")
    return arrays


def _write(path: Path, key: str, content: Mapping[str, NDArray[Any]]) -> None:
    """Write beside the target first and then move, so that a kill leaves the old file or the new one."""
    temporary = _beside(path)
    try:
        with temporary.open("wb") as file:
            arrays: dict[str, Any] = {"format": np.array(_FORMAT), "key": np.array(key), **content}
            np.savez(file, **arrays)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _beside(path: Path) -> Path:
    """Name the file that is being written; always the same, so that a kill leaves one of them at most."""
    return path.with_suffix(f"{SUFFIX}.part")
