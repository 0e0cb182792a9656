"""Reads the cells of a lab, from a notebook (.ipynb) or from its percent source (.py).

Both become the same type of cell, so that its users (loader, builder, judge) need not tell them apart.
Does not write notebooks; `autograder.builder` does.
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROLES = ("given", "task", "show", "check", "written")
NOTEBOOK_BYTES_MAX = 20_000_000

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
    text = _text_of(content, path.name)
    if path.suffix == ".py":
        return LabFile(path.stem, None, percent_cells(text, path.name))
    return _notebook(text, path.name)


def reference_cells(root: Path, lab: str) -> list[LabCell]:
    """Return the cells of the kit's own solutions to `lab`; [] in a student's kit, which has no solutions."""
    try:
        return read_lab(root / "solutions" / lab / f"{lab}.py").cells
    except UnreadableLab:
        return []


def _known_suffix(path: Path) -> None:
    if path.suffix not in (".ipynb", ".py"):
        raise UnreadableLab(f"{path.name}: expected a notebook (.ipynb) or a percent source (.py)")


def _text_of(content: bytes, name: str) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise UnreadableLab(f"{name}: byte {problem.start} is no UTF-8, which notebooks are written in") from None
    if not text.strip():
        raise UnreadableLab(f"{name}: the file is empty")
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


def _notebook(text: str, name: str) -> LabFile:
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError):
        raise UnreadableLab(f"{name}: not JSON, so no notebook; was it saved completely?") from None
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise UnreadableLab(f"{name}: JSON, but no notebook of format 4 (it has no list of cells)")
    about = _dict(_dict(notebook.get("metadata")).get("streamlab"))
    cells = [_notebook_cell(cell) for cell in notebook["cells"] if isinstance(cell, dict)]
    return LabFile(_text(about.get("lab")), _text(about.get("release")), cells)


def _notebook_cell(cell: dict[str, Any]) -> LabCell:
    about = _dict(_dict(cell.get("metadata")).get("streamlab"))
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join(each for each in source if isinstance(each, str))
    role = _text(about.get("role"))
    return LabCell(
        kind="code" if cell.get("cell_type") == "code" else "markdown",
        source=source if isinstance(source, str) else "",
        role=role if role in ROLES else None,
        name=_text(about.get("name")),
        id=_text(cell.get("id")) or "",
    )


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
