"""Shows students' cells without letting them act: for nbgrader's form grader and feedback pages.

nbconvert's SanitizeHTML cleans the HTML in markdown, but not what markdown itself makes: `[x](javascript:…)` stays a
link. So markdown is rendered first and then cleaned; what is left is text, headings, lists, tables and code. Links
are spelled out: a click on one could open a page of the form grader's own address. MathJax, which can make links,
too, passes it over.
"""

import re
from typing import Any

from bleach import clean
from nbconvert.filters.markdown_mistune import markdown2html_mistune
from nbconvert.preprocessors.sanitize import SanitizeHTML
from nbformat import NotebookNode

TEXT_TAGS = ["abbr", "b", "blockquote", "br", "code", "del", "em", "i", "p", "pre", "s", "strong", "sub", "sup"]
BLOCK_TAGS = ["a", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "span", "ul"]
TABLE_TAGS = ["table", "tbody", "td", "th", "thead", "tr"]
TAGS = frozenset([*TEXT_TAGS, *BLOCK_TAGS, *TABLE_TAGS])
ATTRIBUTES = {"a": ["href"], "ol": ["start"]}
PROTOCOLS = frozenset({"http", "https", "mailto"})
UNTOUCHED_BY_MATHJAX = "tex2jax_ignore mathjax_ignore"
_PERMALINK = re.compile(r'<a href="#[^"]*">(?:¶|&#182;)</a>')  # nbconvert puts one behind each heading
_LINK = re.compile(r'<a href="(?P<to>[^"]*)">(?P<text>.*?)</a>', re.DOTALL)


class Harmless(SanitizeHTML):
    """SanitizeHTML, with markdown rendered before it is cleaned."""

    def preprocess_cell(self, cell: NotebookNode, resources: Any, cell_index: int) -> tuple[NotebookNode, Any]:
        """The cell with nothing in it that a browser would act on."""
        if cell.cell_type == "markdown":
            cell.source = harmless(cell.source)
            cell.attachments = {}
            return cell, resources
        return super().preprocess_cell(cell, resources, cell_index)


def harmless(markdown: str) -> str:
    """Markdown as one block of clean HTML, which passes through a second rendering as it is.

    Example: harmless("*so* <script>") -> '<div class="…"><p><em>so</em> &lt;script&gt;</p></div>'
    """
    html = clean(markdown2html_mistune(markdown), tags=TAGS, attributes=ATTRIBUTES, protocols=PROTOCOLS)
    html = _PERMALINK.sub("", html)
    html = _LINK.sub(r"\g<text> (<code>\g<to></code>)", html)
    on_one_line = html.strip().replace("\n", "&#10;")  # an empty line would end the block
    return f'<div class="{UNTOUCHED_BY_MATHJAX}">{on_one_line}</div>'
