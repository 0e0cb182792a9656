"""Jars that are not in pyspark: fetched once, checked against the kit's list of checksums, then used offline.

They lie in the cache folder, below a name that changes with the list. A jar that is there and right is never fetched
again; all are checked at each use (44 MB take less than a tenth of a second).
"""

import fcntl
import hashlib
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from streamlab.java.cache import cache_folder, lock_file, writable_folder
from streamlab.java.download import because_of, download, opener, repository
from streamlab.progress import OnProgress, silent

AT_ONCE, TELL_EVERY_S = 6, 1.0


@dataclass(frozen=True)
class JarSet:
    """Jars that belong together: `name` holds the version, each line of `pins` a sha256 and a place in a repository."""

    name: str
    pins: Path

    @property
    def places(self) -> dict[str, str]:
        """Where each jar is in a Maven repository, and the sha256 that it must have."""
        lines = [line.split() for line in self.pins.read_text("ascii").splitlines() if not line.startswith("#")]
        return {place: checksum for checksum, place in lines}

    @property
    def expected(self) -> dict[str, str]:
        """The sha256 of each jar, by its name."""
        return {PurePosixPath(place).name: checksum for place, checksum in self.places.items()}

    @property
    def folder_name(self) -> str:
        """Another name for any other list."""
        return f"{self.name}-{hashlib.sha256(repr(sorted(self.expected.items())).encode()).hexdigest()[:8]}"

    def paths_in(self, folder: Path) -> list[str]:
        """The jars in `folder` as a class path has them."""
        return [str(folder / name) for name in sorted(self.expected)]


def fetched(jars: JarSet, on_progress: OnProgress = silent) -> Path:
    """The folder with the jars, all of them right: fetched at first use, and again where one is damaged.

    Raises `FetchFailed`; what was fetched until then stays.
    """
    if found := _intact(jars):
        return found
    base = writable_folder()
    try:
        with open(lock_file(jars.name), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # whoever comes second waits, and finds them there
            return _intact(jars) or _fetch(jars, base / jars.folder_name, on_progress)
    except OSError as problem:
        raise because_of(problem, f"the jars of {jars.name}", base) from None


def folder_of(jars: JarSet) -> Path | None:
    """The folder with the jars, not looked into; None if they were never all fetched."""
    names = set(jars.expected)
    return next((folder for folder in _folders(jars) if names <= {path.name for path in folder.iterdir()}), None)


def wrong_in(folder: Path, expected: dict[str, str]) -> str | None:
    """None where `folder` holds the expected jars; else a sentence about the first that is missing or differs."""
    return next((wrong for name in sorted(expected) if (wrong := _wrong(folder / name, expected[name]))), None)


def _folders(jars: JarSet) -> Iterator[Path]:
    """Where they lie: in the cache, or where they had to be put since that could not be written."""
    for base in (cache_folder, writable_folder):
        if (folder := base() / jars.folder_name).is_dir():
            yield folder


def _intact(jars: JarSet) -> Path | None:
    return next((folder for folder in _folders(jars) if wrong_in(folder, jars.expected) is None), None)


def _wrong(jar: Path, checksum: str) -> str | None:
    if not jar.exists():
        return f"{jar.name} is missing"
    with open(jar, "rb") as stream:
        got = hashlib.file_digest(stream, "sha256").hexdigest()
    return None if got == checksum else f"{jar.name} is damaged: expected sha256 {checksum[:12]}…, got {got[:12]}…"


def _fetch(jars: JarSet, folder: Path, on_progress: OnProgress) -> Path:
    """Fetch what `folder` lacks, several at once; the caller holds the lock."""
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)  # a sandbox reads it as another user
    lacking = {}
    for place, checksum in jars.places.items():
        if wrong := _wrong(file := folder / PurePosixPath(place).name, checksum):
            lacking[place] = (checksum, file)
            if file.exists():
                on_progress(f"{wrong}; fetching it again")
    on_progress(f"fetching {jars.name} from {repository()}, once: {len(lacking)} jars")
    network = opener()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        try:
            _wait_for(
                [pool.submit(download, network, place, *each) for place, each in lacking.items()],
                jars.name,
                on_progress,
            )
        finally:
            pool.shutdown(wait=False, cancel_futures=True)  # after a failure nothing more is begun
    on_progress(f"{len(jars.places)} jars are in {folder}")
    return folder


def _wait_for(downloads: list[Future[None]], name: str, on_progress: OnProgress) -> None:
    """Return when all are done, with a word once a second; raises what the first to fail raised."""
    next_word_s = time.monotonic() + TELL_EVERY_S
    for done, each in enumerate(as_completed(downloads), start=1):
        each.result()
        if time.monotonic() >= next_word_s:
            on_progress(f"fetching {name}: {done} of {len(downloads)} jars")
            next_word_s = time.monotonic() + TELL_EVERY_S
