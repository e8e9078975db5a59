"""Small records in the reader's folder: read whatever is there, written whole or not at all."""

import json
import os
import secrets
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
    write_whole(path, json.dumps(record, indent=1, sort_keys=True).encode() + b"\n")


def read_progress(path: Path) -> dict[str, set[str]]:
    """The notebooks that ran, each with the exercises that were correct once."""
    lists = {name: done for name, done in read_record(path).items() if isinstance(done, list)}
    return {name: {exercise for exercise in done if isinstance(exercise, str)} for name, done in lists.items()}


def write_whole(target: Path, content: bytes):
    """Replace the file or link of this name; an interrupted write leaves the old one or none, never half."""
    # Nobody can know the name, and "x" opens nothing that is there, be it a link or the file of another write.
    partial = target.with_name(f".{target.name}.{secrets.token_hex(8)}")
    try:
        with open(partial, "xb") as file:
            file.write(content)
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)
