"""What a caller of ``discover`` may choose, as one value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

from hccd.baselines import Baseline
from hccd.checkpoint import Checkpoint
from hccd.clustering import ClusterTree, SpectralSplitter
from hccd.errors import InvalidParameterError
from hccd.independence import CITest
from hccd.orientation import ColliderRule, ConflictPolicy
from hccd.progress import ProgressFunction
from hccd.run.settings import Scoring, Settings, settings_for
from hccd.wrapper import Refine


@dataclass(frozen=True, eq=False)
class Options:
    """The arguments of `hccd.discover`, which describes them, apart from the data."""

    test: str | CITest | Callable[..., Any]
    alpha: float | None
    threshold: float | Sequence[float] | None
    discrete: Iterable[object] | str
    continuous: Iterable[object] | str
    method: str
    preset: str
    tree: ClusterTree | Sequence[Any] | None
    splitter: SpectralSplitter | None
    baseline: Baseline | None
    refine: Refine | None
    inner_order: int | None
    colliders: ColliderRule | None
    conflicts: ConflictPolicy | None
    scoring: Scoring | None
    names: Sequence[str] | None
    seed: int
    n_jobs: int | None
    progress: ProgressFunction | None
    checkpoint: Checkpoint | None

    def settings(self) -> Settings:
        """Return the settings of method and preset, with single choices replaced; refuse what has no meaning."""
        settings = settings_for(self.method, self.preset)
        single: dict[str, Any] = {
            "splitter": self.splitter,
            "baseline": self.baseline,
            "refine": self.refine,
            "colliders": self.colliders,
            "conflicts": self.conflicts,
            "scoring": self.scoring,
        }
        settings = replace(settings, **{name: value for name, value in single.items() if value is not None})
        if self.inner_order != -1:
            settings = replace(settings, inner_order=self.inner_order)
        settings.check()
        if self.method == "pc" and (self.tree is not None or self.splitter is not None):
            raise InvalidParameterError(
                "method 'pc' has one cluster: leave out tree and splitter, or choose method 'hccd'"
            )
        return settings

    def check_run(self) -> None:
        """Refuse settings of the run itself that have no meaning."""
        if not (isinstance(self.seed, Integral) and not isinstance(self.seed, bool) and self.seed >= 0):
            raise InvalidParameterError(f"seed is {self.seed!r}; give a whole number from 0")
        if self.n_jobs is not None and not (isinstance(self.n_jobs, Integral) and self.n_jobs != 0):
            raise InvalidParameterError(f"n_jobs is {self.n_jobs!r}; give the number of workers, or -1 for all cores")
        if self.progress is not None and not callable(self.progress):
            raise InvalidParameterError(f"progress is {self.progress!r}; give a function that takes an event")
        checkpoint = self.checkpoint
        if checkpoint is not None and (
            isinstance(checkpoint, type) or not callable(getattr(checkpoint, "resume", None))
        ):
            raise InvalidParameterError(f"checkpoint is {checkpoint!r}; give one such as CheckpointFolder('folder')")
