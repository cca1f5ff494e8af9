"""Learning by the page is learning by the command; it can be cancelled at once, and taken up again."""

from __future__ import annotations

import io
import json
import os
import shlex
import signal
import zipfile

import numpy as np
import pytest
from serve_server import csv_of, eventually

from hccd.cli.main import main
from hccd.errors import DataWarning
from hccd.report import MARK

pytestmark = pytest.mark.slow

LONG = {"bootstrap": "200000"}


def without_times(content: bytes) -> dict:
    graph = json.loads(content)
    graph.pop("seconds")
    graph.pop("memory", None)
    return graph


def test_the_graph_is_that_of_the_command(server, ward, tmp_path, monkeypatch, capsys):
    key = server.bring(ward, "ward.csv")["key"]
    run = server.learn(
        key,
        kinds={"stage": "ordinal", "sex": "out"},
        tiers=[["age"], ["weight", "pressure"]],
        options={"alpha": "0.02", "bootstrap": "20"},
    )
    assert run["state"] == "done", run
    repeat = run["result"]["repeat"]
    # What the page says to type gives the same graph.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ward.csv").write_bytes(ward)
    assert main([*shlex.split(repeat["command"])[1:], "--out", "out", "--quiet"]) == 0
    mine, its = (
        without_times(text) for text in (server.file(key, "graph.json"), (tmp_path / "out/graph.json").read_bytes())
    )
    assert mine == its
    arrows = {(edge["source"], edge["target"]) for edge in mine["edges"]}
    assert ("weight", "age") not in arrows and mine["edges"]
    names: dict = {}
    with pytest.warns(DataWarning, match="column 'name'"):
        exec(repeat["python"], names)
    assert names["result"].edges() == [(edge["source"], edge["target"], edge["type"]) for edge in mine["edges"]]
    assert "ward.csv" in repeat["python"]


def test_what_can_be_downloaded(server, ward):
    key = server.bring(ward)["key"]
    assert server.ask("GET", f"tables/{key}/files/graph.json").status == 404
    files = server.learn(key, options={"bootstrap": "none"})["result"]["files"]
    listed = {file["name"]: file for file in files}
    assert {"graph.json", "report.html", "graph.graphml", "graph.edges.csv", "hccd.zip"} <= listed.keys()
    for name, file in listed.items():
        answer = server.ask("GET", f"tables/{key}/files/{name}?download")
        if "refused" in file:
            assert answer.status == 404 and file["bytes"] is None
            continue
        assert answer.status == 200 and len(answer.body) == file["bytes"] > 0
        assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    packed = zipfile.ZipFile(io.BytesIO(server.file(key, "hccd.zip")))
    assert set(packed.namelist()) == {
        name for name, file in listed.items() if "refused" not in file and name != "hccd.zip"
    }
    assert packed.read("graph.json") == server.file(key, "graph.json")
    shown = server.ask("GET", f"tables/{key}/files/report.html")
    assert shown.body.decode().startswith(MARK)
    assert "sandbox" in shown.headers["content-security-policy"]
    assert "allow-same-origin" not in shown.headers["content-security-policy"]
    for name in ("..%2fdata.csv", "..%2f..%2fdata.csv", ".hccd", "data.csv", "%2fetc%2fpasswd", "graph.json%00"):
        assert server.ask("GET", f"tables/{key}/files/{name}").status == 404


def test_cancelling_ends_the_process_at_once_and_learning_goes_on_later(server, ward):
    before = set(server.workers())
    key = server.bring(ward)["key"]
    assert server.ask("PUT", f"tables/{key}/run", {"options": LONG}).status == 202
    progress = eventually(lambda: server.run(key)["progress"].get("share"))
    assert 0.0 < progress < 1.0
    (worker,) = set(server.workers()) - before
    # Meanwhile the server answers, and refuses what must wait.
    assert server.ask("GET", "form").status == 200
    for method, path in (("POST", "look"), ("PUT", "run")):
        busy = server.ask(method, f"tables/{key}/{path}", {})
        assert busy.status == 409 and "being learned" in busy.json()["sentence"]
    run = server.ask("DELETE", f"tables/{key}/run").json()
    assert run["state"] == "cancelled" and run["result"] is None
    assert worker not in server.workers()
    assert server.ask("GET", f"tables/{key}/files/graph.json").status == 404
    assert server.learn(key, options={"bootstrap": "none"})["state"] == "done"
    assert server.ask("DELETE", f"tables/{key}/run").json()["state"] == "done"


def test_progress_is_true(server, ward):
    """What is shown goes from 0 to 1 and never back, and counts what there is."""
    key = server.bring(ward)["key"]
    assert server.ask("PUT", f"tables/{key}/run", {"options": {"bootstrap": "3000"}}).status == 202
    seen = []
    while (run := server.run(key))["state"] == "running":
        if run["progress"] and run["progress"]["doing"].startswith("resampling"):
            seen.append((run["progress"]["share"], run["progress"]["doing"], run["progress"]["time"]))
    assert run["state"] == "done"
    shares = [share for share, _, _ in seen]
    assert len(set(shares)) > 2 and shares == sorted(shares) and shares[0] >= 0.0 and shares[-1] <= 1.0
    done = [int(doing.removeprefix("resampling: ").removesuffix(" of 3,000").replace(",", "")) for _, doing, _ in seen]
    assert done == sorted(done) and len(set(done)) > 2 and done[-1] <= 3000
    assert all(time.endswith(("left", "unknown")) for _, _, time in seen)


def test_a_table_that_is_forgotten_takes_its_run_along(server, ward):
    before = set(server.workers())
    key = server.bring(ward)["key"]
    server.ask("PUT", f"tables/{key}/run", {"options": LONG})
    eventually(lambda: server.run(key)["progress"].get("share"))
    assert server.ask("DELETE", f"tables/{key}").status == 204
    assert set(server.workers()) <= before
    assert not [path for path in server.kept() if key in str(path)]


def test_a_process_that_dies_is_told_and_replaced(server, ward):
    before = set(server.workers())
    key = server.bring(ward)["key"]
    server.ask("PUT", f"tables/{key}/run", {"options": LONG})
    eventually(lambda: server.run(key)["progress"].get("share"))
    (worker,) = set(server.workers()) - before
    os.kill(worker, signal.SIGKILL)
    run = eventually(lambda: (run := server.run(key))["state"] != "running" and run)
    assert run["state"] == "refused" and "memory" in run["sentence"]
    assert server.learn(key, options={"bootstrap": "none"})["state"] == "done"


def test_modules_beside_the_user_are_not_imported(start, tmp_path, monkeypatch):
    """A file random.py in the folder where hccd serve is started is of no concern."""
    (tmp_path / "json.py").write_text("raise SystemExit('not this one')")
    monkeypatch.chdir(tmp_path)
    server = start()
    key = server.bring(csv_of({"a": range(40), "b": np.arange(40) % 7}))["key"]
    assert "done" in server.look(key)
