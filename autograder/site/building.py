"""Builds the site with Sphinx: static files that need neither a server nor a network."""

import importlib
import shutil
import tempfile
from pathlib import Path

from autograder.course import Course
from autograder.site.sources import write_sources
from streamlab.progress import OnProgress, silent


class SiteError(Exception):
    """Sphinx reports problems; the message has the first one and their number."""


# A course may have dropped the last lab, and with it the system.
PLAYBACK = next(Path(__file__).resolve().parent.glob("lab*_playback.py"), None)

# What the theme leaves out for a reader without a mouse or without eyes; axe-core asks for it.
ACCESSIBLE = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="On this page">',
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
}


def build_site(root: Path, course: Course, target: Path, on_progress: OnProgress = silent) -> int:
    """Build the site into `target`, which must not exist yet, and return the number of its pages.

    Raises SiteError, and then leaves nothing.
    """
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace

    with tempfile.TemporaryDirectory(prefix="streamlab-site-") as scratch, docutils_namespace():
        sources, pages, problems = (Path(scratch) / name for name in ("sources", "pages", "problems"))
        write_sources(root, course, sources, has_system=PLAYBACK is not None)
        with problems.open("w") as warnings:
            settings = _settings(course)
            sphinx = Sphinx(sources, None, pages, Path(scratch) / "trees", "html", settings, None, warnings)
            sphinx.build()
        if found := problems.read_text().splitlines():
            raise SiteError(f"{found[0].replace(f'{sources}/', '')} ({len(found)} in all)")
        for page in pages.rglob("*.html"):
            page.write_text(_accessible(page.read_text(encoding="utf-8")), encoding="utf-8")
        if PLAYBACK:
            playback = importlib.import_module(f"autograder.site.{PLAYBACK.stem}")
            playback.write_system_page(course, pages / "system", on_progress)
        (pages / ".buildinfo").unlink()
        shutil.move(pages, target)
    return len(list(target.rglob("*.html")))


def _accessible(page: str) -> str:
    for as_it_is, as_it_should_be in ACCESSIBLE.items():
        page = page.replace(as_it_is, as_it_should_be)
    return page


def _settings(course: Course) -> dict[str, object]:
    return {
        "project": course.course,
        "html_title": f"{course.course} {course.release}",
        "extensions": ["myst_parser"],
        "html_theme": "furo",
        "html_copy_source": False,
        "html_show_copyright": False,
        "html_show_search_summary": False,  # a page that is opened as a file cannot fetch the texts
        "html_show_sphinx": False,
        "myst_heading_anchors": 4,
        "myst_enable_extensions": ["dollarmath"],
        "suppress_warnings": ["misc.highlighting_failure", "myst.header"],
    }
