"""Jars of servers that are not in pyspark: fetched once, checked against the kit's list of checksums, then kept.

They lie in the cache folder, below a name that holds their versions and changes with the list. They are checked again
at each use (44 MB take less than a tenth of a second). Keeps out: how they are fetched (ivy.py).
"""

import errno
import fcntl
import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from streamlab.services.base import Told, silent
from streamlab.services.ivy import FetchFailed, Module, repository, retrieve
from streamlab.spark.cache import cache_folder, writable_folder

__all__ = ["CONF", "FetchFailed", "JarSet", "Module", "fetched", "folder_of"]
CONF = Path(__file__).resolve().parent / "conf"
COMMENT = "# sha256 and name of each jar, as `sha256sum -c` reads them\n"


@dataclass(frozen=True)
class JarSet:
    """Jars that belong together: `name` holds the versions, `manifest` is the file with their checksums."""

    name: str
    modules: tuple[Module, ...]
    manifest: Path

    @property
    def expected(self) -> dict[str, str]:
        """The sha256 of each jar, by name."""
        lines = [line.split() for line in self.manifest.read_text("ascii").splitlines() if not line.startswith("#")]
        return {name: checksum for checksum, name in lines}

    @property
    def folder_name(self) -> str:
        """Another name for any other list."""
        return f"{self.name}-{hashlib.sha256(self.manifest.read_bytes()).hexdigest()[:8]}"


def fetched(jars: JarSet, told: Told = silent) -> Path:
    """The folder with the jars, all of them right: fetched at first use, and again where one was damaged.

    Raises `FetchFailed`, `JavaNotFound`.
    """
    if found := _intact(jars, silent):
        return found
    base = writable_folder()
    with _files(base), open(base / f".{jars.name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # whoever comes second waits, and finds them there
        return _intact(jars, told) or _fetch(jars, base, told)


def folder_of(jars: JarSet) -> Path | None:
    """The folder with the jars, not looked into; None if they were never fetched."""
    return next(_folders(jars), None)


def _folders(jars: JarSet) -> Iterator[Path]:
    """Where they lie: in the cache, or where they had to be put since that could not be written."""
    for base in (cache_folder, writable_folder):
        if (folder := base() / jars.folder_name).is_dir():
            yield folder


def _intact(jars: JarSet, told: Told) -> Path | None:
    for folder in _folders(jars):
        wrong = wrong_in(folder, jars.expected)
        if wrong is None:
            return folder
        told(f"{wrong} in {folder}; fetching all of them again")
    return None


def wrong_in(folder: Path, expected: dict[str, str]) -> str | None:
    """None where `folder` holds the expected jars and nothing else; else a sentence about the first that differs."""
    there = {path.name for path in folder.iterdir()}
    for name in sorted(expected.keys() | there):
        if name not in there:
            return f"{name} is missing"
        if name not in expected:
            return f"{name} is not in the kit's list"
        if (got := _sha256(folder / name)) != expected[name]:
            return f"{name} is damaged: expected sha256 {expected[name][:12]}…, got {got[:12]}…"
    return None


def _fetch(jars: JarSet, base: Path, told: Told) -> Path:
    """Fetch into a draft beside the final folder; only what is complete and right gets the final name."""
    draft, final = base / f".{jars.name}.draft", base / jars.folder_name
    shutil.rmtree(draft, ignore_errors=True)  # left by somebody who was killed: we hold the lock
    try:
        folder = _retrieved(jars, draft, told)
        if wrong := wrong_in(folder, jars.expected):
            said = f"{repository()} gave other jars than the kit expects ({wrong}); name another mirror"
            raise FetchFailed("checksum", said)
        for path in [folder, *folder.iterdir()]:
            path.chmod(0o755 if path.is_dir() else 0o644)  # a sandbox reads them as another user
        shutil.rmtree(final, ignore_errors=True)
        folder.replace(final)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    told(f"{len(jars.expected)} jars are in {final}")
    return final


def _retrieved(jars: JarSet, draft: Path, told: Told) -> Path:
    count = len(jars.expected) if jars.manifest.exists() else 0

    def tell(descriptions: int, there: list[Path]) -> None:
        size_mb = sum(path.stat().st_size for path in there if path.exists()) // 1024**2
        how_far = f"{len(there)} of {count} jars, {size_mb} MB" if there else f"{descriptions} descriptions read"
        told(f"fetching {jars.name}: {how_far}")

    told(f"fetching {jars.name} from {repository()}, once: {count} jars, about a minute")
    return retrieve(jars.modules, draft, tell, size="100 MB while fetching, 44 MB afterwards")


def _sha256(file: Path) -> str:
    with open(file, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextmanager
def _files(base: Path) -> Iterator[None]:
    """What the system says about files, in our words."""
    try:
        yield
    except OSError as problem:
        if problem.errno == errno.ENOSPC:
            raise FetchFailed("disk", f"the jars could not be fetched: the disk of {base} is full") from None
        raise FetchFailed("other", f"the jars could not be kept in {base}: {problem.strerror or problem}") from None


def write_manifest(jars: JarSet, told: Told) -> None:
    """Fetch whatever the repository holds and write down its checksums: for the author who changes versions."""
    draft = writable_folder() / f".{jars.name}.listing"
    try:
        folder = _retrieved(jars, draft, told)
        lines = [f"{_sha256(path)}  {path.name}\n" for path in sorted(folder.iterdir())]
        jars.manifest.write_text(COMMENT + "".join(lines), encoding="ascii")
    finally:
        shutil.rmtree(draft, ignore_errors=True)
