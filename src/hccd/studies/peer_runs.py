"""The runs of other packages: graphs kept in a file of their own, so that they are not learned again when we change.

Sets of a data set come one after the other. Once a method does not finish on one, or fails, the later ones are not
tried: the whole data set counts as not finished for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

from hccd.studies.board_data import kind_of, load_board_data
from hccd.studies.peer_script import PEERS
from hccd.studies.peer_server import MEMORY, PeerServer
from hccd.studies.run_store import Case, Row, RunStore
from hccd.studies.sources import Folders

#: Raised when runs of before are no longer comparable.
FORMAT = 1


def peer_store(path: Path, folders: Folders) -> RunStore:
    """Open the file of the graphs; it knows nothing of our own version, of data sets wanted, nor of the cap."""
    return RunStore(path, {"study": "peers", "format": FORMAT, "memory": MEMORY, "archives": folders.mmhc is not None})


def settled(case: Case, store: RunStore, cap: float) -> Row | None:
    """Return what a run came to under a cap, whatever the cap was when it was made; None if it is to be made yet."""
    run = store.find(case)
    if run is None or run["rows"][0].get("late", cap) < cap:
        return None
    row: Row = run["rows"][0]
    return {"late": cap} if "late" in row or row.get("seconds", 0.0) > cap else row


def peer_case(data_set: str, number: int, method: str, versions: Mapping[str, str]) -> Case:
    """Describe a run: what decides its graph."""
    peer = PEERS[method]
    return {
        "data_set": data_set,
        "set": number,
        "method": method,
        "version": versions[peer.package],
        "settings": peer.settings,
    }


def peer_cases(data_sets: Sequence[str], sets: int, methods: Sequence[str], versions: Mapping[str, str]) -> list[Case]:
    """List the runs that the methods at hand can make, all first sets first."""
    return [
        peer_case(data_set, number, method, versions)
        for number in range(1, sets + 1)
        for data_set in data_sets
        for method in methods
        if kind_of(data_set) in PEERS[method].kinds
    ]


def given_up(case: Case, store: RunStore, cap: float) -> bool:
    """Whether a method did not finish on an earlier set of the data set."""
    earlier = (settled({**case, "set": number}, store, cap) for number in range(1, case["set"]))
    return any(row is not None and "seconds" not in row for row in earlier)


def run_peers(
    cases: Sequence[Case],
    store: RunStore,
    python: str | None,
    cap: float,
    folders: Folders,
    workers: int,
    progress: Callable[[int], None],
) -> None:
    """Make the runs that are missing; ``progress`` hears how many of the cases are settled."""
    for number in sorted({case["set"] for case in cases}):
        missing = [
            case
            for case in cases
            if case["set"] == number and settled(case, store, cap) is None and not given_up(case, store, cap)
        ]
        for case, row in _answers(missing, python, cap, folders, workers):
            store.add({"case": case, "rows": [row]})
            progress(sum(1 for each in cases if settled(each, store, cap) is not None or given_up(each, store, cap)))


def _answers(
    cases: Sequence[Case], python: str | None, cap: float, folders: Folders, workers: int
) -> Iterator[tuple[Case, Row]]:
    """Yield each run as it is finished, in any order."""
    waiting: SimpleQueue[Case] = SimpleQueue()
    finished: SimpleQueue[tuple[Case, Row | BaseException]] = SimpleQueue()
    for case in cases:
        waiting.put(case)

    def work() -> None:
        server = PeerServer(python)
        try:
            while not waiting.empty():
                case = waiting.get_nowait()
                data = load_board_data(case["data_set"], case["set"], folders)
                finished.put((case, server.learn(case["method"], data.training, data.kind, cap)))
        except BaseException as error:
            finished.put(({}, error))
        finally:
            server.close()

    # Threads that nobody waits for: whoever is interrupted can leave.
    for _ in range(min(workers, len(cases))):
        Thread(target=work, daemon=True).start()
    for _ in cases:
        case, row = finished.get()
        if isinstance(row, BaseException):
            raise row
        yield case, row


def reason(row: Mapping[str, Any], cap: float) -> str:
    """Say why a run has no graph."""
    return f"did not finish in {cap:g} s" if "late" in row else f"failed: {row['error']}"
