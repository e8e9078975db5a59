"""Files in the reader's folder: each is written whole or not at all, and a damaged record says nothing."""

import errno
import json
import os
import secrets
import stat
from contextlib import contextmanager, suppress
from pathlib import Path

PROGRESS = ".evalteach-progress.json"


def read_record(path: Path) -> dict:
    """What the record says; a missing or damaged one says nothing."""
    try:
        record = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def write_record(path: Path, record: dict):
    """Write the record as JSON, the same for the same content."""
    write_whole(path, json.dumps(record, indent=1, sort_keys=True).encode() + b"\n", over=True)


def read_progress(path: Path) -> dict[str, set[str]]:
    """The notebooks that ran, each with the exercises that were correct once."""
    lists = {name: done for name, done in read_record(path).items() if isinstance(done, list)}
    return {name: {exercise for exercise in done if isinstance(exercise, str)} for name, done in lists.items()}


def write_whole(path, content: bytes, *, over=False):
    """Write the file of this name whole or not at all; see ``whole_file``."""
    with whole_file(path, over=over) as file:
        file.write(content)


@contextmanager
def whole_file(path, *, over=False):
    """A binary file that gets this name when the block ends; an error or an interrupt leaves everything as it was.

    Without ``over`` the name must be free (FileExistsError). With it the file is replaced and keeps its mode; a link
    stays a link, and the file behind it is replaced.
    """
    target = Path(os.path.realpath(path) if over else path)
    if not over and os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    # Nobody can guess the name, and "x" opens nothing that is there, be it a link or the file of another write.
    partial, is_reserved = target.with_name(f".{secrets.token_hex(16)}"), False
    try:
        with open(partial, "xb") as file:
            with suppress(FileNotFoundError):
                mode = stat.S_IMODE(os.stat(target).st_mode)
                if mode != stat.S_IMODE(os.stat(partial).st_mode):
                    os.chmod(partial, mode)  # before there is anything to read in it
            yield file
        if not over:  # os.replace would replace a file that has come meanwhile, and os.link is not everywhere
            with open(target, "xb"):
                is_reserved = True
        os.replace(partial, target)
    except BaseException:
        if is_reserved:
            target.unlink(missing_ok=True)
        raise
    finally:
        partial.unlink(missing_ok=True)
