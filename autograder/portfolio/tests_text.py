"""Writes the tests of a package: for each lab the recorded tests of its tasks, and one that all tasks are there."""

import io
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from autograder.portfolio import PACKAGE
from autograder.portfolio.module_text import import_lines
from autograder.portfolio.recorded_test import RecordedTest

LINE_CHARS, MORE = 100, 8 * " "
OF_THE_PACKAGE = f'''\
"""All tasks can be imported."""

import {PACKAGE}


def test_each_task_is_a_function_or_a_class() -> None:
    assert all(map(callable, {PACKAGE}.TASKS.values()))
'''


def tests_text(lab: str, tests: Mapping[str, Sequence[RecordedTest]]) -> str:
    """Return the text of a lab's tests, {task without its lab: its tests}; "" if there are none."""
    functions = [function for task, of_task in tests.items() for function in _functions(task, of_task)]
    if not functions:
        return ""
    every = [test for of_task in tests.values() for test in of_task]
    classes = {(home, name) for test in every for name, home in test.classes.items()}
    own = {(f"{PACKAGE}.{lab}", task) for task, of_task in tests.items() if of_task}
    uses_pytest = any("pytest.raises" in line for test in every for line in test.lines)
    imports = "\n".join(import_lines([*[("", "pytest")] * uses_pytest, *classes, *own]))
    return (
        "\n\n\n".join([f'"""Public cases of StreamLab that the tasks of {lab} pass."""\n\n{imports}', *functions])
        + "\n"
    )


def _functions(task: str, tests: Sequence[RecordedTest]) -> Iterator[str]:
    """Yield a function for each claim."""
    for claim in dict.fromkeys(test.claim for test in tests):
        lines = [wrapped(f"    {line}") for test in tests if test.claim == claim for line in test.lines]
        yield "\n".join([f"def test_{task}_{claim}() -> None:", *lines])


def wrapped(line: str) -> str:
    """Break a line that is too long after commas in brackets; the other lines are indented by eight more."""
    code, depth, ends = line.strip(), 0, [0]
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        depth += (token.type == tokenize.OP) * ((token.string in "([{") - (token.string in ")]}"))
        if token.string == "," and depth:
            ends.append(token.end[1])
    indent, lines = line[: len(line) - len(code)], [""]
    for piece in (code[begin:end] for begin, end in pairwise([*ends, len(code)])):
        if lines[-1] and len(indent + lines[-1] + piece) > LINE_CHARS:
            lines.append(MORE + piece.strip())
        else:
            lines[-1] += piece
    return "\n".join(indent + each for each in lines)
