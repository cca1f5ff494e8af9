"""Workers that die, a scheduler that is restarted, versions that differ, addresses where nobody answers."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from cluster_cases import chained, content

import hccd
from hccd.cli.main import main
from hccd.errors import InvalidParameterError, WorkerError
from hccd.parallel import Cluster

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="needs signals")]

HERE = Path(__file__).parent


def free_address():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return f"tcp://127.0.0.1:{unused.getsockname()[1]}"


@contextmanager
def running(*commands, path=""):
    """Start ``dask`` commands, and end them whatever happens; ``path`` is looked at first for packages."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([path, str(HERE), str(HERE.parents[1] / "src")])}
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + command[0], *command[1:]],
            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        for command in commands
    ]  # fmt: skip
    try:
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def scheduler(address):
    port = address.rpartition(":")[2]
    return "scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard"


def worker(address):
    return "worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"


def wait_for(address):
    """Wait until the scheduler is there, with a worker; a busy machine takes its time."""
    from distributed import Client

    with Client(address, timeout=90, set_as_default=False) as client:
        client.wait_for_workers(1, timeout=90)


def test_a_worker_is_killed_during_the_bootstrap(client):
    alone = hccd.discover(chained(), bootstrap=150, n_jobs=1)
    processes = list(client.run(os.getpid).values())
    killed = []

    def kill(event):
        if event.stage == "bootstrap" and event.done >= 5 and not killed:
            os.kill(processes[0], signal.SIGKILL)
            killed.append(event.done)

    far = hccd.discover(chained(), bootstrap=150, progress=kill)
    assert killed and killed[0] < 150
    assert content(far) == content(alone)


def test_the_scheduler_is_restarted(capsys, monkeypatch):
    """With all it held, and its workers: the run finds the new one at the same address."""
    monkeypatch.setattr("hccd.parallel.cluster.RETURN", 120.0)
    alone = hccd.discover(chained(), bootstrap=150, n_jobs=1)
    address, again, stopped = free_address(), threading.Event(), threading.Event()

    def come_back():
        again.wait(60)
        with running(scheduler(address), worker(address)):
            stopped.wait(120)

    with running(scheduler(address), worker(address)) as processes:
        wait_for(address)
        thread = threading.Thread(target=come_back)
        thread.start()

        def kill(event):
            if event.stage == "bootstrap" and event.done >= 5 and not again.is_set():
                for process in processes:
                    process.kill()
                    process.wait()
                again.set()

        try:
            far = hccd.discover(chained(), bootstrap=150, progress=kill, verbose=True, client=address)
        finally:
            again.set()
            stopped.set()
            thread.join()
    assert content(far) == content(alone)
    assert f"the Dask cluster at {address} has lost tasks, or its scheduler is gone" in capsys.readouterr().out


def test_a_scheduler_that_stays_away_ends_the_run_with_a_sentence(monkeypatch):
    monkeypatch.setattr("hccd.parallel.cluster.RETURN", 1.0)
    monkeypatch.setattr("hccd.parallel.connection.PATIENCE", 3.0)
    address = free_address()
    with running(scheduler(address), worker(address)) as processes:
        wait_for(address)

        def kill(event):
            if event.stage == "bootstrap" and event.done >= 5:
                for process in processes:
                    process.kill()

        with pytest.raises(WorkerError, match=f"the Dask scheduler at {address} is gone and does not come back: start"):
            hccd.discover(chained(), bootstrap=500, progress=kill, client=address)


