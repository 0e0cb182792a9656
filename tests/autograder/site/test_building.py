"""The site, built whole: its links lead somewhere, and nothing on it needs a network or shows a solution."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from autograder.builder.source import read_source
from autograder.cli.context import ROOT, course
from autograder.cli.lab_locks import ensure_locks
from autograder.cli.site import LOCK

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of this kit."""
    ensure_locks([LOCK])
    from autograder.site import build_site

    folder = tmp_path_factory.mktemp("site") / "pages"
    assert build_site(ROOT, course(), folder) > len(course().labs)
    return folder


class Targets(HTMLParser):
    """Collects the addresses of links, pictures, styles and scripts of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "a" and "href" in values:
            self.links.add(values["href"])
        loaded = values.get("src") or (values.get("href", "") if tag == "link" else "")
        if loaded and not loaded.startswith("data:"):
            self.loaded.add(loaded)


def test_every_link_within_the_site_leads_to_a_page(site: Path) -> None:
    missing = []
    for page in site.rglob("*.html"):
        for link in Targets(page.read_text(encoding="utf-8")).links:
            parts = urlsplit(link)
            if not parts.scheme and parts.path and not (page.parent / unquote(parts.path)).exists():
                missing.append((page.name, link))

    assert missing == []


def test_a_page_loads_its_own_files_only_and_from_any_folder_of_a_server(site: Path) -> None:
    loaded = {each for page in site.rglob("*.html") for each in Targets(page.read_text(encoding="utf-8")).loaded}
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))

    assert [each for each in loaded if urlsplit(each).scheme or each.startswith("/")] == []
    assert re.findall(r"url\(['\"]?(?:https?:|/)[^)]*", styles) == []


def test_a_lab_is_shown_with_the_stubs_of_its_tasks(site: Path) -> None:
    stubs, tasks = {}, {}
    for lab in course().labs:
        text = re.sub(r"<[^>]+>", "", (site / "labs" / f"{lab}.html").read_text(encoding="utf-8"))
        stubs[lab] = text.count("raise NotImplementedError(")
        tasks[lab] = sum(cell.role == "task" for cell in read_source(ROOT, lab))

    assert stubs == tasks
