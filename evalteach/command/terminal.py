"""How a command talks: lines that are shown at once, one sentence for what went wrong, and commands to paste."""

import os
import re
import sys


class Trouble(Exception):
    """What went wrong, in one sentence for the reader: `main` prints it and returns 2."""


def tell(line: str):
    try:
        print(line, flush=True)  # else a pipe shows what was copied when Lab has ended
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # who reads has seen enough, as `head` does: the work goes on
            raise Trouble(f"the output cannot be written: {error.strerror}.") from error


def to_paste(*words: str) -> str:
    return "run: " + " ".join(word if re.fullmatch(r"[\w./:\\-]+", word) else f'"{word}"' for word in words)


def pip_install(*words: str) -> str:
    return to_paste(sys.executable, "-m", "pip", "install", *words)
