"""Tables that are brought: of every kind, too large, cut off, hostile; a refusal is a sentence, and nothing remains."""

from __future__ import annotations

import gzip
import http.client
import io
import json
import shlex
import socket
from contextlib import closing, suppress
from urllib.parse import quote

import numpy as np
import pandas as pd
import pytest
from serve_server import csv_of, eventually

pytestmark = pytest.mark.slow


def is_sentence(text: str) -> bool:
    return len(text) > 10 and "Traceback" not in text and 'File "' not in text and "bug in hccd" not in text


def test_columns_are_told_as_the_check_tells_them(server, ward):
    key = server.bring(ward)["key"]
    seen = server.look(key)["done"]
    own = {column["name"]: column["own"] for column in seen["columns"]}
    assert own == {
        "name": "out",
        "age": "continuous",
        "weight": "continuous",
        "sex": "discrete",
        "stage": "discrete",
        "pressure": "continuous",
    }
    assert seen["columns"][3]["examples"] in (["f", "m"], ["m", "f"])
    assert any(finding["kind"] == "left-out" for finding in seen["check"]["findings"])
    said = server.look(key, kinds={"stage": "ordinal", "sex": "out"})["done"]["check"]
    assert {column["name"]: column["told_by"] for column in said["columns"]}["stage"] == "ordinal"
    assert "sex" not in {column["name"] for column in said["columns"]}
    assert server.look(key, kinds={"sex": "continuous"})["refused"].startswith("column 'sex'")
    assert server.ask("DELETE", f"tables/{key}").status == 204
    assert server.ask("GET", f"tables/{key}").status == 404
    assert not server.kept()


@pytest.mark.parametrize("ending", ["parquet", "feather", "csv.gz", "tsv"])
def test_formats(server, ward, ending):
    frame = pd.read_csv(io.BytesIO(ward))
    buffer = io.BytesIO()
    if ending == "parquet":
        frame.to_parquet(buffer)
    elif ending == "feather":
        frame.to_feather(buffer)
    else:
        text = frame.to_csv(index=False, sep="\t" if ending == "tsv" else ",").encode()
        buffer.write(gzip.compress(text) if ending.endswith("gz") else text)
    key = server.bring(buffer.getvalue(), f"ward.{ending}")["key"]
    assert server.look(key)["done"]["check"]["n_rows"] == 300


#: Commas separate its cells and semicolons belong to names, in the Cyrillic code page: it is guessed wrongly.
CYRILLIC = "возраст;лет,вес;кг\n".encode("cp1251") + b"".join(b"%d,%d\n" % (i % 7, i * i % 11) for i in range(60))


def test_a_file_is_read_as_the_page_says(server):
    key = server.bring(CYRILLIC)["key"]
    assert "refused" in server.look(key) or server.look(key)["done"]["columns"][0]["name"] != "возраст;лет"
    # In another encoding it has other columns, which are forgotten.
    assert server.look(key, reading={"delimiter": ","})["done"]["columns"][0]["name"] != "возраст;лет"
    reading = {"delimiter": ",", "encoding": "cp1251", "na": "-1"}
    assert [each["name"] for each in server.look(key, reading=reading)["done"]["columns"]] == ["возраст;лет", "вес;кг"]
    corrected = {"kinds": {"возраст;лет": "continuous"}, "reading": reading}
    assert server.look(key, **corrected)["done"]["columns"][0]["own"] == "continuous"
    # A page that is reloaded has the columns of this reading, as hccd takes them by itself.
    was = server.ask("GET", f"tables/{key}").json()
    assert [each["own"] for each in was["columns"]] == ["discrete", "discrete"]
    assert [each["name"] for each in was["columns"]] == ["возраст;лет", "вес;кг"]
    assert was["wishes"]["reading"] == reading
    run = server.learn(key, reading=reading)
    command = shlex.split(run["result"]["repeat"]["command"])
    assert [command[command.index(f"--{name}") + 1] for name in reading] == list(reading.values())


