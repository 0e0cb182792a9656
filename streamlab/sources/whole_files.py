"""Files that are there whole or not at all, as a stream that reads a folder needs them. Keeps out: what is in them."""

import os
from pathlib import Path


def write_whole(path: str | Path, text: str) -> None:
    """Write `text` to `path` in one step: under another name, which Spark's streams pass over, and then rename it.

    Folders that are missing are made; a file of that name is replaced.
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
