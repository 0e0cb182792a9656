"""A student's markdown cannot run scripts in the form grader or on the feedback page."""

import re
import time

import nbformat
import pytest
from nbconvert.filters.markdown_mistune import markdown2html_mistune
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from autograder.record.sanitizer import CHARACTERS_MAX, ENVIRONMENTS_MAX, TAGS_MAX, SanitizeMarkdown, harmless

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
    "<a href='http://evil.example/\"'>y</a>",
    "<A HREF='http://evil.example/?a=\"b\"&c=>'><b>y</A>",
    "[x](<http://evil.example/\"'>)",
    "<http://evil.example/'>",
    "x&#13;&#13;[x](javascript:alert(1))",
    "x&#10;&#10;[x](javascript:alert(1))",
    "<p>x&#x2028;&#x2028;[x](javascript:alert(1))\x0b\x0b[x](javascript:alert(1))\x85\x85[x](javascript:alert(1))",
    "<" * 2_000 + "\n\n[x](javascript:alert(1))\r\r[x](javascript:alert(1))\x0c\x0c[x](javascript:alert(1))",
    "<a href='http://one.example'><a href='http://two.example/\"'>y</a></a>",
]
ACTIVE = re.compile(r"<(a|script|img|svg|iframe|style|object|embed|form)\b|<[^>]*\son\w+=|\shref=", re.I)


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_active_content_is_left_after_a_second_rendering(attack: str) -> None:
    page = markdown2html_mistune(harmless(attack))

    assert not ACTIVE.search(page), page


def test_the_pattern_of_this_test_finds_active_content() -> None:
    found = [attack for attack in ATTACKS if ACTIVE.search(markdown2html_mistune(attack))]

    assert len(found) >= 8


def test_ordinary_markdown_is_kept() -> None:
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


def test_mathjax_ignores_an_answer_since_it_can_make_links() -> None:
    assert "tex2jax_ignore" in harmless(r"$\href{javascript:alert(1)}{x}$")


def test_a_link_shows_its_text_and_its_address() -> None:
    page = harmless("""<a href='http://s.org/?a="b"'>*s*</a> and [t](http://t.org)""")

    assert ">*s* (<code>http://s.org/?a=" in page.replace("<p>", ">").replace("<em>s</em>", "*s*")
    assert "t (<code>http://t.org</code>)" in page


@pytest.mark.parametrize(
    "picture",
    ["![plot](attachment:plot.png)", "![plot](<attachment:plot.png>)", "![plot][1]\n\n[1]: attachment:plot.png"],
)
def test_a_pasted_picture_is_replaced_by_its_name_and_the_answer_around_it_is_kept(picture: str) -> None:
    page = markdown2html_mistune(harmless(f"Before {picture}"))

    assert "Before plot (picture, in the notebook as handed in: <code>attachment:plot.png</code>)" in page


def test_a_picture_of_the_kit_is_its_text_without_its_bytes() -> None:
    page = harmless("![The system][map]\n\n[map]: data:image/svg+xml;base64,PHN2Zz4=")

    assert "The system (picture)" in page
    assert "PHN2Zz4" not in page


PARTS = ["<div>", "<b>", "<ul><li>", "> ", "\\begin{a}", "[", "![a](", "&", "| a ", "- ", "*a ", "$$a", "`` a ", "1. "]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("characters", [80_000, CHARACTERS_MAX])
def test_a_large_answer_is_rendered_quickly(part: str, characters: int) -> None:
    answer = part * (characters // len(part))
    began = time.process_time()

    for _ in range(2):
        page = markdown2html_mistune(harmless(answer))

    assert time.process_time() - began < 4  # for <div> it was 18 s
    assert not ACTIVE.search(page)


@pytest.mark.parametrize("part", ["<div>", "<ul><li>", "<table><tr><td>", "\\begin{a}"])
def test_the_maximum_number_of_tags_is_rendered_quickly(part: str) -> None:
    answer = "word " * 5_000 + part * (TAGS_MAX // max(1, part.count("<")) if "<" in part else ENVIRONMENTS_MAX)
    began = time.process_time()

    assert "<p>word word" in harmless(answer)
    assert time.process_time() - began < 2


def shown(*cells: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    notebook, _ = SanitizeMarkdown(enabled=True).preprocess(nbformat.v4.new_notebook(cells=list(cells)), {})
    return list(notebook.cells)


def test_a_notebook_of_large_answers_is_shown_as_text_after_the_first() -> None:
    cells = shown(*(nbformat.v4.new_markdown_cell("*so* " + "word " * 7_000) for _ in range(20)))

    assert ["<em>so</em>" in cell.source for cell in cells] == [True] * 7 + [False] * 13
    assert "<pre>*so* word" in cells[-1].source


@pytest.mark.parametrize(
    "part", [" \n", "a.", "\t", "(", "@", "f'{", "\\", "a . ", "x = 1\n" + " \n" * 95, "import a." * 99]
)
@pytest.mark.parametrize("characters", [200_000, CHARACTERS_MAX])
def test_large_code_is_rendered_quickly(part: str, characters: int) -> None:
    [cell] = shown(nbformat.v4.new_code_cell(part * (characters // len(part))))
    began = time.process_time()

    if cell.cell_type == "code":
        highlight(cell.source, get_lexer_by_name("ipython3"), HtmlFormatter())
    else:
        assert "<pre>" in markdown2html_mistune(cell.source)
    assert time.process_time() - began < 10


def test_ordinary_code_stays_code_and_keeps_its_metadata() -> None:
    about = {"nbgrader": {"grade_id": "task-words"}}
    written, strange = shown(
        nbformat.v4.new_code_cell("x = 1\n\n\n" * 300, metadata=about),
        nbformat.v4.new_code_cell("x = 1" + " " * 600 + "<script>", metadata=about),
    )

    assert (written.cell_type, strange.cell_type) == ("code", "markdown")
    assert "&lt;script&gt;" in strange.source
    assert strange.metadata == about


def test_the_verdicts_are_kept_however_much_the_student_wrote() -> None:
    verdict = nbformat.v4.new_output("stream", name="stdout", text="words · pass 3/3")
    *_, check = shown(
        *(nbformat.v4.new_code_cell("x = 1\n" * 6_000) for _ in range(9)),
        nbformat.v4.new_code_cell('check("words")', outputs=[verdict]),
    )

    assert check.outputs[0].text == "words · pass 3/3"
