"""Reads the cells of a lab, from a notebook (.ipynb) or from its percent source (.py).

Both become the same type of cell, so that its users (loader, builder, judge) need not tell them apart.
Does not write notebooks; `autograder.builder` does.
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from streamlab.notebooks.outputs import TooManyParts, without_outputs

ROLES = ("given", "task", "show", "check", "written")
KINDS = ("code", "markdown", "raw")
KIT_ID = re.compile(r"(?P<role>given|task|show|check|written|prose)-(?P<name>\w+)")
NOTEBOOK_BYTES_MAX = 200_000_000  # with outputs, which are dropped
SOURCES_BYTES_MAX, PARTS_MAX = 2_000_000, 500_000  # without outputs
UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")  # PowerShell's `>` writes them
NO_NOTEBOOKS = {b"pk\x03\x04": "a zip archive", b"\x1f\x8b": "a gzip archive", b"<": "a web page", b"%pdf": "a PDF"}

_HEADER = re.compile(r"^# %%(?P<rest>.*)$")
_OPTION = re.compile(r'(\w+)="([^"]*)"')


class UnreadableLab(ValueError):
    """The file is neither a notebook nor a percent source; the message says why, in one line."""


@dataclass(frozen=True)
class LabCell:
    """One cell. `role` is None for prose and for cells that a learner added; `line` counts from 1."""

    kind: str
    source: str
    role: str | None = None
    name: str | None = None
    id: str = ""
    line: int = 0
    options: dict[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The cell's name for messages: `count_words`, or for a cell without a name `the cell “x = 1”`."""
        if self.name:
            return self.name
        first = next((line.strip() for line in self.source.split("\n") if line.strip()), "(empty)")
        return f"the cell “{first[:40]}”"


@dataclass(frozen=True)
class LabFile:
    """The cells of one file, with the lab and release that its metadata names."""

    lab: str | None
    release: str | None
    cells: list[LabCell]


def read_lab(path: Path) -> LabFile:
    """Read `path`; raises `UnreadableLab` with one sentence for anything that is neither form."""
    _known_suffix(path)
    try:
        size = path.stat().st_size
        if size > NOTEBOOK_BYTES_MAX:
            raise UnreadableLab(f"{path.name}: {size:,} bytes, and a notebook may have {NOTEBOOK_BYTES_MAX:,}")
        content = path.read_bytes()
    except OSError as problem:
        raise UnreadableLab(f"{path.name}: cannot be read ({problem.strerror})") from None
    return lab_of_bytes(content, path)


def lab_of_bytes(content: bytes, path: Path) -> LabFile:
    """Read a lab from the bytes of `path`, which is not opened; raises `UnreadableLab` as `read_lab` does."""
    _known_suffix(path)
    if path.suffix == ".py":
        return LabFile(path.stem, None, percent_cells(_text_of(content, path.name), path.name))
    return _notebook(raw_notebook(content, path.name), path.name)


def raw_notebook(content: bytes, name: str) -> dict[str, Any]:
    """Return a notebook as its JSON has it, without outputs; "cells" is a list. Raises `UnreadableLab`."""
    try:
        notebook = json.loads(_text_of(_small(content, name), name))
    except (ValueError, RecursionError) as problem:
        if isinstance(problem, UnreadableLab):
            raise
        raise UnreadableLab(f"{name}: not JSON, so no notebook; was it saved completely?") from None
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise UnreadableLab(f"{name}: JSON, but no notebook of format 4 (it has no list of cells)")
    return notebook


def reference_cells(root: Path, lab: str) -> list[LabCell]:
    """Return the cells of the kit's own solutions to `lab`; [] in a student's kit, which has no solutions."""
    try:
        return read_lab(root / "solutions" / lab / f"{lab}.py").cells
    except UnreadableLab:
        return []


def _known_suffix(path: Path) -> None:
    if path.suffix not in (".ipynb", ".py"):
        raise UnreadableLab(f"{path.name}: expected a notebook (.ipynb) or a percent source (.py)")