def test_workers_with_another_version(tmp_path, capsys):
    """Nothing is sent; the command ends with one sentence and exit code 2."""
    other = tmp_path / "site" / "hccd-9.9.9.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: hccd\nVersion: 9.9.9\n")
    table = tmp_path / "table.csv"
    table.write_text("a,b\n" + "1,2\n2,1\n" * 50)
    address = free_address()
    with running(scheduler(address), worker(address), path=str(other.parent)):
        wait_for(address)
        assert main(["learn", str(table), "--dask", address, "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    there, here = r"the Dask worker tcp://127\.0\.0\.1:\d+ has hccd 9\.9\.9", r"this is hccd \S+"
    assert re.fullmatch(rf"error: {there}, and {here}: install the same version on both\n", error), error
    assert not (tmp_path / "out").exists()


def test_nobody_answers(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("hccd.parallel.connection.PATIENCE", 0.5)
    table = tmp_path / "table.csv"
    table.write_text("a,b\n" + "1,2\n2,1\n" * 50)
    address = free_address()
    assert main(["learn", str(table), "--dask", address, "--out", str(tmp_path / "out")]) == 2
    out, error = capsys.readouterr()
    assert out == "" and error.count("\n") == 1
    assert error.startswith(f"error: no Dask scheduler answers at '{address}' (")
    assert error.endswith("): check the address, and that the scheduler runs\n")
    assert main(["reproduce", "tree", "--dask", "nonsense://x", "--out", str(tmp_path / "studies")]) == 2
    assert capsys.readouterr().err.startswith("error: no Dask scheduler answers at 'nonsense://x' (")


@pytest.mark.parametrize("wrong", [3, "", object(), hccd.HCCD])
def test_what_is_no_client(wrong):
    with pytest.raises(InvalidParameterError, match=r"^client is .*; give a dask\.distributed\.Client or the address"):
        hccd.discover(chained(), client=wrong)


def test_a_client_that_is_closed(cluster):
    from distributed import Client

    client = Client(cluster, set_as_default=False)
    client.close()
    with pytest.raises(InvalidParameterError, match="the Dask client is closed: give one that is connected"):
        hccd.discover(chained(), client=client)


def test_a_killed_command_goes_on(cluster, tmp_path):
    """The driver is killed while workers make its resamples; the next one has the same bytes."""
    import numpy as np

    table, names = tmp_path / "table.csv", ",".join(f"v{i}" for i in range(12))
    np.savetxt(table, chained(), delimiter=",", header=names, comments="")
    hasty = (
        "import sys; from functools import partial; from hccd.cli.tasks import learn as run; from hccd.cli.main import "
        "main; run.CheckpointFolder = partial(run.CheckpointFolder, every=0.05); sys.exit(main(sys.argv[1:]))"
    )

    def start(out, *more):
        command = [sys.executable, "-c", hasty, "learn", table, "--bootstrap", "300", "--out", tmp_path / out, *more]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    alone = start("alone")
    alone.communicate(timeout=120)
    assert alone.returncode == 0
    for stop, code in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
        before = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "far").glob(".hccd*bootstrap*.npz")}
        process = start("far", "--dask", cluster.scheduler_address)
        while process.poll() is None and before == {
            path.name: path.stat().st_mtime_ns for path in (tmp_path / "far").glob(".hccd*bootstrap*.npz")
        }:
            time.sleep(0.01)
        process.send_signal(stop)
        _, error = process.communicate(timeout=60)
        assert process.returncode == code and "Traceback" not in error, error
    process = start("far", "--dask", cluster.scheduler_address)
    _, error = process.communicate(timeout=120)
    assert process.returncode == 0 and "continuing the interrupted run" in error, error
    alone, far = (
        re.sub(rb'"seconds": \{[^}]*\}', b"", (tmp_path / out / "graph.json").read_bytes()) for out in ("alone", "far")
    )
    assert alone == far


def test_a_result_that_went_with_a_worker_is_not_waited_for():
    """Dask waits without end for what a dead worker held, so the tasks that need this worker are given up."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    workers = {"tcp://here": 1, "tcp://gone": 1}

    class Client:
        def __init__(self):
            self.loop = SimpleNamespace(asyncio_loop=loop)

        def gather(self, _futures, *, asynchronous):
            assert asynchronous
            workers.pop("tcp://gone")
            return asyncio.sleep(3600)

        def nthreads(self):
            return workers

    with pytest.raises(CancelledError):
        Cluster._fetched(SimpleNamespace(client=Client()), [object()], {"tcp://gone"})
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)
    loop.close()
