"""Work on the workers of a Dask cluster.

A task is a function and a few numbers; what all tasks need is sent once, and its future stands for it. A task costs
scheduler, client and worker three milliseconds of work together, so short ones travel together, by their own pace.
A window of tasks is under way, results are taken in the order of the tasks, and who stops listening cancels the rest.
Tasks are pure functions of what they are given. So those whose worker died are made by another one (Dask does that),
and those that went with the scheduler are sent again.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from concurrent.futures import CancelledError
from contextlib import suppress
from itertools import islice, takewhile
from typing import Any, TypeVar
from uuid import uuid4

from hccd.errors import InvalidParameterError, WorkerError
from hccd.parallel.connection import check_versions, connected, connected_client, reason_of
from hccd.parallel.worker import KEPT, of_parcel, on_partition, on_worker, unpacked
from hccd.version import __version__

T = TypeVar("T")
Say = Callable[[str], None]

#: Seconds to look for a scheduler that has gone.
RETURN = 60.0
#: How many parcels of tasks are under way for each thread of a worker, and at least.
_EACH, _LEAST = 4, 16
#: Seconds that short tasks take together which travel in one parcel.
_PARCEL = 0.1
#: Work of more seconds is divided into pieces of so many seconds at least, and so many at most.
_PIECE, _LONG_PIECE = 0.02, 0.25
#: Seconds between two looks at who is there.
_LOOK = 2.0
#: Values of so many bytes travel with each task: the second worker would fetch them from the first.
_SMALL = 1 << 14
#: How often everything may be lost without any result in between.
_LOSSES = 5
#: Seconds without a result after which somebody should know that there are no workers.
_LONG = 5.0
#: What is raised when what was sent is lost, not when a task fails.
_LOST = (CancelledError, asyncio.CancelledError, OSError, TimeoutError, asyncio.TimeoutError, RuntimeError, KeyError)
#: Seconds that a question takes at least that is worth its way.
_WORTH = 1e-4


class Cluster:
    """A Dask cluster by its client; ``say`` hears a sentence about what happens to it."""

    def __init__(self, client: Any, say: Say, *, own: bool = False) -> None:
        self.client, self.say, self.own = client, say, own
        self.address = str(client.scheduler.address) if client.scheduler is not None else ""
        self._sent: OrderedDict[int, tuple[Any, Any]] = OrderedDict()
        self._paces: OrderedDict[int, tuple[Any, float]] = OrderedDict()
        self._told: set[str] = set()
        self._threads, self._looked = 0, -_LOOK
        #: How many bytes of data and tasks were sent.
        self.bytes_sent = 0

    @classmethod
    def of(cls, client: Any, say: Say) -> Cluster:
        """Return the cluster of a client, or at an address; refuse what cannot be used, before anything is sent."""
        cluster = cls(connected_client(client), say, own=isinstance(client, str))
        try:
            if not check_versions(cluster.client):
                say(f"the Dask scheduler at {cluster.address} has no workers yet: the run waits for them")
        except BaseException:
            cluster.close()
            raise
        return cluster

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Give back what lies on the workers, and the client if it is ours."""
        self._sent.clear()
        if self.own:
            with suppress(Exception):
                self.client.close(timeout=2)

    @property
    def dashboard(self) -> str:
        """Where Dask shows what it does; nothing if it does not."""
        with suppress(Exception):
            return str(self.client.dashboard_link or "")
        return ""

    @property
    def threads(self) -> int:
        """How many tasks are worked on at once; looked up now and then, since workers come and go."""
        now = time.monotonic()
        if now >= self._looked + _LOOK:
            with suppress(OSError, CancelledError):
                self._threads = sum(self.client.nthreads().values())
            self._looked = now
        return self._threads

    def say_once(self, sentence: str) -> None:
        """Say a sentence the first time only."""
        if sentence not in self._told:
            self._told.add(sentence)
            self.say(sentence)

    def note_pace(self, test: object, seconds: float) -> None:
        """Take note of how long a question to this test takes."""
        self._paces[id(test)] = (test, seconds)
        while len(self._paces) > KEPT:
            self._paces.popitem(last=False)

    def pace(self, test: object) -> float | None:
        """Return how long a question to this test takes; None if nobody has asked one."""
        return self._paces.get(id(test), (None, None))[1]

    def is_worth(self, test: object) -> bool:
        """Tell whether questions to this test may be worth their way; one whose pace is unknown may be."""
        pace = self.pace(test)
        return pace is None or pace >= _WORTH

    def pieces(self, seconds: float) -> int:
        """Into how many pieces work of so many seconds is divided; if less than two, it is not worth its way."""
        even = seconds / (_EACH * max(self.threads, 1))
        return int(seconds / min(max(even, _PIECE), _LONG_PIECE) + 1e-9)

    def run(
        self,
        function: Callable[..., T],
        tasks: Iterable[tuple[Any, ...]],
        shared: tuple[Any, ...],
        *,
        together: bool = False,
    ) -> Iterator[T]:
        """Call ``function(*shared, *task)`` for each task on some worker, and yield the results in order.

        Results are fetched as the first of them is there; or, ``together``, all of them at the end, which costs less.
        An error in a task is raised as it is.
        """
        to_come, over, size = iter(tasks), False, 1
        waiting: deque[list[tuple[Any, ...]]] = deque()
        under_way: deque[Any] = deque()
        losses = 0
        try:
            while True:
                # Parcels that are under way are the first of those that are waited for.
                room = max(_LEAST, _EACH * self.threads)
                if not over and 2 * len(waiting) <= room:
                    while len(waiting) < room and (parcel := [*islice(to_come, size)]):
                        waiting.append(parcel)
                    over = len(waiting) < room
                if not waiting:
                    return
                try:
                    if len(under_way) < len(waiting):
                        under_way += self._sent_off(function, shared, [*islice(waiting, len(under_way), None)])
                    parcels = self._first(under_way, together=together and over)
                except _LOST as error:
                    if any(future.status == "error" for future in under_way):
                        raise
                    losses += 1
                    under_way.clear()
                    self._come_back(error, losses)
                    continue
                losses = 0
                took = sum(seconds for seconds, _ in parcels) / sum(len(results) for _, results in parcels)
                size = max(1, int(_PARCEL / max(took, 1e-6)))
                for _, results in parcels:
                    waiting.popleft()
                    under_way.popleft()
                    yield from results
        finally:
            if under_way:
                with suppress(Exception):
                    self.client.cancel(list(under_way))

    def computed(self, collection: Any) -> Any:
        """Compute a collection of Dask and return it."""
        return self.client.compute(collection).result()

    def run_on_partitions(
        self, function: Callable[..., T], frame: Any, tasks: Sequence[tuple[Any, ...]], shared: tuple[Any, ...]
    ) -> Iterator[T]:
        """Call ``function(*shared, *task, partition)`` for each partition of a Dask DataFrame, and yield the results.

        They come in order. A task runs where its partition lies, or loads it: no partition is sent anywhere.
        """
        done = losses = 0
        while done < len(tasks):
            under_way: deque[Any] = deque()
            try:
                futures, needed = self._on_partitions(function, frame.partitions[done:], tasks[done:], shared)
                under_way += futures
                while under_way:
                    results = self._first(list(islice(under_way, _LEAST)), needed)
                    losses = 0
                    for result in results:
                        under_way.popleft()
                        done += 1
                        yield result
            except _LOST as error:
                if under_way and under_way[0].status == "error":
                    raise
                losses += 1
                self._come_back(error, losses)
            finally:
                if under_way:
                    with suppress(Exception):
                        self.client.cancel(list(under_way))

    def _on_partitions(
        self, function: Callable[..., Any], frame: Any, tasks: Sequence[tuple[Any, ...]], shared: tuple[Any, ...]
    ) -> tuple[list[Any], set[str]]:
        """Send tasks on partitions on their way; return their futures, and the workers that they cannot do without.

        What loads a partition and what is done with it are one task. A task on what lies on a worker is bound to it:
        else the scheduler would move partitions to workers that have nothing to do.
        """
        from dask import config
        from dask.delayed import delayed

        packed = self._packed((function, shared, tasks))
        self.bytes_sent += len(packed)
        common = delayed(unpacked, pure=False)(packed)
        # What becomes of a partition need not be one: nobody looks at the type that is declared.
        made = frame.map_partitions(
            on_partition, __version__, common, uuid4().hex, meta=frame._meta, enforce_metadata=False
        ).optimize()
        graph = dict(made.__dask_graph__())
        lies = self.client.who_has()
        there = [_lies_at(graph, key, lies) for key in made.__dask_keys__()]
        parts = made.to_delayed(optimize_graph=False)
        futures: dict[int, Any] = {}
        with config.set({"distributed.admin.large-graph-warning-threshold": "1PB"}):
            for place in dict.fromkeys(there):
                own = [i for i, other in enumerate(there) if other == place]
                sent = self.client.compute([parts[i] for i in own], workers=list(place) or None, optimize_graph=False)
                futures.update(zip(own, sent, strict=True))
        return [futures[i] for i in range(len(parts))], {address for place in there for address in place}

    def _sent_off(
        self, function: Callable[..., Any], shared: tuple[Any, ...], parcels: list[list[tuple[Any, ...]]]
    ) -> list[Any]:
        """Send parcels of tasks on their way, in one message."""
        common = self._shared(shared)
        small = [value if isinstance(value, bytes) else None for value in common]
        large = [value for value in common if not isinstance(value, bytes)]
        # In bytes, since Dask would look through every tuple for what could be a future.
        packed = [self._packed((small, parcel)) for parcel in parcels]
        self.bytes_sent += sum(map(len, packed))
        name = getattr(function, "__name__", "task").strip("_")
        columns = [[value] * len(packed) for value in (__version__, of_parcel, function)]
        futures = self.client.map(
            on_worker,
            *columns,
            packed,
            *([value] * len(packed) for value in large),
            key=[f"{name}-{uuid4().hex}" for _ in packed],
        )
        return list(futures)

    def _first(self, futures: Sequence[Any], needed: Set[str] = frozenset(), *, together: bool = False) -> list[Any]:
        """Wait for what the first task returns, or for all; return that of those after it, too, that are through.

        Tasks are lost with the workers that are ``needed``.
        """
        from distributed import KilledWorker, wait

        future = futures[0]
        while True:
            try:
                with self.client.as_current():
                    wait([*futures] if together else future, timeout=_LONG)
                break
            except (TimeoutError, asyncio.TimeoutError):
                if future.status not in ("pending", "finished") or (together and _failed(futures)):
                    break
            if needed and not needed <= set(self.client.nthreads()):
                raise CancelledError("a worker is gone")
            if not self.threads:
                self.say_once("the Dask cluster has no workers any more: the run waits for new ones")
        through = takewhile(lambda other: other.status == "finished", islice(futures, 1, None))
        failed = _failed(futures) if together else []
        try:
            return self._fetched(failed or [future, *through], needed)
        except KilledWorker as error:
            raise WorkerError(
                f"{error.allowed_failures + 1} Dask workers died of the same task: they may have too little memory"
            ) from None

    def _fetched(self, futures: Sequence[Any], needed: Set[str]) -> list[Any]:
        """Fetch results; one that went with a worker that is needed would never come."""
        if not needed:
            return list(self.client.gather(futures))
        coming = asyncio.run_coroutine_threadsafe(
            self.client.gather(list(futures), asynchronous=True), self.client.loop.asyncio_loop
        )
        while not (done := concurrent.futures.wait([coming], timeout=_LOOK).done):
            if not needed <= set(self.client.nthreads()):
                coming.cancel()
                raise CancelledError("a worker is gone")
        return list(done.pop().result())

    def _shared(self, values: tuple[Any, ...]) -> list[Any]:
        """Return the futures of values that all tasks need; what is not known there yet is sent there, once.

        It goes as the argument of a task, not by ``scatter``: that hangs if a worker dies meanwhile, and what all its
        workers die with is lost. So the scheduler keeps it, and workers fetch it from each other. Instead of a future
        there are the bytes of what is small.
        """
        from dask import config

        for value in values:
            if id(value) not in self._sent:
                packed: Any = self._packed(value)
                if len(packed) > _SMALL:
                    self.bytes_sent += len(packed)
                    with config.set({"distributed.admin.large-graph-warning-threshold": "1PB"}):
                        packed = self.client.submit(unpacked, packed, key=f"data-{uuid4().hex}")
                # Who is remembered stays alive, so that no other object gets its number.
                self._sent[id(value)] = (value, packed)
            self._sent.move_to_end(id(value))
        common = [self._sent[id(value)][1] for value in values]
        while len(self._sent) > max(KEPT, len(values)):
            self._sent.popitem(last=False)
        return common

    def _packed(self, value: object) -> bytes:
        """Pickle a value, functions of a script or a notebook included."""
        from distributed.protocol.pickle import dumps

        try:
            return bytes(dumps(value))
        except Exception as error:
            raise InvalidParameterError(
                f"what the tasks need cannot be sent to the Dask workers ({reason_of(error)}): a test or a baseline of "
                "your own must be picklable"
            ) from None

    def _come_back(self, error: BaseException, losses: int) -> None:
        """Find the scheduler again after what was under way is lost; give up if it does not come back."""
        self._sent.clear()
        self._looked = -_LOOK
        if losses > _LOSSES:
            raise WorkerError(
                f"the Dask cluster at {self.address} loses the data sent to it ({reason_of(error)}): look at its "
                "logs, and repeat the run, which continues from its checkpoint if it has one"
            ) from None
        end = time.monotonic() + RETURN
        self.say(f"the Dask cluster at {self.address} has lost tasks, or its scheduler is gone: they are sent again")
        time.sleep(0.2 * losses)
        while self.client.status != "running":
            if self.client.status == "closed" and self.own and time.monotonic() < end:
                with suppress(OSError, TimeoutError, asyncio.TimeoutError):
                    self.client = connected(self.address)
            elif self.client.status == "closed" or time.monotonic() >= end:
                raise WorkerError(
                    f"the Dask scheduler at {self.address} is gone and does not come back: start it, and repeat the "
                    "run, which continues from its checkpoint if it has one"
                ) from None
            time.sleep(0.1)


def _failed(futures: Iterable[Any]) -> list[Any]:
    """Return the first of those whose task raised an error."""
    return [*islice((future for future in futures if future.status == "error"), 1)]


def _lies_at(graph: Any, key: Any, lies: Any) -> tuple[str, ...]:
    """Return the workers that hold what a task needs, if anything of that is there already."""
    from distributed import Future

    found: set[str] = set()
    seen, waiting = {key}, [key]
    while waiting:
        own = graph.get(waiting.pop())
        if isinstance(own, Future):
            found.update(lies.get(own.key, ()))
        else:
            new = set(getattr(own, "dependencies", ())) - seen
            seen |= new
            waiting += new
    return tuple(sorted(found))
