"""Writes the sources of the site's pages: the first page, the labs, and the guides, with links among themselves."""

import re
import shutil
from pathlib import Path

from autograder.builder.readme import PICTURE, labs_table, picture_of_map
from autograder.course import Course
from autograder.site.lab_pages import lab_page

GUIDES = {
    "students": "For learners",
    "instructors": "For instructors",
    "authors": "For authors of labs",
    "architecture": "How the kit is built",
    "verification": "How the kit is verified",
    "glossary": "Glossary",
}
_LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]+)\]\((?P<to>(?!https?://|#)[^)\s]+)\)")

FIRST_PAGE = """# {course}

{opening}

{map}

{playback}

## The labs

{labs}

## Guides

{guides}

```{{toctree}}
:hidden:
:caption: Labs

{lab_pages}
```

```{{toctree}}
:hidden:
:caption: Guides

{guide_pages}
```
"""


SEE_IT_RUN = """<a href="system/index.html">See the system run</a>: a recorded day of the complete system, with ten
faults. It plays in this browser, nothing has to be installed."""


def write_sources(root: Path, course: Course, folder: Path, has_system: bool) -> None:
    """Write the Markdown of all pages and their pictures into `folder`. `has_system`: the site plays the system."""
    pictures = folder / "labs" / "pictures"
    pictures.mkdir(parents=True)
    for lab in course.labs:
        page = lab_page(root / "labs" / lab / f"{lab}.ipynb", pictures)
        (folder / "labs" / f"{lab}.md").write_text(with_links(page, "../", course), encoding="utf-8")
    for guide in GUIDES:
        text = (root / "docs" / f"{guide}.md").read_text(encoding="utf-8")
        (folder / f"{guide}.md").write_text(with_links(text, "", course), encoding="utf-8")
    for drawing in sorted((root / "docs").glob("*.svg")):
        shutil.copy(drawing, folder)
    (folder / "index.md").write_text(_first_page(root, course, has_system), encoding="utf-8")


def _first_page(root: Path, course: Course, has_system: bool) -> str:
    readme = (root / "README.md").read_text(encoding="utf-8")
    opening = readme.split("\n\n")[1]
    return FIRST_PAGE.format(
        course=course.course,
        opening=with_links(opening, "", course),
        map=picture_of_map(root, course).replace(PICTURE, Path(PICTURE).name),
        playback=SEE_IT_RUN if has_system else "",
        labs=with_links(labs_table(root, course), "", course),
        guides="\n".join(f"- [{title}]({guide}.md)" for guide, title in GUIDES.items()),
        lab_pages="\n".join(f"labs/{lab}" for lab in course.labs),
        guide_pages="\n".join(GUIDES),
    )


def with_links(text: str, up: str, course: Course) -> str:
    """Return the text with links to labs and guides that work on the site; of other files, only the link's text stays.

    `up` leads from the page to the site's folder.
    """

    def link(found: re.Match[str]) -> str:
        path, _, anchor = found["to"].partition("#")
        name = Path(path).stem
        anchor = f"#{anchor}" if anchor else ""
        if name in course.labs:
            return f"[{found['text']}]({up}labs/{name}.md{anchor})"
        return f"[{found['text']}]({up}{name}.md{anchor})" if name in GUIDES else found["text"]

    return _LINK.sub(link, text)
