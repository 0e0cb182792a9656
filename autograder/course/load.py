"""Reads course.yml and reports each mistake in it as one line with its position.

Example: course.yml line 23: labs.lab01_wordcount.tasks.count_words.throughput.threshold: Input should be greater than
1, got 0.9
"""

from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from autograder.course.model import Course


class CourseError(ValueError):
    """course.yml has a mistake; the message names the file, the line and the expected value."""


def load_course(root: Path) -> Course:
    """Read and validate `root/course.yml`; raises CourseError for its first mistake."""
    path = root / "course.yml"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise CourseError(f"{path}: not found; a course has a course.yml at its top") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise CourseError(f"{path}: cannot be read ({problem})") from None
    node = _compose(text)
    try:
        return Course.model_validate(_plain(node))
    except ValidationError as problem:
        raise CourseError(_first_mistake(problem, node)) from None


def _compose(text: str) -> yaml.Node:
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as problem:
        line = problem.problem_mark.line if problem.problem_mark else 0
        raise CourseError(f"course.yml line {line + 1}: {_yaml_problem(problem, text, line)}") from None
    except yaml.YAMLError as problem:
        raise CourseError(f"course.yml: {str(problem).splitlines()[0]}") from None
    if not isinstance(node, yaml.MappingNode):
        raise CourseError("course.yml line 1: expected `course:`, `release:`, `limits:` and `labs:`")
    return node


def _yaml_problem(problem: yaml.MarkedYAMLError, text: str, line: int) -> str:
    lines = text.splitlines()
    if line < len(lines) and "\t" in lines[line]:
        return "found a tab; indent YAML with spaces"
    return f"{problem.problem or 'not YAML'}{', ' + problem.context if problem.context else ''}"


def _plain(node: yaml.Node) -> Any:
    """Return the values of a node; reject repeated keys, of which YAML would silently keep the last."""
    if isinstance(node, yaml.MappingNode):
        values: dict[Any, Any] = {}
        for key, value in node.value:
            if key.value in values:
                raise CourseError(f"course.yml line {key.start_mark.line + 1}: {key.value} appears here a second time")
            values[key.value] = _plain(value)
        return values
    if isinstance(node, yaml.SequenceNode):
        return [_plain(each) for each in node.value]
    return yaml.SafeLoader("").construct_object(node)


def _first_mistake(problem: ValidationError, root: yaml.Node) -> str:
    mistakes = problem.errors()
    mistake = next((each for each in mistakes if each["type"] == "extra_forbidden"), mistakes[0])
    path = [part for part in mistake["loc"] if part != "[key]"]
    got = "" if isinstance(mistake.get("input"), dict | list) else f", got {mistake.get('input')!r}"
    message = mistake["msg"].removeprefix("Value error, ")
    message = "unknown key; check its spelling" if mistake["type"] == "extra_forbidden" else message
    dotted = ".".join(str(part) for part in path)
    return f"course.yml line {_line_of(root, path)}: {dotted + ': ' if dotted else ''}{message}{got}"


def _line_of(node: yaml.Node, path: list[Any]) -> int:
    """Return the line of the deepest node that exists on `path`."""
    line = node.start_mark.line
    for part in path:
        if isinstance(node, yaml.MappingNode):
            found = next(((key, value) for key, value in node.value if key.value == str(part)), None)
            if found is None:
                break
            line, node = found[0].start_mark.line, found[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line
    return line + 1
