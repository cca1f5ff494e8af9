"""Who is let in: whoever knows the token, asks under the server's own address, and is no other page."""

from __future__ import annotations

import socket

import pytest
from serve_server import eventually

from hccd.serve.guard import Keys

pytestmark = pytest.mark.slow


def test_the_page_loads_nothing_from_elsewhere_and_may_not(server):
    answer = server.ask("GET", "")
    assert answer.status == 200 and answer.headers["content-type"].startswith("text/html")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "http" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert answer.headers["cache-control"] == "no-store"
    assert b"http:" not in answer.body and b"https:" not in answer.body
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("begin", ["", "x", "tables", "..", "%2e%2e", "\u0661".encode().hex(), "a" * 5000])
@pytest.mark.parametrize("method", ["GET", "PUT", "POST", "DELETE", "OPTIONS"])
def test_without_the_token_nothing(server, begin, method):
    answer = server.ask(method, "tables/example", begin=begin)
    assert answer.status == 403
    assert answer.body.count(b"\n") == 1 and b"token" in answer.body
    assert server.token.encode() not in answer.body


def test_a_part_of_the_token_is_not_enough(server):
    for begin in (server.token[:-1], server.token + "x", server.token.swapcase(), f"x/{server.token}"):
        assert server.ask("GET", "", begin=begin).status == 403


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "localhost", ""])
def test_another_name_for_this_address_is_refused(server, host):
    """DNS rebinding: the page of a foreign name would be asked for under that name."""
    answer = server.ask("GET", "", Host=host)
    assert answer.status in (400, 403)
    assert answer.status == 403 or host == ""


def test_localhost_is_this_computer(server):
    assert server.ask("GET", "", Host=f"localhost:{server.port}").status == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"])
@pytest.mark.parametrize("method", ["GET", "PUT", "POST"])
def test_another_page_may_not_ask(server, origin, method):
    answer = server.ask(method, "tables/example", Origin=origin)
    assert answer.status == 403
    assert "access-control-allow-origin" not in answer.headers
    assert not server.kept()


def test_the_page_itself_may_ask(server):
    assert server.ask("GET", "form", Origin=f"http://127.0.0.1:{server.port}").status == 200


def test_it_listens_on_this_computer_only(server):
    """No other address of this machine answers."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("this machine has no other address")
        own = probe.getsockname()[0]
    if own.startswith("127."):
        pytest.skip("this machine has no other address")
    with pytest.raises(OSError):
        socket.create_connection((own, server.port), timeout=2)


def test_the_address_of_the_browser_is_good_for_one_visit(start, tmp_path):
    """Arguments of processes can be read by others on the machine: the token is not among them."""
    opened = tmp_path / "opened"
    script = tmp_path / "browser.sh"
    script.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}.part\nmv {opened}.part {opened}\n')
    script.chmod(0o755)
    server = start("--open", BROWSER=str(script))
    eventually(opened.exists)
    address = opened.read_text()
    assert server.token not in address
    word = address.rpartition("/")[2]
    assert server.ask("GET", "form", begin=word).status == 403
    first = server.ask("GET", "", begin=word)
    assert (first.status, first.headers["location"]) == (303, f"/{server.token}/")
    assert server.ask("GET", "", begin=word).status == 403


def test_tokens_are_long_and_differ():
    keys = [Keys() for _ in range(100)]
    words = {word for each in keys for word in (each.token, each.once)}
    assert len(words) == 200 and min(map(len, words)) >= 32