BAD = {
    "empty": b"",
    "blanks": b"  \n\n ",
    "one cell": b"a",
    "header alone": b"a,b,c\n",
    "one column": b"a\n1\n2\n3\n",
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(100),
    "a page": b"<!DOCTYPE html><html><script>alert(1)</script></html>",
    "json": b'{"a": [1, 2]}',
    "zeros": bytes(5000),
    "noise": np.random.default_rng(1).bytes(5000),
    "cut gzip": gzip.compress(b"a,b\n1,2\n" * 1000)[:40],
    "not parquet": b"PAR1" + bytes(50) + b"PAR1",
    "ragged": b"a,b\n1,2\n1,2,3\n",
    "twice the same name": b"a,a\n1,2\n3,4\n" * 5,
    "open quotation": b'a,b\n"1,2\n3,4\n',
}


@pytest.mark.parametrize("content", BAD.values(), ids=BAD)
def test_a_malformed_file_is_refused_in_words(server, content):
    key = server.bring(content)["key"]
    said = server.look(key)
    if "refused" in said:
        assert is_sentence(said["refused"])
        # The file is not called as the user calls it.
        assert str(server.folder) not in said["refused"]
    else:
        assert not said["done"]["check"]["ok"]
        assert all(is_sentence(finding["sentence"]) for finding in said["done"]["check"]["findings"])
    run = server.learn(key)
    assert run["state"] == "refused" and is_sentence(run["sentence"])
    assert str(server.folder) not in run["sentence"]


NAMES = [
    "../../etc/passwd",
    "..\\..\\boot.ini",
    "/etc/passwd",
    "a\x00b.csv",
    "<img src=x onerror=alert(1)>.csv",
    '"; rm -rf ~; ".csv',
    "\u202efdp.csv",
    "a" * 5000 + ".csv",
    "..",
    "",
    "CON",
    "--force.csv",
    "\n\n.csv",
    "table.csv\r\nSet-Cookie: a=b",
    "\U0001f4a9.csv",
]


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_a_name_of_a_file_is_only_a_name(server, name):
    added = server.bring(csv_of({"a": range(40), "b": np.arange(40) % 7, "c": np.arange(40) % 5}), name)
    assert added["name"].isprintable() and 0 < len(added["name"]) <= 200
    assert "/" not in added["name"] and "\\" not in added["name"]
    (kept,) = server.kept()
    assert kept.parent.parent.parent == server.folder
    assert kept.name in ("data", "data.csv", "data.ini")
    run = server.learn(added["key"], options={"bootstrap": "none"})
    assert run["state"] == "done", run
    command = run["result"]["repeat"]["command"]
    words = shlex.split(command)
    assert words[:2] == ["hccd", "learn"] and not words[2].startswith("-")


HOSTILE_COLUMNS = [
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "a,b",
    "a:b",
    "'",
    '""',
    "__proto__",
    "constructor",
    "\u202eright to left",
    "  ",
    "x" * 3000,
    "-1",
    "\U0001f4a9",
    "line\nbreak",
    "--force",
    "$(touch /tmp/x)",
    "zero\x00byte",
]


def hostile_table() -> bytes:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.normal(size=(120, len(HOSTILE_COLUMNS))).round(3), columns=HOSTILE_COLUMNS)
    frame["__proto__"] = rng.integers(0, 4, 120)
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    return buffer.getvalue()


def test_names_of_columns_are_only_names(server):
    key = server.bring(hostile_table())["key"]
    seen = server.look(key)["done"]
    assert [column["name"] for column in seen["columns"]] == HOSTILE_COLUMNS
    wishes = {
        "kinds": {"__proto__": "ordinal", "<script>alert(1)</script>": "out", "a,b": "continuous"},
        "tiers": [["'", "a:b"], ['""', "line\nbreak", "--force"]],
        "options": {"bootstrap": "none"},
    }
    said = server.look(key, **wishes)["done"]["check"]
    kinds = {column["name"]: column["told_by"] for column in said["columns"]}
    assert kinds["__proto__"] == "ordinal" and "<script>alert(1)</script>" not in kinds
    run = server.learn(key, **wishes)
    assert run["state"] == "done"
    assert any("refused" in file for file in run["result"]["files"])


