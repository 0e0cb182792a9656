"""A small parser that reads elements, attributes and text of a page, and finds unclosed elements."""

from html.parser import HTMLParser
from typing import Any

VOID = {"meta", "img", "br", "link", "input", "hr", "base"}


class Page(HTMLParser):
    """The elements of a page with their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.unbalanced: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record an element."""
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record an element that closes itself."""
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """Check that the closed element was opened last."""
        if not self._open or self._open.pop() != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        """Collect text."""
        self.text += data

    def values(self, attribute: str) -> list[str]:
        """Return all values of one attribute."""
        return [value for _, attrs in self.tags if (value := attrs.get(attribute)) is not None]

    @property
    def headings(self) -> list[int]:
        """The levels of the headings, in order."""
        return [int(tag[1]) for tag, _ in self.tags if tag in {"h1", "h2", "h3", "h4", "h5", "h6"}]


def all_focused(page: Any) -> list[tuple[str, str]]:
    """Return tag and text of each element that the tab key reaches on the page, in order."""
    focused = "() => { const at = document.activeElement; return [at.tagName, at.innerText || ''] }"
    order: list[tuple[str, str]] = []
    for _ in range(200):
        page.keyboard.press("Tab")
        tag, text = page.evaluate(focused)
        if tag == "BODY":
            break
        order.append((tag, text.strip()))
    return order
