"""A student's markdown, as the form grader and the feedback page show it, cannot act."""

import re

import pytest
from nbconvert.filters.markdown_mistune import markdown2html_mistune

from autograder.record.sanitizer import harmless

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](http://tracker.example/x.png)",
    "[x](javascript:alert(1))",
    "[x]: javascript:alert(1)\n\n[x]",
    "<a href='jav&#x09;ascript:alert(1)'>x</a>",
    "[x](data:text/html,<script>alert(1)</script>)",
    "$$<img src=x onerror=alert(1)>$$",
    "\\begin{a}<svg onload=alert(1)>\\end{a}",
    "<div\n\n<img src=x onerror=alert(1)>",
    "<style>*{display:none}</style><iframe src=//x></iframe>",
    "```html\n<script>alert(1)</script>\n\n<script>\n```",
    "</div><script>alert(1)</script>",
    "[x](evil.html) <a href='evil.html' title='a\"b'>y</a>",
]
ACTING = re.compile(r"<(script|img|svg|iframe|style|object|embed|form)\b|<[^>]*\son\w+=|\shref=", re.I)


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_that_acts_is_left_after_a_second_rendering(attack: str) -> None:
    page = markdown2html_mistune(harmless(attack))

    assert not ACTING.search(page), page


def test_the_pattern_of_this_test_finds_what_acts() -> None:
    found = [attack for attack in ATTACKS if ACTING.search(markdown2html_mistune(attack))]

    assert len(found) >= 8


def test_what_people_write_stays() -> None:
    page = markdown2html_mistune(
        harmless("# Title\n\n**so** `x`\n\n- a\n- b\n\n|a|b|\n|-|-|\n|1|2|\n\n```\n1\n\n2\n```\n[s](http://s.org)")
    )

    for wanted in (
        "<strong>so</strong>",
        "<code>x</code>",
        "<li>a</li>",
        "<td>1</td>",
        "s (<code>http://s.org</code>)",
    ):
        assert wanted in page
    assert "1&#10;&#10;2" in page
    assert ">Title</h1>" in page


def test_mathjax_which_can_make_links_passes_an_answer_over() -> None:
    assert "tex2jax_ignore" in harmless(r"$\href{javascript:alert(1)}{x}$")
