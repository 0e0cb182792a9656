"""Writes files into a folder, and replaces only what an earlier call wrote there.

The folder's `.portfolio.json` has the digest of each written file. A file that somebody changed since then stays.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

RECORD = ".portfolio.json"


def why_not_writable(folder: Path) -> str | None:
    """Return a sentence if the folder is a file, or has files but no record; hidden ones (.git) may be there."""
    if folder.exists() and not folder.is_dir():
        return f"{folder} is a file, and the portfolio is a folder"
    if not folder.exists() or (folder / RECORD).exists():
        return None
    others = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    return f"{folder} has other files, such as {others[0]}" if others else None


def write_files(folder: Path, files: Mapping[str, str]) -> list[str]:
    """Write {path: text} into the folder, and delete what an earlier call wrote and is no longer among them.

    Returns the paths that stay as they are, since they were changed by hand.
    """
    before, new, kept = _record(folder), {name: _digest(text.encode()) for name, text in files.items()}, list[str]()
    folder.mkdir(parents=True, exist_ok=True)
    _write_record(folder, {**new, **before})  # if this call is interrupted, the next one knows the files of both
    for name in sorted({*before, *files}):
        path = folder / name
        if path.exists() and _digest(path.read_bytes()) not in (before.get(name), new.get(name)):
            kept.append(name)
        elif name in files:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(files[name], encoding="utf-8")
        else:
            path.unlink(missing_ok=True)
    _write_record(folder, {name: digest for name, digest in new.items() if name not in kept})
    return kept


def _write_record(folder: Path, record: Mapping[str, str]) -> None:
    (folder / RECORD).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def _record(folder: Path) -> dict[str, str]:
    """Return {path: digest} of what was written; unreadable records count as empty."""
    try:
        found = dict[str, str](json.loads((folder / RECORD).read_text(encoding="utf-8")))
    except (OSError, TypeError, ValueError):
        return {}
    inside = folder.resolve()
    return {name: digest for name, digest in found.items() if inside in (folder / name).resolve().parents}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
