"""Turns a released notebook into a page: its texts, the cells as a learner gets them, and its pictures as files."""

import base64
import json
import re
from pathlib import Path
from typing import Any

_EMBEDDED = re.compile(r"!\[(?P<alt>[^\]]*)\]\(data:image/svg\+xml;base64,(?P<data>[A-Za-z0-9+/=]+)\)")
_DEFINITION = re.compile(r"^\[(?P<name>[^\]]+)\]: (?P<to>\S+)\n?", re.M)
_FENCE = re.compile(r"^(`{3,})(output|text)$", re.M)


def lab_page(notebook: Path, pictures: Path) -> str:
    """Return the page of a notebook as Markdown, and write its pictures into the folder `pictures`.

    The released notebooks have no solutions, so the page has none.
    """
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    page = "\n\n".join(_text_of(cell) for cell in cells)
    count = 0

    def as_file(found: re.Match[str]) -> str:
        nonlocal count
        count += 1
        name = f"{notebook.stem}-{count}.svg"
        (pictures / name).write_bytes(base64.b64decode(found["data"]))
        return f"![{found['alt']}](pictures/{name})"

    return _FENCE.sub(r"\1text", _EMBEDDED.sub(as_file, page)) + "\n"


def _text_of(cell: dict[str, Any]) -> str:
    source = "".join(cell["source"])
    return _with_own_links(source) if cell["cell_type"] == "markdown" else f"`````python\n{source}\n`````"


def _with_own_links(text: str) -> str:
    """Return the text of a cell with its links written out: on a page, the names [1], [2] of all cells would meet."""
    targets = {found["name"]: found["to"] for found in _DEFINITION.finditer(text)}
    text = _DEFINITION.sub("", text)
    return re.sub(r"\]\[([^\]]+)\]", lambda found: f"]({targets[found[1]]})" if found[1] in targets else found[0], text)
