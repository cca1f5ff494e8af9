"""The command: how it starts, what it refuses, and that it leaves nothing behind."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys

import pytest
from serve_server import Server, eventually

from hccd.cli.main import main

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_at_once_and_leaves_nothing(start, ward, number):
    server = start()
    key = server.bring(ward)["key"]
    server.ask("PUT", f"tables/{key}/run", {"options": {"bootstrap": "200000"}})
    eventually(lambda: server.run(key)["progress"].get("share"))
    (worker,) = server.workers()
    assert list(server.folder.iterdir())
    assert server.stop(number) == (0, "")
    assert not list(server.folder.iterdir())
    assert subprocess.run(
        ["ps", "-o", "stat=", "-p", str(worker)], capture_output=True, check=False
    ).stdout.strip() in (b"", b"Z")


def test_a_worker_ends_with_its_server(start, ward):
    """Even if the server has no time to end it."""
    server = start()
    key = server.bring(ward)["key"]
    server.ask("PUT", f"tables/{key}/run", {"options": {"bootstrap": "200000"}})
    eventually(lambda: server.run(key)["progress"].get("share"))
    (worker,) = server.workers()
    server.process.kill()
    server.process.wait()

    def gone():
        listed = subprocess.run(["ps", "-o", "stat=", "-p", str(worker)], capture_output=True, check=False)
        return listed.stdout.strip()[:1] in (b"", b"Z")

    eventually(gone)


def test_what_a_killed_server_left_behind_goes_at_the_next_start(tmp_path, ward):
    others, target = tmp_path / "hccd-serve-not-ours", tmp_path / "target"
    for folder in (others, target):
        folder.mkdir()
        (folder / "file").write_text("keep")
    (tmp_path / "hccd-serve-link").symlink_to(target)
    (target / "lock").touch()
    killed, alive = Server(tmp_path), Server(tmp_path)
    killed.bring(ward)
    key = alive.bring(ward)["key"]
    killed.stop(signal.SIGKILL)
    kept = {folder for folder in tmp_path.iterdir() if list(folder.glob("*/data.csv"))}
    assert len(kept) == 2
    after = Server(tmp_path)
    # Only its folder is gone: neither that of the server that runs, nor what has no lock of ours, nor a link's target.
    (left,) = (folder for folder in kept if folder.exists())
    assert list(left.glob("*/data.csv"))
    assert alive.look(key)["done"]["check"]["n_rows"] == 300
    assert (others / "file").exists() and (target / "file").exists()
    assert alive.stop() == after.stop() == (0, "")
    assert {path.name for path in tmp_path.iterdir()} == {"hccd-serve-not-ours", "hccd-serve-link", "target"}


def test_a_port_that_is_taken(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--no-open", "--port", str(port)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"error: --port {port} cannot be used (") and said.err.count("\n") == 1


@pytest.mark.parametrize("arguments", [("--port", "x"), ("--port", "-1"), ("--port", "99999"), ("--max-size", "0")])
def test_options_without_meaning(capsys, arguments):
    assert main(["serve", "--no-open", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith(f"error: {arguments[0]} ") and said.err.count("\n") == 1


@pytest.mark.parametrize("package", ["starlette", "uvicorn"])
def test_without_the_extra_one_sentence_says_what_to_install(package):
    code = f"import sys; sys.modules[{package!r}] = None\nfrom hccd.cli.main import main\nsys.exit(main(['serve']))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 2 and ran.stdout == ""
    assert ran.stderr == "error: hccd serve needs starlette and uvicorn: pip install 'hccd[serve]'\n"


def test_a_port_of_ones_own(start):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = start("--no-open", "--port", str(port))
    assert server.port == port and server.ask("GET", "").status == 200


def test_it_may_end_before_it_has_begun(start):
    server = start()
    assert server.stop() == (0, "")
    assert not list(server.folder.iterdir())


def test_it_ends_amid_an_upload_and_a_look_and_says_nothing(start):
    """Nor does it speak of requests that are none."""
    server = start("--no-open", "--max-size", "100")
    with socket.create_connection(("127.0.0.1", server.port)) as noise:
        noise.sendall(b"\x16\x03\x01 this is no request\r\n\r\n")
        assert b"400" in noise.recv(100)
    rows = "".join(f"{i % 7},{i * 0.37 % 1},{i % 3}\n" for i in range(1_000_000))
    key = server.bring(f"a,b,c\n{rows}".encode())["key"]
    with (
        socket.create_connection(("127.0.0.1", server.port)) as looking,
        socket.create_connection(("127.0.0.1", server.port)) as sending,
    ):
        host = f"HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        looking.sendall(f"POST /{server.token}/tables/{key}/look {host}Content-Length: 2\r\n\r\n{{}}".encode())
        sending.sendall(f"PUT /{server.token}/tables?name=a {host}Content-Length: 900\r\n\r\na,b".encode())
        eventually(lambda: len(server.kept()) == 2)
        assert server.stop() == (0, "")
    assert not list(server.folder.iterdir())
