"""An installed package with three small notebooks, and its command."""

import pytest
from small_notebooks import NAMES, notebook

from evalteach.command import catalogue
from evalteach.command.main import main


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """The folder of notebooks of an installed package."""
    package = tmp_path / "site-packages" / "evalteach"
    (folder := package / "_notebooks").mkdir(parents=True)
    for name in NAMES:
        (folder / name).write_bytes(notebook(f"# {name}"))
    monkeypatch.setattr(catalogue, "PACKAGE", package)
    return folder


@pytest.fixture
def run(capsys):
    """Run a command: exit code, lines of standard output, lines of standard error."""

    def run(*arguments):
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out.splitlines(), captured.err.splitlines()

    return run


@pytest.fixture
def refused(run):
    """Run a command that ends with 2, one sentence and no traceback; the sentence."""

    def refused(*arguments):
        code, _, errors = run(*arguments)
        assert (code, len(errors)) == (2, 1)
        return errors[0].removeprefix("evalteach: ")

    return refused


@pytest.fixture
def mine(tmp_path):
    return tmp_path / "mine"


@pytest.fixture
def copy(shipped, mine, run):
    """`evalteach lab mine --copy-only`: what it says of each file."""

    def copy(*options, code=0):
        result, lines, errors = run("lab", mine, "--copy-only", *options)
        assert (result, errors) == (code, [])
        return dict(line.split(": ", 1) for line in lines)

    return copy