def _small(content: bytes, name: str) -> bytes:
    """Return a notebook without its outputs; raises `UnreadableLab` if a parser would make too many objects of it."""
    if content[:2] in UTF_16_MARKS and (text := content.decode("utf-16", "replace")).lstrip().startswith("{"):
        content = text.encode("utf-8", "replace")
    try:
        content = without_outputs(content)
    except TooManyParts:
        raise UnreadableLab(f"{name}: its outputs have too many parts; clear them and hand it in again") from None
    parts = content.count(b"{") + content.count(b"[")
    if parts > PARTS_MAX:
        raise UnreadableLab(f"{name}: {parts:,} parts without outputs, and a notebook may have {PARTS_MAX:,}")
    return content


def _text_of(content: bytes, name: str) -> str:
    for beginning, what in NO_NOTEBOOKS.items():
        if content.lstrip()[: len(beginning)].lower() == beginning:
            raise UnreadableLab(f"{name}: {what}; hand in the notebook itself")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise UnreadableLab(f"{name}: byte {problem.start} is no UTF-8, which notebooks are written in") from None
    if not text.strip("\0 \t\r\n"):
        raise UnreadableLab(f"{name}: the file is empty")
    return _with_unix_line_ends(text)


def _with_unix_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def percent_cells(text: str, name: str) -> list[LabCell]:
    """Return the cells of a percent source; the lines before the first `# %%` are the file's own header."""
    lines = text.split("\n")  # splitlines() would also split at form feeds and U+2028, which Python does not
    starts = [at for at, line in enumerate(lines) if _HEADER.match(line)]
    if not starts:
        raise UnreadableLab(f"{name}: no cell found; a percent source marks each with `# %%`")
    ends = [*starts[1:], len(lines)]
    return [_percent_cell(lines[start:end], start + 1) for start, end in zip(starts, ends, strict=True)]


def _percent_cell(lines: list[str], line: int) -> LabCell:
    header, body = lines[0], "\n".join(lines[1:]).strip("\n")
    options = dict(_OPTION.findall(header))
    markdown = "[markdown]" in header
    if markdown:
        body = "\n".join(re.sub(r"^# ?", "", each) for each in body.split("\n"))
    role, cell_name = _role_of(options)
    return LabCell("markdown" if markdown else "code", body, role, cell_name, options.get("id", ""), line, options)


def _role_of(options: dict[str, str]) -> tuple[str | None, str | None]:
    for role in ("task", "check", "written"):
        if role in options:
            return role, options[role]
    return options.get("role"), options.get("name")


def _notebook(notebook: dict[str, Any], name: str) -> LabFile:
    about = _dict(_dict(notebook.get("metadata")).get("streamlab"))
    cells = [_notebook_cell(cell) for cell in notebook["cells"] if isinstance(cell, dict)]
    size = sum(len(cell.source.encode("utf-8", "replace")) for cell in cells)
    if size > SOURCES_BYTES_MAX:
        raise UnreadableLab(f"{name}: cells of {size:,} bytes, and those of a notebook may have {SOURCES_BYTES_MAX:,}")
    return LabFile(_text(about.get("lab")), _text(about.get("release")), cells)


def _notebook_cell(cell: dict[str, Any]) -> LabCell:
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join(each for each in source if isinstance(each, str))
    kind = _text(cell.get("cell_type"))
    role, name = _marks(cell)
    return LabCell(
        kind=kind if kind in KINDS else "markdown",
        source=_with_unix_line_ends(source) if isinstance(source, str) else "",
        role=role,
        name=name,
        id=_text(cell.get("id")) or "",
    )


def _marks(cell: dict[str, Any]) -> tuple[str | None, str | None]:
    """Return role and name by the metadata, or by nbgrader's or the cell's id if an editor removed the metadata."""
    metadata = _dict(cell.get("metadata"))
    about = _dict(metadata.get("streamlab"))
    role, name = _text(about.get("role")), _text(about.get("name"))
    role = role if role in ROLES else None
    ids = (_dict(metadata.get("nbgrader")).get("grade_id"), cell.get("id"))
    marks = (KIT_ID.fullmatch(each) for each in ids if isinstance(each, str))
    found = None if role and name else next((each for each in marks if each and each["role"] in ROLES), None)
    return (found["role"], found["name"]) if found else (role, name)


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
