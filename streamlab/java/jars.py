"""Jars that are not in pyspark: fetched once, checked against the kit's list of checksums, then used offline.

They are in the cache folder, in a subfolder whose name changes with the list. An intact jar is never fetched again.
All jars are checked at each use (44 MB take less than a tenth of a second).
"""

import hashlib
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from streamlab.java.cache import acquire, cache_folder, lock_file, writable_folder
from streamlab.java.download import download, fetch_error, opener, repository
from streamlab.progress import OnProgress, silent

PARALLEL_DOWNLOADS, REPORT_EVERY_S = 6, 1.0


@dataclass(frozen=True)
class JarSet:
    """Jars that belong together: `name` has the version, each line of `pins` a sha256 and a place in a repository."""

    name: str
    pins: Path

    @property
    def places(self) -> dict[str, str]:
        """The sha256 of each jar, by its place in a Maven repository."""
        lines = [line.split() for line in self.pins.read_text("ascii").splitlines() if not line.startswith("#")]
        return {place: checksum for checksum, place in lines}

    @property
    def expected(self) -> dict[str, str]:
        """The sha256 of each jar, by its name."""
        return {PurePosixPath(place).name: checksum for place, checksum in self.places.items()}

    @property
    def folder_name(self) -> str:
        """The name of the jars' folder, which is different for every list."""
        return f"{self.name}-{hashlib.sha256(repr(sorted(self.expected.items())).encode()).hexdigest()[:8]}"

    def paths_in(self, folder: Path) -> list[str]:
        """Return the paths of the jars in `folder`, for a class path."""
        return [str(folder / name) for name in sorted(self.expected)]


def fetched(jars: JarSet, on_progress: OnProgress = silent) -> Path:
    """Return the folder with the intact jars; fetch them at first use, and a damaged one again.

    Raises `FetchFailed`; jars that were fetched before the failure stay.
    """
    if found := _intact(jars):
        return found
    base = writable_folder()
    try:
        with open(lock_file(jars.name), "w") as lock:
            acquire(lock, f"fetches the jars of {jars.name}", on_progress)  # a second one then finds them
            return _intact(jars) or _fetch(jars, base / jars.folder_name, on_progress)
    except OSError as problem:
        raise fetch_error(problem, f"the jars of {jars.name}", base) from None


def folder_of(jars: JarSet) -> Path | None:
    """Return the folder with the jars, without checking their contents; None if they were never all fetched."""
    names = set(jars.expected)
    return next((folder for folder in _folders(jars) if names <= {path.name for path in folder.iterdir()}), None)


def wrong_in(folder: Path, expected: dict[str, str]) -> str | None:
    """Return a sentence about the first jar that is missing or damaged, or None if `folder` has all expected jars."""
    return next((wrong for name in sorted(expected) if (wrong := _wrong(folder / name, expected[name]))), None)


def _folders(jars: JarSet) -> Iterator[Path]:
    """Yield the folders that may hold the jars: in the cache, and in its fallback if the cache is not writable."""
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
    """Fetch the jars that `folder` lacks, several in parallel; the caller holds the lock."""
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)  # a sandbox reads it as another user
    missing = {}
    for place, checksum in jars.places.items():
        if wrong := _wrong(file := folder / PurePosixPath(place).name, checksum):
            missing[place] = (checksum, file)
            if file.exists():
                on_progress(f"{wrong}; fetching it again")
    on_progress(f"fetching {jars.name} from {repository()}, once: {len(missing)} jars")
    network = opener()
    with ThreadPoolExecutor(PARALLEL_DOWNLOADS) as pool:
        try:
            _wait_for(
                [pool.submit(download, network, place, *each) for place, each in missing.items()],
                jars.name,
                on_progress,
            )
        finally:
            pool.shutdown(wait=False, cancel_futures=True)  # after a failure, start no more downloads
    on_progress(f"{len(jars.places)} jars are in {folder}")
    return folder


def _wait_for(downloads: list[Future[None]], name: str, on_progress: OnProgress) -> None:
    """Return when all are done, with a progress message once a second; raises the error of the first that failed."""
    next_report_s = time.monotonic() + REPORT_EVERY_S
    for done, each in enumerate(as_completed(downloads), start=1):
        each.result()
        if time.monotonic() >= next_report_s:
            on_progress(f"fetching {name}: {done} of {len(downloads)} jars")
            next_report_s = time.monotonic() + REPORT_EVERY_S
