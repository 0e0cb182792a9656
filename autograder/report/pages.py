"""The parts that all pages share: templates that escape every text, one style, and ids that are safe in links."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from autograder.report.difference import excerpts
from autograder.report.number_formats import points, rates

PAGE = Path(__file__).with_name("page")


def environment(filters: Mapping[str, Callable[..., Any]], functions: Mapping[str, Callable[..., Any]]) -> Environment:
    """Return the templates in `page/`, with the given filters and functions and those that every page uses."""
    templates = Environment(
        loader=FileSystemLoader(PAGE, encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters.update({"points": points, "anchor": anchor, **filters})
    templates.globals.update({"excerpts": excerpts, "rates": rates, **functions})
    return templates


def style(name: str) -> Markup:
    """Return the style sheet that all pages share, followed by the page's own."""
    sheets = [(PAGE / each).read_text(encoding="utf-8") for each in ("base.css", f"{name}.css")]
    return Markup("").join(map(Markup, sheets))


def anchor(*parts: object) -> str:
    """Join the parts to one id that is safe in an attribute and in a link.

    Example: anchor("s1", "count_words") -> "s1-count_words"
    """
    return "-".join(re.sub(r"[^A-Za-z0-9_]+", "_", str(each)) for each in parts)
