"""The final check of the archive: it has no solution, mutant, alternative, oracle function or model answer.

It compares the texts of all files, without indents, blank lines and comments. It does not find a rewritten solution.
"""

import ast
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.builder.leaks import leaks
from autograder.builder.source import BEGIN, read_source, solution_lines, source_path
from autograder.course import Course
from autograder.pack.contents import Packed
from autograder.pack.oracles import oracle_files

VARIANTS = ("mutants.py", "alternatives.py")
MODEL_ANSWER_CHARS_MIN = 60
ORACLE_CHARS_MIN = 45  # a shorter body is one line that other code may have, too


@dataclass(frozen=True)
class Secret:
    """Consecutive lines that students must not get, and a description of them."""

    what: str
    text: str


def leaks_in(files: Iterable[Packed], root: Path, course: Course) -> list[str]:
    """Return a sentence with the file name for each file that contains a secret.

    Example: streamlab/notes.py: holds the solution of count_words
    """
    secrets = _secrets(root, course)
    found = []
    for file in files:
        text = _plain(_lines_of(file))
        leaked = [f"{file.name}: holds {BEGIN}"] if f"\n{BEGIN}\n" in _framed(_lines_of(file)) else []
        leaked += [f"{file.name}: holds {secret.what}" for secret in secrets if secret.text in text]
        found += (leaked or _single_lines(file, root, course))[:1]
    return found


def _single_lines(file: Packed, root: Path, course: Course) -> list[str]:
    """Return a sentence for each single line of a solution in a student's notebook."""
    lab = Path(file.name).stem
    if file.name != f"labs/{lab}/{lab}.ipynb" or lab not in course.labs or not source_path(root, lab).is_file():
        return []
    return leaks(root, lab, file.content.decode())


def _secrets(root: Path, course: Course) -> list[Secret]:
    secrets = list(_oracles(root, course))
    for lab in course.labs:
        stage = root / "autograder" / "stages" / lab
        printed = [_plain(path.read_text(encoding="utf-8").split("\n")) for path in stage.glob("baselines/*.py")]
        of_lab = [*_solutions(root, lab), *_variants(stage), *_model_answers(root, lab)]
        secrets += [each for each in of_lab if not any(each.text in text for text in printed)]
    return secrets


def _solutions(root: Path, lab: str) -> Iterator[Secret]:
    for cell in read_source(root, lab) if source_path(root, lab).is_file() else []:
        text = _plain(solution_lines(cell))
        if text.strip():
            yield Secret(f"the solution of {cell.name}", text)


def _variants(stage: Path) -> Iterator[Secret]:
    """Yield every definition of every mutant and alternative, as a whole."""
    for path in sorted(path for kind in VARIANTS for path in stage.glob(f"*/{kind}")):
        source = path.read_text(encoding="utf-8")
        lines = source.split("\n")
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield Secret(f"{path.parent.name}/{path.name}", _plain(ast.unparse(node).split("\n")))
                yield Secret(f"{path.parent.name}/{path.name}", _plain(_written(lines, node)))


def _oracles(root: Path, course: Course) -> Iterator[Secret]:
    """Yield the body of every function of every oracle, without its docstring."""
    for path in oracle_files(root, course):
        source = path.read_text(encoding="utf-8")
        lines = source.split("\n")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = node.body[ast.get_docstring(node) is not None :]
                text = _plain(line for each in body for line in _written(lines, each))
                if len(text) >= ORACLE_CHARS_MIN:
                    yield Secret(f"the body of {node.name} of {path.parent.name}/{path.name}", text)


def _written(lines: list[str], node: ast.stmt) -> list[str]:
    """Return the lines of a file that a statement spans."""
    return lines[node.lineno - 1 : node.end_lineno]


def _model_answers(root: Path, lab: str) -> Iterator[Secret]:
    path = root / "solutions" / lab / "TEACHING.md"
    for line in path.read_text(encoding="utf-8").split("\n") if path.is_file() else []:
        if len(line.strip()) >= MODEL_ANSWER_CHARS_MIN:
            yield Secret("a line of TEACHING.md", _plain([line]))


def _lines_of(file: Packed) -> list[str]:
    """Return the lines of a file, or those of a notebook's cells."""
    text = file.content.decode("utf-8", errors="replace")
    if not file.name.endswith(".ipynb"):
        return text.split("\n")
    sources = ["".join(cell["source"]) for cell in json.loads(text)["cells"]]
    return [line for source in sources for line in source.split("\n")]


def _plain(lines: Iterable[str]) -> str:
    """Return lines in the form that is compared: no indents, no blank lines, no lines that are only comments.

    Example: ["  a = 1", "", "# why", "b"] -> "\\na = 1\\nb\\n"
    """
    stripped = (line.strip() for line in lines)
    return _framed(line for line in stripped if line and not line.startswith("#"))


def _framed(lines: Iterable[str]) -> str:
    return "\n" + "\n".join(line.strip() for line in lines) + "\n"
