"""The kit's cache folder for results that are expensive to get: which Java works, Spark's class archive, jars.

Everything in the folder can be deleted at any time; the kit makes it again.
"""

import fcntl
import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from streamlab.progress import OnProgress

LOCKS = ".locks"


def cache_folder() -> Path:
    """Return this user's folder: the first of `STREAMLAB_CACHE`, `XDG_CACHE_HOME`/streamlab, ~/.cache/streamlab.

    It may be read-only, as in a sandbox, and it may not exist yet.
    """
    if folder := os.environ.get("STREAMLAB_CACHE"):
        return Path(folder)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path(os.path.expanduser("~")) / ".cache") / "streamlab"


def writable_folder() -> Path:
    """Return `cache_folder()`, created if needed; if it is not writable, this user's own folder for temporary files."""
    folder = cache_folder()
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    if os.access(folder, os.W_OK | os.X_OK):
        return folder
    spare = Path(tempfile.gettempdir()) / f"streamlab-{os.getuid()}"
    spare.mkdir(mode=0o700, exist_ok=True)
    if spare.is_symlink() or spare.stat().st_uid != os.getuid():
        return Path(tempfile.mkdtemp(prefix="streamlab-"))
    return spare


def lock_file(name: str) -> Path:
    """Return the lock file `name` of this user's processes; a sandbox shows the cache without the folder of locks."""
    folder = writable_folder() / LOCKS
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / f"{name}.lock"


def acquire(lock: IO[Any], what: str, on_progress: OnProgress) -> None:
    """Acquire the lock of an open file; report it if another process, which does `what`, holds it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        on_progress(f"waiting for another process, which {what}")
        fcntl.flock(lock, fcntl.LOCK_EX)


def recall(name: str) -> dict[str, Any]:
    """Return the values that `remember` stored under `name`; {} if the file is missing or broken."""
    for folder in (cache_folder(), writable_folder()):
        try:
            stored = json.loads((folder / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(stored, dict):
            return stored
    return {}


def remember(name: str, values: dict[str, Any]) -> None:
    """Store `values` under `name` atomically, so that a reader never sees half a file."""
    folder = writable_folder()
    handle, draft = tempfile.mkstemp(dir=folder, prefix=f".{name}.")
    with open(handle, "w", encoding="utf-8") as file:
        json.dump(values, file, indent=1, sort_keys=True)
    os.chmod(draft, 0o644)  # a sandbox reads it as another user
    os.replace(draft, folder / name)
