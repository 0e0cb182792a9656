"""Reads whose file an entry of an archive is from its name, as Canvas and Moodle write it.

Canvas: `doejane_LATE_4711_98765_lab01_wordcount-1.ipynb`, where 4711 is the user's id, 98765 the attachment's, and "-1"
counts uploads (https://github.com/instructure/canvas-lms/blob/master/lib/content_zipper.rb).
Moodle: `Jane Doe_815_assignsubmission_file_/lab01_wordcount.ipynb`, or all in one name, where 815 is the participant's
number in this one assignment; before it, older releases put the name of the group with a hyphen
(https://github.com/moodle/moodle/blob/main/mod/assign/classes/downloader.php).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from autograder.record.course_site.archive import Entry

_CANVAS = re.compile(r"(?P<owner>.*?)_(?P<late>LATE_)?(?P<number>[0-9]+)_(?P<attachment>[0-9]+)_(?P<file>.+)", re.S)
_CANVAS_TEXT = re.compile(r".*?_(?:LATE_)?[0-9]+_(?P<kind>text|link)\.html", re.S)
_CANVAS_ANONYMOUS = re.compile(r"anon_[^_]+_")
_MOODLE = re.compile(r"(?P<owner>[^_]*)_(?P<number>[0-9]+)_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<file>.*))?", re.S)
_MOODLE_DEFAULT_GROUP = re.compile(r"[^_]*_assignsubmission_")
_COPY = re.compile(r"(?:\((?P<a>[0-9]{1,4})\)|-(?P<b>[0-9]{1,4}))\.ipynb", re.I)


class BadName(ValueError):
    """The name of an entry does not say whose file it is; the text says why."""


@dataclass(frozen=True)
class SiteFile:
    """A file as the site describes it: its owner's name and number, its own name, and what orders several of one owner.

    `upload` counts uploads: Canvas's attachments, or the copies that browsers number; `returned_as` is the part of the
    path from which the site finds the student again.
    """

    entry: Entry
    owner: str
    number: int
    name: str
    upload: int
    returned_as: str
    is_late: bool = False


def of_canvas(entry: Entry) -> SiteFile:
    """Return what Canvas's name says, which is the last part of the path; raises `BadName`."""
    name = PurePosixPath(entry.name).name
    if _CANVAS_ANONYMOUS.match(name):
        raise BadName("Canvas hides the names; turn off anonymous grading, and download the archive again")
    if found := _CANVAS.fullmatch(name):
        upload, number = int(found["attachment"]), int(found["number"])
        late = found["late"] is not None
        return SiteFile(entry, found["owner"], number, found["file"], upload, name[: found.start("file")], late)
    if found := _CANVAS_TEXT.fullmatch(name):
        raise BadName(f"a {found['kind']} that was typed into Canvas, not a file")
    raise BadName("not named as Canvas names files: NAME_USER_ATTACHMENT_FILE")


def of_moodle(entry: Entry) -> SiteFile:
    """Return what Moodle's name says, in the first part of the path that has its form; raises `BadName`."""
    parts = entry.name.split("/")
    for at, part in enumerate(parts):
        if _MOODLE_DEFAULT_GROUP.match(part):
            raise BadName("work of students without a group, and Moodle does not say whose")
        if found := _MOODLE.fullmatch(part):
            return _moodles_file(entry, found, parts[at + 1 :])
    raise BadName("not named as Moodle names files: NAME_PARTICIPANT_assignsubmission_file_")


def _moodles_file(entry: Entry, found: re.Match[str], below: list[str]) -> SiteFile:
    if found["kind"] != "file":
        raise BadName("text that was typed into Moodle, not a file" if found["kind"] == "onlinetext" else "not a file")
    name = found["file"] or (below[-1] if below else "")
    if not name:
        raise BadName("without the name of a file")
    returned_as = f"{found[0]}/" if below else found[0][: found.start("file")]
    copy = _COPY.search(name)
    return SiteFile(
        entry, found["owner"], int(found["number"]), name, int(copy["a"] or copy["b"]) if copy else 0, returned_as
    )


READERS: dict[str, Callable[[Entry], SiteFile]] = {"canvas": of_canvas, "moodle": of_moodle}
