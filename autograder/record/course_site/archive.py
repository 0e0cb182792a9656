"""Opens a course site's archive: lists its files, rejects unsafe ones with a reason, and unpacks one at a time.

Nothing is unpacked under its name in the archive, so no name can lead elsewhere. Unsafe names are still rejected, since
no course site writes them.
"""

import hashlib
import re
import stat
import unicodedata
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import IO

from autograder.classroom.stray_work import NOT_ENTRIES, is_notebook
from streamlab.notebooks.labfile import NOTEBOOK_BYTES_MAX

ENTRIES_MAX, UNPACKED_BYTES_MAX, CHUNK = 2_000, 1_000_000_000, 1 << 20
IGNORED = frozenset({"Thumbs.db", "desktop.ini"})
ENCRYPTED, UTF_8 = 0x1, 0x800  # flags of an entry, APPNOTE.TXT 4.4.4
_DRIVE = re.compile(r"[A-Za-z]:")


class BadArchive(ValueError):
    """The archive cannot be collected; the text says why."""


class BadEntry(ValueError):
    """A file in the archive cannot be unpacked; the text says why."""


@dataclass(frozen=True)
class Entry:
    """One file in the archive. `time` is local, and of a site that streams the archive it is the time of download."""

    name: str
    size_bytes: int
    time: datetime
    info: zipfile.ZipInfo


class SiteArchive:
    """A zip archive: the files that can be unpacked, and `rejected`, a reason for each other one by its name."""

    def __init__(self, path: Path) -> None:
        self.entries: list[Entry] = []
        self.rejected: dict[str, str] = {}
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, NotImplementedError, ValueError):
            raise BadArchive(f"{path.name}: expected a zip archive, as the course site makes it") from None
        infos = self._zip.infolist()
        if len(infos) > ENTRIES_MAX:
            raise BadArchive(f"{path.name}: {len(infos):,} entries, and an archive may have {ENTRIES_MAX:,}")
        self._sort(infos)

    def __enter__(self) -> "SiteArchive":
        return self

    def __exit__(self, *exception: object) -> None:
        self._zip.close()

    def unpack(self, entry: Entry, target: Path) -> str:
        """Write the entry's bytes to the new file `target`, and return their SHA-256; raises `BadEntry`."""
        digest = hashlib.sha256()
        try:
            with self._zip.open(entry.info) as packed, target.open("xb") as file:
                for chunk in _chunks(packed, entry.size_bytes):
                    digest.update(chunk)
                    file.write(chunk)
        except (zipfile.BadZipFile, zlib.error, EOFError):
            raise BadEntry("damaged in the archive; download the archive again") from None
        except NotImplementedError:
            raise BadEntry("compressed by a method that is not supported; zip it again") from None
        return digest.hexdigest()

    def _sort(self, infos: list[zipfile.ZipInfo]) -> None:
        names = [_name_of(each) for each in infos]
        count = Counter(names)
        for info, name in zip(infos, names, strict=True):
            if _is_ignored(info, name):
                continue
            why = _why_unsafe(info, name)
            if count[name] > 1:
                why = f"the archive has {count[name]} entries of this name"
            if why:
                self.rejected[name] = why
            else:
                self.entries.append(Entry(name, info.file_size, _time_of(info), info))
        self._reject_oversized()

    def _reject_oversized(self) -> None:
        """Reject notebooks that are too large, then the largest ones until the rest fits: nobody can fill a disk."""
        notebooks = sorted((each for each in self.entries if is_notebook(each.name)), key=lambda each: each.size_bytes)
        total = sum(each.size_bytes for each in notebooks)
        while notebooks and (notebooks[-1].size_bytes > NOTEBOOK_BYTES_MAX or total > UNPACKED_BYTES_MAX):
            largest = notebooks.pop()
            why = f"{largest.size_bytes:,} bytes unpacked, and a notebook may have {NOTEBOOK_BYTES_MAX:,}"
            if largest.size_bytes <= NOTEBOOK_BYTES_MAX:
                why = f"the archive has over {UNPACKED_BYTES_MAX:,} bytes unpacked, and this is among the largest files"
            self.rejected[largest.name] = why
            self.entries.remove(largest)
            total -= largest.size_bytes


def _chunks(packed: IO[bytes], size_bytes: int) -> Iterator[bytes]:
    """Yield the entry's bytes; raises `BadEntry` if there are more than the archive declares."""
    left = size_bytes
    while chunk := packed.read(CHUNK):
        left -= len(chunk)
        if left < 0:
            raise BadEntry("more bytes than the archive declares")
        yield chunk


def _name_of(info: zipfile.ZipInfo) -> str:
    """Return the entry's name in composed Unicode; macOS writes UTF-8 without the flag that says so."""
    name = info.orig_filename
    if not info.flag_bits & UTF_8:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return unicodedata.normalize("NFC", name)


def _time_of(info: zipfile.ZipInfo) -> datetime:
    try:
        return datetime(*info.date_time)
    except ValueError:  # a program that writes no time
        return datetime(1980, 1, 1)


def _is_ignored(info: zipfile.ZipInfo, name: str) -> bool:
    """Return whether an entry is a folder, or what an operating system adds to archives."""
    parts = PurePosixPath(name).parts
    is_added = bool(parts) and (parts[-1].startswith("._") or parts[-1] in IGNORED | {".DS_Store"})
    return (info.is_dir() and not _why_unsafe(info, name)) or is_added or not NOT_ENTRIES.isdisjoint(parts)


def _why_unsafe(info: zipfile.ZipInfo, name: str) -> str | None:
    mode = info.external_attr >> 16
    if name.startswith("/") or _DRIVE.match(name):
        return "an absolute path"
    if "\\" in name or "\0" in name:
        return "a name with a backslash or a zero byte"
    if ".." in name.split("/"):
        return "a path that leads out of the archive (..)"
    if stat.S_ISLNK(mode):
        return "a symbolic link"
    if stat.S_IFMT(mode) and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        return "not a regular file"
    if info.flag_bits & ENCRYPTED:
        return "encrypted; ask the student for a file without a password"
    return None
