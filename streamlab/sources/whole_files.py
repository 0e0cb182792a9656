"""Writes files atomically, as a stream that reads a folder requires."""

import os
from pathlib import Path


def write_whole(path: str | Path, text: str) -> None:
    """Write `text` to `path` atomically: write it under a name that Spark's streams ignore, and then rename it.

    Missing folders are created; an existing file is replaced.
    Example: write_whole("incoming/1.txt", "to be\\n")
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