def test_too_large(server):
    sentence = "the file has more than 3 MB"
    # It does not wait for what it will not take.
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)) as connection:
        connection.putrequest("PUT", f"/{server.token}/tables?name=a.csv")
        connection.putheader("Content-Length", "3000001")
        connection.endheaders()
        answer = connection.getresponse()
        assert answer.status == 413 and json.loads(answer.read())["sentence"].startswith(sentence)
    assert not server.kept()
    # One that does not say how large it is.
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)) as connection:
        connection.putrequest("PUT", f"/{server.token}/tables?name=a.csv")
        connection.putheader("Transfer-Encoding", "chunked")
        connection.endheaders()
        # It does not listen to the rest.
        with suppress(ConnectionError):
            for _ in range(40):
                connection.send(b"%x\r\n%s\r\n" % (100_000, b"y" * 100_000))
            connection.send(b"0\r\n\r\n")
            assert connection.getresponse().status == 413
    eventually(lambda: not server.kept())
    assert server.ask("GET", "form").json()["too_large"].startswith(sentence)


def test_a_file_that_unpacks_to_more_than_it_may(server):
    key = server.bring(gzip.compress(b"a,b\n" + b"1,2\n" * 1_000_000), "bomb.csv.gz")["key"]
    assert server.look(key)["refused"].startswith("the file unpacks to more than 3 MB")
    assert server.learn(key)["sentence"].startswith("the file unpacks to more than 3 MB")


def test_an_upload_that_is_cut_off_leaves_nothing(server):
    connection = socket.create_connection(("127.0.0.1", server.port))
    head = f"PUT /{server.token}/tables?name={quote('a.csv')} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
    connection.sendall(f"{head}Content-Length: 1000000\r\n\r\n".encode() + b"a,b\n" + b"1,2\n" * 50_000)
    eventually(lambda: sum(path.stat().st_size for path in server.kept()) > 100_000)
    connection.close()
    eventually(lambda: not server.kept())
    assert [path.name for path in server.folder.glob("*/*")] == ["lock"]


def test_what_the_page_would_not_ask(server, ward):
    key = server.bring(ward)["key"]
    for body in (b"", b"[]", b"null", b"{", b"\xff\xfe", b"[" * 100_000, b'"x"'):
        for method, path in (("POST", "look"), ("PUT", "run")):
            answer = server.ask(method, f"tables/{key}/{path}", body)
            assert answer.status == 400 and is_sentence(answer.json()["sentence"])


SENSELESS = [
    {"options": {"alpha": "7"}},
    {"options": {"seed": "1"}},
    {"options": {"alpha": 3}},
    {"options": []},
    {"kinds": {"age": "blue"}},
    {"kinds": {"age": []}},
    {"kinds": {"nobody": "discrete"}},
    {"kinds": []},
    {"reading": []},
    {"reading": {"drop": "age"}},
    {"reading": {"delimiter": "ab"}},
    {"reading": {"encoding": "klingon"}},
    {"reading": {"decimal": "x"}},
    {"tiers": {}},
    {"tiers": [["age"], ["nobody"]]},
    {"tiers": [["age"], ["age"]]},
    {"tiers": [[1, {}], [None]]},
]


def test_wishes_without_meaning(server, ward):
    key = server.bring(ward)["key"]
    for wishes in SENSELESS:
        said = server.look(key, **wishes)
        findings = [] if "refused" in said else said["done"]["check"]["findings"]
        refusals = [said["refused"]] if "refused" in said else []
        refusals += [finding["sentence"] for finding in findings if finding["severity"] == "error"]
        assert refusals and all(map(is_sentence, refusals)), wishes
        run = server.learn(key, **wishes)
        assert run["state"] == "refused" and is_sentence(run["sentence"]), wishes


def test_the_oldest_of_many_tables_goes(start, ward):
    server = start()
    keys = [server.bring(ward)["key"] for _ in range(14)]
    there = [server.ask("GET", f"tables/{key}").status for key in keys]
    assert there == [404] * 2 + [200] * 12
    assert len(server.kept()) == 12
