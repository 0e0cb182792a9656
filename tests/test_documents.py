"""Documents hold together: their links lead somewhere, and README.md fits its limit and the course."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.course import load_course

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("docs", "datasets", "docker")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.md"))])
A_LINK = re.compile(r"\]\((?!https?:)([^)\s]+)\)")
MAX_LINES_OF_README = 150


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_relative_link_leads_to_a_file_and_to_a_heading(document: Path) -> None:
    assert [link for link in links(document) if not leads_somewhere(link, document)] == []


def test_readme_is_at_most_150_lines_long() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= MAX_LINES_OF_README


def test_readme_quotes_the_threshold_and_the_number_of_checks_of_lab_1() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    tasks = load_course(ROOT).labs["lab01_wordcount"].tasks.values()
    rules = [task.throughput for task in tasks if task.throughput]
    checks = len(rules) + sum(len(task.checks) for task in tasks if not task.bonus)

    assert re.findall(r"the rate of (\w+); the threshold is (.+)×", text) == [
        (rule.baseline, f"{rule.threshold:g}") for rule in rules
    ]
    assert re.findall(r"(\d+) of (\d+) checks pass", text) == [(f"{checks}", f"{checks}")]


def links(document: Path) -> Iterator[str]:
    yield from A_LINK.findall(document.read_text(encoding="utf-8"))


def leads_somewhere(link: str, document: Path) -> bool:
    """Return whether the file of a link exists and, after a #, whether that document has the heading."""
    name, _, anchor = link.partition("#")
    target = document.parent / name if name else document
    return target.exists() and (not anchor or anchor in anchors(target))


def anchors(document: Path) -> set[str]:
    """Return the anchors that GitHub makes from the headings: lower case, hyphens for spaces, no punctuation."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
