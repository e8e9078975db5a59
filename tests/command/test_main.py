"""The command as a whole: its help, its imports, and outputs that are closed, full, or short of letters."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import evalteach
from evalteach.command.main import main

ROOT = Path(evalteach.__file__).resolve().parents[1]


def started(*arguments, cwd=ROOT, **options):
    env = {**os.environ, "PYTHONPATH": str(ROOT), **options.pop("env", {})}
    command = [sys.executable, "-m", "evalteach", *arguments]
    return subprocess.Popen(command, cwd=cwd, env=env, stderr=subprocess.PIPE, **options)


def ended(process):
    with process:
        _, errors = process.communicate()
    return process.returncode, errors.decode().splitlines()


def test_no_command_is_an_error_with_the_usage_and_the_version_is_told(capsys):
    with pytest.raises(SystemExit, match="2"):
        main([])
    assert "usage: evalteach" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"evalteach {evalteach.__version__}\n"


def test_a_file_in_the_current_folder_is_not_imported_instead_of_a_package(tmp_path):
    (tmp_path / "numpy.py").write_text("raise ImportError('mine')")
    (tmp_path / "scores.csv").write_text("label,score\n")
    code, (error,) = ended(started("report", "scores.csv", cwd=tmp_path, stdout=subprocess.DEVNULL))
    assert (code, error.split()[:2]) == (2, ["evalteach:", "scores.csv"])


def test_importing_the_command_needs_the_standard_library_alone():
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); import evalteach.command.main;"
        "print(*{name.partition('.')[0] for name in sys.modules} - sys.stdlib_module_names)"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == {"__main__", "evalteach"} - sys.stdlib_module_names


def test_a_second_signal_does_not_disturb_the_tidying_up():
    code = (
        f"import signal, sys; sys.path.insert(0, {str(ROOT)!r})\nfrom evalteach.command.main import _one_signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\ntry:\n with _one_signal():\n  try:\n"
        "   signal.raise_signal(signal.SIGTERM)\n  finally:\n"
        "   signal.raise_signal(signal.SIGINT), signal.raise_signal(signal.SIGTERM)\n   print('tidied')\n"
        "except KeyboardInterrupt as stop:\n print(stop)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["tidied", str(int(signal.SIGTERM))]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
def test_an_output_that_is_full_is_told_in_a_sentence():
    with open("/dev/full", "w") as full:
        code, (error,) = ended(started("list", stdout=full))
    assert (code, "No space left" in error) == (2, True)


@pytest.mark.skipif(os.name != "posix", reason="a pipe that is closed is told in another way")
@pytest.mark.parametrize("arguments", [["lab", "mine", "--copy-only"], ["list"], ["check"]], ids=lambda a: a[0])
def test_a_reader_of_the_first_line_alone_stops_nothing(tmp_path, arguments):
    with started(*arguments, cwd=tmp_path, stdout=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0
    if arguments[0] == "lab":
        assert len([*(tmp_path / "mine").glob("*.ipynb")]) == len([*(ROOT / "notebooks").glob("*.ipynb")])


def test_letters_that_the_output_does_not_have_end_nothing(tmp_path):
    (tmp_path / "数据.csv").write_text("label,оценка\n0,0.1\n1,0.2\n", encoding="utf-8")
    arguments = ["report", "数据.csv", "--positive", "没有"]
    options = {"cwd": tmp_path, "env": {"PYTHONIOENCODING": "cp1252:strict"}, "stdout": subprocess.PIPE}
    with started(*arguments, **options) as process:
        out, errors = process.communicate()
    assert process.returncode == 2
    assert b"reading \\u6570\\u636e.csv" in out
    assert b"'\\u6ca1\\u6709' does not occur" in errors
