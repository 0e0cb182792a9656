"""Checks an executed notebook against its source: each quoted output was printed, and each check shows pass.

The text of a fenced block `output` must be in the outputs of the code cell before it. `reference` runs the notebook.
"""

import re

from nbformat import NotebookNode

_BLOCK = re.compile(r"^(?P<fence>`{3,}|~{3,})[ ]*output[^\n]*\n(?P<text>.*?)^(?P=fence)[ ]*$", re.MULTILINE | re.DOTALL)
_VERDICT = re.compile(r"  (pass|fail|error|timeout|skipped|inconclusive) +[\d.]+/[\d.]+$", re.MULTILINE)


def wrong_quotes(notebook: NotebookNode) -> list[str]:
    """Return a sentence for each quoted output of an executed notebook that the code cell before it did not print.

    Lines must be equal, except for trailing spaces; a line that is only `…` stands for any number of lines.
    """
    wrong, before = [], None
    for cell in notebook.cells:
        if cell.cell_type == "code":
            before = cell
        elif cell.cell_type == "markdown":
            wrong += [problem for quote in _quotes(cell.source) if (problem := _problem(cell, before, quote))]
    return wrong


def checks_that_do_not_pass(notebook: NotebookNode) -> list[str]:
    """Return a sentence for each check cell of an executed notebook that shows a verdict other than pass, or none."""
    sentences = []
    for cell in notebook.cells:
        if cell.metadata.get("streamlab", {}).get("role") == "check":
            verdicts = _VERDICT.findall(output_text(cell))
            if set(verdicts) != {"pass"}:
                sentences.append(
                    f"{cell.id} shows {', '.join(verdicts) or 'no verdict'}; expected pass for every check"
                )
    return sentences


def output_text(cell: NotebookNode) -> str:
    """Return all text output of a code cell: printed text, and the plain form of displayed objects."""
    texts = []
    for output in cell.outputs:
        if output.output_type == "stream":
            texts.append(output.text)
        elif "data" in output:
            texts.append(output.data.get("text/plain", "") + "\n")
    return "".join(texts)


def _quotes(source: str) -> list[str]:
    return [found["text"] for found in _BLOCK.finditer(source)]


def _problem(cell: NotebookNode, before: NotebookNode | None, quote: str) -> str | None:
    if before is None:
        return f"{cell.id} quotes an output, but no code cell comes before it"
    pieces = [piece for piece in re.split(r"^…$", _tidy(quote), flags=re.MULTILINE) if piece.strip()]
    printed, at = "\n" + _tidy(output_text(before)) + "\n", 0
    for piece in pieces:
        found = printed.find("\n" + piece.strip("\n") + "\n", at)
        if found < 0:
            return f"{cell.id} quotes {_first_missing(piece, printed)!r}, which {before.id} does not print"
        at = found + len(piece.strip("\n"))
    return None


def _first_missing(piece: str, printed: str) -> str:
    """Return the first quoted line that was not printed anywhere, or the whole piece if only the order differs."""
    lines = printed.split("\n")
    return next((line for line in piece.strip("\n").split("\n") if line not in lines), piece.strip("\n"))


def _tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n"))
