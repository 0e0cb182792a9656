"""Prose that quotes an output must quote lines that the code cell before it printed."""

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autograder.builder import checks_that_do_not_pass, wrong_quotes

PRINTED = "rate  batch_ms\n   100       12   \n  1000       85\ntotal 2\n"


def _notebook(quote: str, printed: str = PRINTED) -> NotebookNode:
    output = [new_output("stream", name="stdout", text=printed)]
    prose = f"You see:\n```output\n{quote}\n```\nand so on."
    cells = [new_code_cell("run()", id="show-1", outputs=output), new_markdown_cell(prose, id="prose-2")]
    return new_notebook(cells=cells)


@pytest.mark.parametrize(
    "quote",
    [
        PRINTED.strip("\n"),
        "rate  batch_ms\n   100       12\n  1000       85",
        "rate  batch_ms\n…\ntotal 2",
        "  1000       85",
    ],
)
def test_lines_that_were_printed_may_be_quoted(quote: str) -> None:
    assert wrong_quotes(_notebook(quote)) == []


@pytest.mark.parametrize(
    ("quote", "sentence"),
    [
        ("total 3", "prose-2 quotes 'total 3', which show-1 does not print"),
        ("total", "prose-2 quotes 'total', which show-1 does not print"),
        ("rate  batch_ms\n  1000       85", "prose-2 quotes 'rate  batch_ms\\n  1000       85', which show-1 does not"),
        ("total 2\n…\nrate  batch_ms", "prose-2 quotes 'rate  batch_ms', which show-1 does not print"),
    ],
)
def test_the_error_for_a_quote_that_was_not_printed_names_both_cells(quote: str, sentence: str) -> None:
    assert [each.startswith(sentence) for each in wrong_quotes(_notebook(quote))] == [True]


def test_a_displayed_value_counts_as_output() -> None:
    notebook = _notebook("[1, 2]")
    value = new_output("execute_result", data={"text/plain": "[1, 2]"}, execution_count=1)

    notebook.cells[0].outputs.append(value)

    assert wrong_quotes(notebook) == []


def test_other_fenced_blocks_are_not_quotes() -> None:
    notebook = _notebook("total 2")
    notebook.cells[1].source = "```python\nprint(1)\n```\n\n```text\nnever printed\n```"

    assert wrong_quotes(notebook) == []


def test_a_quote_before_any_code_cell_is_an_error() -> None:
    notebook = _notebook("total 2")

    del notebook.cells[0]

    assert wrong_quotes(notebook) == ["prose-2 quotes an output, but no code cell comes before it"]


def _checked(text: str) -> NotebookNode:
    cell = new_code_cell('check("words")', id="check-words", metadata={"streamlab": {"role": "check"}})
    cell.outputs = [new_output("stream", name="stdout", text=text)]
    return new_notebook(cells=[cell])


def test_a_check_cell_that_shows_only_passes_is_accepted() -> None:
    assert checks_that_do_not_pass(_checked("words · a claim        pass  1/1\n1.0 s\n")) == []


@pytest.mark.parametrize("text", ["words · a claim    fail  0/1\n", "a  pass  1/1\nb  error  0/2.5\n", ""])
def test_a_check_cell_that_shows_anything_else_is_an_error(text: str) -> None:
    assert "check-words shows" in checks_that_do_not_pass(_checked(text))[0]
