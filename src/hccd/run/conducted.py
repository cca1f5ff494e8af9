"""A run and those around it: who follows its progress, its log, its checkpoint, and a Dask cluster that helps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from hccd.checkpoint import Checkpoint, State
from hccd.checkpoint.protocol import Arrays, S
from hccd.parallel import Cluster, one_blas_thread, working_on
from hccd.progress.following import Followers, following
from hccd.progress.log import RunLog
from hccd.result import HCCDResult
from hccd.result.skeleton_result import SkeletonResult
from hccd.run.options import Options, SkeletonOptions

O = TypeVar("O", Options, SkeletonOptions)  # noqa: E741
R = TypeVar("R", HCCDResult, SkeletonResult)


@dataclass(frozen=True, eq=False)
class Conducted(Generic[O]):
    """The options of a run that is followed, and those who follow it."""

    options: O
    followers: Followers
    log: RunLog | None
    cluster: Cluster | None

    def over(self, result: R) -> R:
        """Take note of the result, and return it."""
        if self.log is not None:
            layout = result.tree.layout()
            sizes, heights = (layout.stop - layout.start).tolist(), layout.height.tolist()
            self.log.clusters(zip(sizes, heights, result.tests.by_cluster, strict=True))
            sent = {} if self.cluster is None else {"bytes_sent": self.cluster.bytes_sent}
            self.log.write(
                "result", tests=result.tests.total, edges=len(result.edges()), took=dict(result.seconds), **sent
            )
        return result


@contextmanager
def conducted(options: O, note: Callable[[str], None] | None = None) -> Iterator[Conducted[O]]:
    """Follow a run: ``note`` hears sentences about what happens to it, beside those who follow anyway."""
    with ExitStack() as stack:
        stack.enter_context(one_blas_thread())
        followers = stack.enter_context(following(options.progress, options.verbose, options.log, note))
        cluster = stack.enter_context(working_on(options.client, options.n_jobs, followers.note))
        log = followers.log
        if log is not None:
            log.start(
                **({} if cluster is None else {
                    "scheduler": cluster.address, "dashboard": cluster.dashboard, "threads": cluster.threads,
                })
            )  # fmt: skip
        checkpoint = options.checkpoint
        if log is not None and checkpoint is not None:
            checkpoint = _Logged(checkpoint, log)
        yield Conducted(replace(options, progress=followers, checkpoint=checkpoint), followers, log, cluster)


class _Logged:
    """A checkpoint whose states are written into the log."""

    def __init__(self, checkpoint: Checkpoint, log: RunLog) -> None:
        self.checkpoint, self.log = checkpoint, log

    def resume(self, stage: str, key: Callable[[], str], read: Callable[[Arrays], S]) -> S | None:
        """Return the state of a stage."""
        found = self.checkpoint.resume(stage, key, read)
        if found is not None:
            self.log.write("state", stage=stage, taken_up=found.reached)
        return found

    def due(self, stage: str, *, finished: bool = False) -> bool:
        """Tell whether it is time to save."""
        return self.checkpoint.due(stage, finished=finished)

    def save(self, stage: str, key: Callable[[], str], state: State) -> None:
        """Save the state, and write down how large it is."""
        weighed = _Weighed(state)
        self.checkpoint.save(stage, key, weighed)
        self.log.write("state", stage=stage, reached=state.reached, bytes=weighed.bytes)


class _Weighed:
    """A state that knows how large it was when it was saved."""

    def __init__(self, state: State) -> None:
        self.state, self.bytes = state, 0

    @property
    def reached(self) -> str:
        """What was done before."""
        return self.state.reached

    def to_arrays(self) -> Mapping[str, Any]:
        """Return the state as arrays by name."""
        arrays = self.state.to_arrays()
        self.bytes = sum(array.nbytes for array in arrays.values())
        return arrays
