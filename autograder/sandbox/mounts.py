"""Choose which parts of this machine's disk a sandbox sees: programs, libraries and a few files, never all of /usr.

nbgrader's exchange lies in /usr/local/share by default, and a kit or a class may lie anywhere. So folders are shown by
name, and an empty folder covers each private one that lies inside one of them.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.course.class_place import class_folder
from autograder.sandbox.environment import folders_to_show
from streamlab.java.cache import LOCKS, cache_folder

SYSTEM_FOLDERS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
DATA_FOLDERS = ("zoneinfo", "fonts", "fontconfig", "ca-certificates", "crypto-policies", "java", "javazi-1.8")
EXCHANGE = "/usr/local/share/nbgrader"


@dataclass(frozen=True)
class Mount:
    """One mount in the sandbox: this machine's `path` read-only, or an empty folder that covers it."""

    path: str
    is_cover: bool = False


def private_folders(root: Path) -> list[str]:
    """Return the folders that no learner's code may read: the kit, the class, the exchange, the lock files."""
    named = os.environ.get("STREAMLAB_EXCHANGE")
    here = Path(__file__).resolve().parents[2]
    folders = [root, here, class_folder(root), Path(named or EXCHANGE), cache_folder() / LOCKS]
    return sorted({os.path.realpath(each) for each in folders})


def mounts(private: Iterable[str]) -> list[Mount]:
    """Return the mounts, parents before children, so that a folder inside a covered one stays visible."""
    private = [each for each in private if os.path.isdir(each)]
    shown = _outermost([*_system(), *folders_to_show()], set(private))
    covers = {cover for folder in shown for each in private if (cover := _seen_at(each, folder))}
    return sorted([*map(Mount, shown), *(Mount(each, True) for each in covers)], key=lambda each: Path(each.path).parts)


def _seen_at(private: str, folder: str) -> str | None:
    """Return the path under which a shown folder would expose a private one; None if it would not."""
    real = os.path.realpath(folder)
    return os.path.normpath(os.path.join(folder, os.path.relpath(private, real))) if _lies_in(private, real) else None


def hidden_entries(private: Iterable[str]) -> Iterator[str]:
    """Return the entries of the private folders that must stay hidden: those that lead to no folder that is shown."""
    shown = [each.path for each in mounts(private) if not each.is_cover]
    for folder in private:
        for path in sorted(map(str, Path(folder).iterdir())) if os.access(folder, os.R_OK | os.X_OK) else []:
            if not any(_lies_in(each, path) for each in shown):
                yield path


def _system() -> list[str]:
    programs = [f"/usr/{name}" for name in SYSTEM_FOLDERS]
    unmerged = [f"/{name}" for name in SYSTEM_FOLDERS if not os.path.islink(f"/{name}")]
    return [*programs, *unmerged, *(f"/usr/share/{name}" for name in DATA_FOLDERS)]


def _outermost(folders: Iterable[str], private: set[str]) -> list[str]:
    """Return the folders that exist, without those inside another one (unless a private folder lies between)."""
    found: list[str] = []
    for path in sorted({each for each in folders if os.path.exists(each)}, key=lambda each: Path(each).parts):
        above = [other for other in found if _lies_in(path, other)]
        if not above or any(_lies_in(path, each) and _lies_in(each, above[-1]) for each in private):
            found.append(path)
    return found


def _lies_in(path: str, folder: str) -> bool:
    return Path(path) == Path(folder) or Path(folder) in Path(path).parents
