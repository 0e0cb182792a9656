"""Sanitizes students' cells for nbgrader's form grader and feedback pages.

nbconvert's SanitizeHTML cleans the HTML in markdown, but not the HTML that markdown produces: `[x](javascript:…)`
stays a link. This module renders markdown first and then cleans it; text, headings, lists, tables and code remain.
Links are shown as text, since a click could open a page at the form grader's own address. MathJax can create links,
too, so the HTML has the class that makes MathJax skip it.
"""

import re
from collections.abc import Iterator
from html import escape
from typing import Any

import nbformat
from bleach.html5lib_shim import Filter
from bleach.sanitizer import Cleaner
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbconvert.preprocessors.sanitize import SanitizeHTML
from nbformat import NotebookNode

TEXT_TAGS = ["abbr", "b", "blockquote", "br", "code", "del", "em", "i", "p", "pre", "s", "strong", "sub", "sup"]
BLOCK_TAGS = ["a", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "span", "ul"]
TABLE_TAGS = ["table", "tbody", "td", "th", "thead", "tr"]
TAGS = frozenset([*TEXT_TAGS, *BLOCK_TAGS, *TABLE_TAGS])
ATTRIBUTES = {"a": ["href"], "ol": ["start"]}
PROTOCOLS = frozenset({"http", "https", "mailto"})
UNTOUCHED_BY_MATHJAX = "tex2jax_ignore mathjax_ignore"
CHARACTERS_MAX, TAGS_MAX, ENVIRONMENTS_MAX = 40_000, 1_000, 100
CHARACTERS_TOTAL_MAX = 250_000
# nbconvert puts one after each heading
_PERMALINK = re.compile(r'<a class="anchor-link" href="#[^"]*">(?:¶|&#182;)</a>')
_LINE_END = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_LONG_RUN = re.compile(r"\s{200}|\S{2000}")
_NAMESPACE = "http://www.w3.org/1999/xhtml"
Token = dict[str, Any]


class SanitizeMarkdown(SanitizeHTML):
    """SanitizeHTML that renders markdown before it cleans it; markdown that is slow to render is shown as source."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Sanitize the notebook, cell by cell."""
        self._characters_left = CHARACTERS_TOTAL_MAX
        return super().preprocess(nb, resources)

    def preprocess_cell(self, cell: NotebookNode, resources: Any, cell_index: int) -> tuple[NotebookNode, Any]:
        """Return the cell without anything that a browser would run or load."""
        self._characters_left -= len(cell.source)
        if cell.cell_type == "markdown":
            cell.source = harmless(cell.source) if self._characters_left >= 0 else as_text(cell.source)
            cell.attachments = {}
            return cell, resources
        slow = cell.cell_type == "code" and (self._characters_left < 0 or not _is_quick_code(cell.source))
        if slow and not cell.outputs:  # those with outputs are the released cells that hold the verdicts
            return _as_prose(cell), resources
        return super().preprocess_cell(cell, resources, cell_index)


def harmless(markdown: str) -> str:
    """Return markdown as one block of clean HTML, which a second rendering leaves unchanged.

    Markdown that would take minutes to render, such as thousands of nested tags, is shown as its source text.
    Example: harmless("*so* <script>") -> '<div class="…"><p><em>so</em> &lt;script&gt;</p></div>'
    """
    if not _is_quick(markdown):
        return as_text(markdown)
    html = _PERMALINK.sub("", MarkdownWithMath(renderer=PicturesAsText(escape=False)).render(markdown))
    return _one_block(_CLEANER.clean(html))


def as_text(markdown: str) -> str:
    """Return the markdown source in one block."""
    lines = markdown.replace("\r\n", "\n").replace("\r", "\n")
    return _one_block(f"<pre>{escape(lines)}</pre>")


def _is_quick(markdown: str) -> bool:
    """Return whether parser and cleaner, which are quadratic in some counts, finish quickly."""
    few_tags = markdown.count("<") + markdown.count("&") <= TAGS_MAX and markdown.count("\\begin") <= ENVIRONMENTS_MAX
    return few_tags and len(markdown) <= CHARACTERS_MAX


def _is_quick_code(source: str) -> bool:
    """Return whether the highlighter, which takes hours for 200 KB of blank lines, finishes quickly."""
    return len(source) <= CHARACTERS_MAX and not _LONG_RUN.search(source)


def _as_prose(cell: NotebookNode) -> NotebookNode:
    """Return a code cell as a markdown cell with its text, without highlighting; it keeps its nbgrader metadata."""
    cell_id = {"id": cell.id} if "id" in cell else {}
    return nbformat.v4.new_markdown_cell(as_text(cell.source), metadata=cell.metadata, **cell_id)


def _one_block(html: str) -> str:
    on_one_line = _LINE_END.sub(lambda end: f"&#{ord(end.group())};", html.strip())  # an empty line would end the block
    return f'<div class="{UNTOUCHED_BY_MATHJAX}">{on_one_line}</div>'


class PicturesAsText(IPythonRenderer):
    """nbconvert's renderer, which shows the name of each picture in its place: only text reaches the page."""

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Return a picture as text. Example: "plot (picture, in the notebook as handed in: attachment:plot.png)"."""
        if url.startswith("data:"):  # the picture itself
            return f"{text} (picture)"
        return f"{text} (picture, in the notebook as handed in: <code>{escape(url)}</code>)"


class LinksAsText(Filter):
    """Replaces each link by its text and its address, even if the address has unusual characters."""

    def __iter__(self) -> Iterator[Token]:
        address = ""
        for token in super().__iter__():
            if token.get("name") != "a":
                yield token
            elif token["type"] == "StartTag":
                address = str(token["data"].get((None, "href"), ""))
            elif token["type"] == "EndTag" and address:
                yield from _address(address)


def _address(address: str) -> Iterator[Token]:
    code = {"name": "code", "namespace": _NAMESPACE, "data": {}}
    yield {"type": "Characters", "data": " ("}
    yield {"type": "StartTag", **code}
    yield {"type": "Characters", "data": address}
    yield {"type": "EndTag", **code}
    yield {"type": "Characters", "data": ")"}


_CLEANER = Cleaner(tags=TAGS, attributes=ATTRIBUTES, protocols=PROTOCOLS, filters=[LinksAsText])
