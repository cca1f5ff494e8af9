"""Where a run leaves the states of its stages, and what a state has to be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from numpy.typing import NDArray

#: The stages that leave a state, in the order in which a run comes to them.
STAGES = ("search", "score", "bootstrap")

Arrays = Mapping[str, NDArray[Any]]


class State(Protocol):
    """How far a stage has come."""

    @property
    def reached(self) -> str:
        """What was done before, as the end of a sentence: "12 tests were made before"."""
        ...

    def to_arrays(self) -> Arrays:
        """Return the state as arrays of numbers by name; not "format" and "key", which are taken."""
        ...


S = TypeVar("S", bound=State)


class Checkpoint(Protocol):
    """Where a run leaves its state now and then, one for each stage.

    ``key()`` names what a stage depends on: data, options, and what the stages before it found. It reads all of the
    data when first called, so who need not know should not ask.
    """

    def resume(self, stage: str, key: Callable[[], str], read: Callable[[Arrays], S]) -> S | None:
        """Return the state that was saved last under this key, if there is one; the stage begins now.

        ``read`` makes a state of its arrays, and raises ``FileFormatError``, ``ValueError`` or ``KeyError`` if they
        cannot be gone on with: compiled code goes by these numbers.
        """
        ...

    def due(self, stage: str, *, finished: bool = False) -> bool:
        """Whether it is time to save, or, at the end of a stage, whether the stage took long enough to be saved."""
        ...

    def save(self, stage: str, key: Callable[[], str], state: State) -> None:
        """Keep the state, and no longer the one of this stage before."""
        ...
