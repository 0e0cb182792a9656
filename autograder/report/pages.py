"""What the pages share: templates that escape every text, one style, ids that are safe in links.

Keeps out: what a page shows.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from autograder.intake.safe_text import points, rate
from autograder.report.difference import excerpts

PAGE = Path(__file__).with_name("page")


def environment(filters: Mapping[str, Callable[..., Any]], functions: Mapping[str, Callable[..., Any]]) -> Environment:
    """Templates of `page/`, with what every page uses and what this one adds."""
    made = Environment(
        loader=FileSystemLoader(PAGE, encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update({"points": points, "rate": rate, "anchor": anchor, **filters})
    made.globals.update({"excerpts": excerpts, **functions})
    return made


def style(name: str) -> Markup:
    """The style sheet that all pages share, and after it the page's own."""
    sheets = [(PAGE / each).read_text(encoding="utf-8") for each in ("base.css", f"{name}.css")]
    return Markup("").join(map(Markup, sheets))


def anchor(*parts: object) -> str:
    """Parts as one id, safe in an attribute and in a link.

    Example: anchor("s1", "count_words") -> "s1-count_words"
    """
    return "-".join(re.sub(r"[^A-Za-z0-9_]+", "_", str(each)) for each in parts)
