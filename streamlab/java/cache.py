"""Where the kit remembers what is costly to find out: which Java works, Spark's class archive, jars.

Everything in the folder can be deleted at any time; it is made again.
"""

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

LOCKS = ".locks"


def cache_folder() -> Path:
    """The folder of this user: `STREAMLAB_CACHE`, else `XDG_CACHE_HOME`/streamlab, else ~/.cache/streamlab.

    It may be read-only (a sandbox mounts it so); it may not exist yet.
    """
    if named := os.environ.get("STREAMLAB_CACHE"):
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path(os.path.expanduser("~")) / ".cache") / "streamlab"


def writable_folder() -> Path:
    """`cache_folder()`, made if need be; where that cannot be written, this user's own folder for temporary files."""
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
    """Where processes of this user wait for each other; a sandbox shows the cache without this folder."""
    folder = writable_folder() / LOCKS
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / f"{name}.lock"


def recall(name: str) -> dict[str, Any]:
    """What `remember` stored under `name`, or {}: a file that is missing or broken is no answer."""
    for folder in (cache_folder(), writable_folder()):
        try:
            stored = json.loads((folder / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(stored, dict):
            return stored
    return {}


def remember(name: str, values: dict[str, Any]) -> None:
    """Store `values` under `name` in one step, so that a reader never sees half a file."""
    folder = writable_folder()
    handle, draft = tempfile.mkstemp(dir=folder, prefix=f".{name}.")
    with open(handle, "w", encoding="utf-8") as file:
        json.dump(values, file, indent=1, sort_keys=True)
    os.chmod(draft, 0o644)  # a sandbox reads it as another user
    os.replace(draft, folder / name)
