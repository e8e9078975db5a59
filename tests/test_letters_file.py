"""The file of the letters: found, fetched once, checked by its hash."""

import hashlib
import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pandas as pd
import pooch
import pytest

from evalteach.data import letters, load_letters

TWO_ROWS = b"T,2,8,3,5,1,8,13,0,6,6,10,8,0,8,0,8\nI,5,12,3,7,2,10,5,5,4,13,3,9,2,8,4,10\n"


def no_network(*args, **kwargs):
    raise AssertionError("the network is not needed here")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of the letters file, with a file of two rows passing for the original."""
    monkeypatch.setenv("EVALTEACH_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(letters, "LETTERS_SHA256", hashlib.sha256(TWO_ROWS).hexdigest())
    return tmp_path


def assert_two_rows(letters):
    assert letters.columns.tolist() == ["letter", *(f"f{i}" for i in range(1, 17))]
    assert letters["letter"].tolist() == ["T", "I"]
    assert letters.iloc[0, 1:].tolist() == [2, 8, 3, 5, 1, 8, 13, 0, 6, 6, 10, 8, 0, 8, 0, 8]


@pytest.mark.skipif(
    not os.environ.get("EVALTEACH_DATA_DIR"),
    reason="EVALTEACH_DATA_DIR does not name the folder of letter-recognition.data",
)
def test_the_letters_are_twenty_thousand_rows_of_sixteen_numbers(monkeypatch):
    monkeypatch.setattr(pooch, "retrieve", no_network)
    letters = load_letters()
    assert letters.shape == (20_000, 17)
    assert_two_rows(letters.head(2))
    sizes = letters["letter"].value_counts().sort_index()
    assert "".join(sizes.index) == "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    assert (sizes["A"], sizes["H"], sizes["U"], sizes["Z"]) == (789, 734, 813, 734)
    numbers = letters.drop(columns="letter")
    assert all(pd.api.types.is_integer_dtype(dtype) for dtype in numbers.dtypes)
    assert (numbers.min().min(), numbers.max().max()) == (0, 15)


def test_a_letters_file_that_is_there_is_read_without_the_network(folder, monkeypatch):
    monkeypatch.setattr(pooch, "retrieve", no_network)
    monkeypatch.setattr(pooch, "os_cache", no_network)
    (folder / "letter-recognition.data").write_bytes(TWO_ROWS)
    assert_two_rows(load_letters())


@pytest.mark.parametrize("unset", ["absent", "empty"])
def test_without_a_folder_named_the_cache_is_used(folder, monkeypatch, unset):
    if unset == "absent":
        monkeypatch.delenv("EVALTEACH_DATA_DIR")
    else:
        monkeypatch.setenv("EVALTEACH_DATA_DIR", "")
    monkeypatch.setattr(pooch, "retrieve", no_network)
    monkeypatch.setattr(pooch, "os_cache", {"evalteach": folder}.__getitem__)
    (folder / "letter-recognition.data").write_bytes(TWO_ROWS)
    assert_two_rows(load_letters())


def test_offline_one_sentence_says_what_to_do(folder, monkeypatch):
    def offline(*args, **kwargs):
        raise ConnectionError("a long story\nof retries and sockets")

    monkeypatch.setattr(pooch, "retrieve", offline)
    with pytest.raises(OSError, match=r"^The letters file could not be fetched \(Conn") as caught:
        load_letters()
    said = str(caught.value)
    assert said.startswith("The letters file could not be fetched (ConnectionError): ")
    assert "\n" not in said
    assert said.endswith(".")
    assert f"download {letters.LETTERS_URL} " in said
    assert "set EVALTEACH_DATA_DIR to that folder" in said
    assert isinstance(caught.value.__cause__, ConnectionError)
    assert list(folder.iterdir()) == []


def test_a_wrong_letters_file_is_refused_and_not_overwritten(folder, monkeypatch):
    monkeypatch.setattr(pooch, "retrieve", no_network)
    path = folder / "letter-recognition.data"
    path.write_bytes(TWO_ROWS[:-1])
    with pytest.raises(OSError, match="is not the original letters file") as caught:
        load_letters()
    assert str(caught.value) == (
        f"{path} is not the original letters file (its SHA-256 differs); move it away and try again."
    )
    assert path.read_bytes() == TWO_ROWS[:-1]


@pytest.fixture
def server(monkeypatch):
    """An address that serves whatever ``server.body`` holds, and counts how often."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            served.times += 1
            self.send_response(200)
            self.end_headers()
            self.wfile.write(served.body)

        def log_message(self, *args):
            pass

    served = HTTPServer(("127.0.0.1", 0), Handler)
    served.body, served.times = TWO_ROWS, 0
    for proxy in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(proxy, raising=False)
    monkeypatch.setattr(letters, "LETTERS_URL", f"http://127.0.0.1:{served.server_port}/letters")
    thread = Thread(target=served.serve_forever, args=(0.01,))
    thread.start()
    yield served
    served.shutdown()
    thread.join()
    served.server_close()


def test_the_letters_are_downloaded_once(folder, server):
    assert_two_rows(load_letters())
    assert (folder / "letter-recognition.data").read_bytes() == TWO_ROWS
    assert_two_rows(load_letters())
    assert server.times == 1


def test_a_download_that_is_not_the_original_is_refused_and_not_kept(folder, server):
    server.body = b"<html>log in first</html>"
    with pytest.raises(OSError, match=r"^The letters file could not be fetched \(ValueError\): "):
        load_letters()
    assert list(folder.iterdir()) == []
