"""Other packages behind their process: every way in which one can end, and real ones where they are installed."""

import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from hccd.errors import InvalidParameterError
from hccd.studies import peer_script
from hccd.studies.peer_script import CONTINUOUS, DISCRETE, PEERS, PINS
from hccd.studies.peer_server import PeerServer

pytestmark = pytest.mark.slow

STAND_IN = """
import os, signal, sys, time
sys.path.insert(0, {folder!r})
import peer_script as script
from peer_script import Peer, same

def busy(data, kind):
    if len(data) == 100:  # The warm-up.
        return
    while True:
        pass

def breaks(data, kind):
    raise ValueError("no | such\\nluck")

def noisy(data, kind):
    os.write(1, b"not JSON\\n")
    print("neither")
    return data

def ends(data, kind):
    if len(data) != 100:
        os._exit(3)

def interrupted(data, kind):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(10)

def chain(data):
    n = data.shape[1]
    return {{"directed": [[i, i + 1] for i in range(n - 1)]}}

script.available = lambda: {{"causal-learn": "0", "pyagrum": "0"}}
script.PEERS.update({{
    "causal-learn PC": Peer("causal-learn", same, noisy, chain, ""),
    "causal-learn GES": Peer("causal-learn", same, busy, chain, ""),
    "pyagrum tabu": Peer("pyagrum", same, breaks, chain, ""),
    "pyagrum MIIC": Peer("pyagrum", same, ends, chain, ""),
    "pyagrum hill climbing": Peer("pyagrum", same, interrupted, chain, ""),
}})
script.serve()
"""

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs limits of CPU time")


@pytest.fixture
def server(tmp_path):
    script = tmp_path / "stand_in.py"
    script.write_text(STAND_IN.format(folder=str(Path(peer_script.__file__).parent)), encoding="utf-8")
    made = PeerServer(script=script)
    yield made
    made.close()


DATA = np.zeros((5, 3), dtype=np.int64)
CAP = 0.1


@posix
def test_every_end_and_work_goes_on_after_it(server):
    assert server.versions() == {"causal-learn": "0", "pyagrum": "0"}
    right = server.learn("causal-learn PC", DATA, DISCRETE, CAP)
    assert right["directed"] == [[0, 1], [1, 2]] and 0 <= right["seconds"] < 1
    assert server.learn("causal-learn GES", DATA, DISCRETE, CAP) == {"late": CAP}
    assert server.learn("causal-learn PC", DATA, DISCRETE, CAP)["directed"] == [[0, 1], [1, 2]]
    assert server.learn("pyagrum tabu", DATA, DISCRETE, CAP) == {"error": "ValueError: no | such"}
    assert server.learn("pyagrum MIIC", DATA, DISCRETE, CAP) == {"error": "the process ended with code 3"}
    assert server.learn("causal-learn PC", DATA, DISCRETE, CAP)["directed"] == [[0, 1], [1, 2]]


@posix
def test_an_interrupt_is_no_answer_of_the_package(server):
    """It would be kept as a failure, and the method never be tried again."""
    with pytest.raises(KeyboardInterrupt):
        server.learn("pyagrum hill climbing", DATA, DISCRETE, CAP)
    assert server.learn("causal-learn PC", DATA, DISCRETE, CAP)["directed"] == [[0, 1], [1, 2]]


def test_no_interpreter(tmp_path):
    for wrong in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(InvalidParameterError, match=r"--peers is .* no Python that has numpy"):
            PeerServer(str(wrong)).versions()


def collider(kind):
    """Two independent causes of one variable, the last column."""
    rng = np.random.default_rng(5)
    x, y, noise = rng.normal(size=(3, 500))
    z = x + y + 0.5 * noise
    values = np.column_stack([x, y, z])
    return values if kind == CONTINUOUS else (values > 0).astype(np.int64)


@pytest.mark.parametrize("package", PINS)
def test_the_collider_is_found_by_real_packages(package):
    if find_spec(package.replace("causal-learn", "causallearn")) is None:
        pytest.skip("not installed")
    server = PeerServer()
    assert server.versions()[package] == PINS[package]
    for name, peer in PEERS.items():
        for kind in peer.kinds if peer.package == package else ():
            found = server.learn(name, collider(kind), kind, 60)
            assert "error" not in found and "late" not in found, (name, found)
            joined = {tuple(sorted(edge)) for each in ("directed", "undirected") for edge in found.get(each, [])}
            assert joined >= {(0, 2), (1, 2)}, (name, kind, found)
            if (0, 1) not in joined:
                assert sorted(found["directed"]) == [[0, 2], [1, 2]], (name, kind, found)
    server.close()
