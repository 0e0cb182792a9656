"""Shows students' cells without letting them act: for nbgrader's form grader and feedback pages.

nbconvert's SanitizeHTML cleans the HTML in markdown, but not what markdown itself makes: `[x](javascript:…)` stays a
link. So markdown is rendered first and then cleaned; what is left is text, headings, lists, tables and code. Links
are spelled out: a click on one could open a page of the form grader's own address. MathJax, which can make links,
too, passes it over.
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
CHARACTERS_IN_ALL = 250_000
# nbconvert puts one behind each heading
_PERMALINK = re.compile(r'<a class="anchor-link" href="#[^"]*">(?:¶|&#182;)</a>')
_LINE_END = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_LONG_RUN = re.compile(r"\s{200}|\S{2000}")
_NAMESPACE = "http://www.w3.org/1999/xhtml"
Token = dict[str, Any]


class Harmless(SanitizeHTML):
    """SanitizeHTML, with markdown rendered before it is cleaned, as far as that takes no long time."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """The notebook, cell by cell."""
        self._characters_left = CHARACTERS_IN_ALL
        return super().preprocess(nb, resources)

    def preprocess_cell(self, cell: NotebookNode, resources: Any, cell_index: int) -> tuple[NotebookNode, Any]:
        """The cell with nothing in it that a browser would act on."""
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
    """Markdown as one block of clean HTML, which passes through a second rendering as it is.

    Markdown that would take minutes to render, as thousands of nested tags do, is shown as the text it is.
    Example: harmless("*so* <script>") -> '<div class="…"><p><em>so</em> &lt;script&gt;</p></div>'
    """
    if not _is_quick(markdown):
        return as_text(markdown)
    html = _PERMALINK.sub("", MarkdownWithMath(renderer=NamesPictures(escape=False)).render(markdown))
    return _one_block(_CLEANER.clean(html))


def as_text(markdown: str) -> str:
    """Markdown as it was written, in one block."""
    lines = markdown.replace("\r\n", "\n").replace("\r", "\n")
    return _one_block(f"<pre>{escape(lines)}</pre>")


def _is_quick(markdown: str) -> bool:
    """Whether parser and cleaner, which take a time with the square of some counts, are done at once."""
    few_tags = markdown.count("<") + markdown.count("&") <= TAGS_MAX and markdown.count("\\begin") <= ENVIRONMENTS_MAX
    return few_tags and len(markdown) <= CHARACTERS_MAX


def _is_quick_code(source: str) -> bool:
    """Whether the highlighter, which takes hours for 200 KB of blank lines, is done at once."""
    return len(source) <= CHARACTERS_MAX and not _LONG_RUN.search(source)


def _as_prose(cell: NotebookNode) -> NotebookNode:
    """A code cell as a cell with its text, which nothing highlights; its nbgrader metadata stay."""
    about = {"id": cell.id} if "id" in cell else {}
    return nbformat.v4.new_markdown_cell(as_text(cell.source), metadata=cell.metadata, **about)


def _one_block(html: str) -> str:
    on_one_line = _LINE_END.sub(lambda end: f"&#{ord(end.group())};", html.strip())  # an empty line would end the block
    return f'<div class="{UNTOUCHED_BY_MATHJAX}">{on_one_line}</div>'


class NamesPictures(IPythonRenderer):
    """nbconvert's renderer, with the name of each picture in its place: nothing but text reaches the page."""

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Example: "plot (picture, in the notebook as handed in: attachment:plot.png)"."""
        return f"{text} (picture, in the notebook as handed in: <code>{escape(url)}</code>)"


class LinksSpelledOut(Filter):
    """Each link as its text and its address, whatever signs that has."""

    def __iter__(self) -> Iterator[Token]:
        address = ""
        for token in super().__iter__():
            if token.get("name") != "a":
                yield token
            elif token["type"] == "StartTag":
                address = str(token["data"].get((None, "href"), ""))
            elif token["type"] == "EndTag" and address:
                yield from _spelled_out(address)


def _spelled_out(address: str) -> Iterator[Token]:
    code = {"name": "code", "namespace": _NAMESPACE, "data": {}}
    yield {"type": "Characters", "data": " ("}
    yield {"type": "StartTag", **code}
    yield {"type": "Characters", "data": address}
    yield {"type": "EndTag", **code}
    yield {"type": "Characters", "data": ")"}


_CLEANER = Cleaner(tags=TAGS, attributes=ATTRIBUTES, protocols=PROTOCOLS, filters=[LinksSpelledOut])
