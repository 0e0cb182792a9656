"""Reads policy.yml in the class's folder, and reports its first mistake as one line with its position.

Example: policy.yml line 2: late.per_day: expected a percentage such as 10 %, got 'ten'
"""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import yaml

from autograder.classroom.folder import BadStudent, Classroom, require_student_id
from autograder.classroom.policy import THROUGHPUT, Group, LateRule, Policy
from autograder.course import Course, CourseError

FILE = "policy.yml"
NBGRADER_CONFIG = "nbgrader_config.py"
_DUE = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d) ([A-Za-z_+\-/0-9]+)")
_SPAN = re.compile(r"(\d+(?:\.\d+)?) ?(hour|day|week)s?")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?) ?%")
_PENALTY_CLASS = re.compile(r"^[^#\n]*\b(AssignLatePenalties|LateSubmissionPlugin)\b", re.MULTILINE)
Items = Iterator[tuple[str, yaml.Node]]


class PolicyError(CourseError):
    """policy.yml has a mistake; the message names the line, what was expected, and what came."""


def policy_of(classroom: Classroom) -> Policy:
    """Return the policy of a class, the empty one if it has no policy.yml; raises `PolicyError`."""
    path = classroom.folder / FILE
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Policy()
    except (OSError, UnicodeDecodeError) as problem:
        raise PolicyError(f"{path}: cannot be read ({problem})") from None
    policy = _Reader(classroom.course).policy(_root(text))
    if policy.late:
        _require_no_penalty_class(classroom.root / NBGRADER_CONFIG)
    return policy


def _root(text: str) -> yaml.Node | None:
    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as problem:
        line = problem.problem_mark.line + 1 if problem.problem_mark else 1
        raise PolicyError(f"{FILE} line {line}: {problem.problem or 'not YAML'}") from None
    except yaml.YAMLError as problem:
        raise PolicyError(f"{FILE}: {str(problem).splitlines()[0]}") from None


def _require_no_penalty_class(path: Path) -> None:
    """Raise `PolicyError` if nbgrader's configuration has a penalty class, too: only one of them can count."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if found := _PENALTY_CLASS.search(text):
        line = text.count("\n", 0, found.start(1)) + 1
        raise PolicyError(f"{path.name} line {line}: {found[1]}, but {FILE} has `late:`; remove one of them")


class _Reader:
    """Reads the nodes of policy.yml; each method raises `PolicyError` with the line of its node."""

    def __init__(self, course: Course) -> None:
        self._course = course

    def policy(self, root: yaml.Node | None) -> Policy:
        if root is None:
            return Policy()
        parts = self._keys(root, "", ("due", "late", "students", "groups", "ungraded"))
        extensions, excused = self._students(parts.get("students"))
        policy = Policy(
            due={lab: self._due(node, f"due.{lab}") for lab, node in self._labs(parts.get("due"), "due")},
            late=self._late(parts["late"]) if "late" in parts else None,
            extensions=extensions,
            excused=excused,
            groups={lab: self._groups(node, lab) for lab, node in self._labs(parts.get("groups"), "groups")},
            ungraded=self._ungraded(parts.get("ungraded")),
        )
        for lab, settings in policy.graded_course(self._course).labs.items():
            if settings.points <= 0:
                raise _mistake(parts["ungraded"], "ungraded", f"something of {lab} to be graded", "all of it")
        return policy

    def _due(self, node: yaml.Node, where: str) -> datetime:
        text = _text(node)
        expected = "a date, a time, and a zone, such as 2026-10-05 23:59 Europe/Berlin"
        found = _DUE.fullmatch(text)
        if not found:
            raise _mistake(node, where, expected, text)
        try:
            return datetime.strptime(found[1], "%Y-%m-%d %H:%M").replace(tzinfo=ZoneInfo(found[2]))
        except (ValueError, ZoneInfoNotFoundError):
            raise _mistake(node, where, expected, text) from None

    def _late(self, node: yaml.Node) -> LateRule:
        parts = self._keys(node, "late", ("grace_hours", "per_day", "floor"))
        if "per_day" not in parts:
            raise _mistake(node, "late", "per_day: such as 10 %", "none")
        grace = parts.get("grace_hours")
        hours = _matched(grace, "late.grace_hours", re.compile(r"(\d+(?:\.\d+)?)"), "a number of hours") if grace else 0
        floor = self._percent(parts["floor"], "late.floor") if "floor" in parts else 0.0
        return LateRule(self._percent(parts["per_day"], "late.per_day"), timedelta(hours=float(hours)), floor)

    def _percent(self, node: yaml.Node, where: str) -> float:
        part = float(_matched(node, where, _PERCENT, "a percentage such as 10 %")) / 100
        if part > 1:
            raise _mistake(node, where, "at most 100 %", _text(node))
        return part

    def _students(self, node: yaml.Node | None) -> tuple[dict[tuple[str, str], timedelta], frozenset[tuple[str, str]]]:
        extensions: dict[tuple[str, str], timedelta] = {}
        excused: set[tuple[str, str]] = set()
        for student, about in _items(node, "students"):
            where = f"students.{student}"
            self._student(node, where, student)
            parts = self._keys(about, where, ("extend", "excused"))
            for lab, span in self._labs(parts.get("extend"), f"{where}.extend"):
                extensions[student, lab] = _span(span, f"{where}.extend.{lab}")
            excused |= {
                (student, self._lab(_text(each), each, f"{where}.excused"))
                for each in _list(parts.get("excused"), where)
            }
        return extensions, frozenset(excused)

    def _groups(self, node: yaml.Node, lab: str) -> tuple[Group, ...]:
        """Return the groups of a list of lists of students, or of a mapping from a group's name to its students."""
        where = f"groups.{lab}"
        is_named = isinstance(node, yaml.MappingNode)
        nodes = list(_items(node, where)) if is_named else [("", each) for each in _list(node, where)]
        groups = [Group(tuple(map(_text, _list(each, where))), name) for name, each in nodes]
        seen: set[str] = set()
        for member in (member for _, each in nodes for member in _list(each, where)):
            name = _text(member)
            self._student(member, where, name)
            if name in seen:
                raise _mistake(member, where, "each student in one group", f"{name} a second time")
            seen.add(name)
        return tuple(groups)

    def _ungraded(self, node: yaml.Node | None) -> dict[str, frozenset[str]]:
        dropped: dict[str, frozenset[str]] = {}
        for each in _list(node, "ungraded"):
            lab, _, rest = _text(each).partition("/")
            name, _, check = rest.partition("/")
            task = self._course.labs[lab].tasks.get(name) if lab in self._course.labs else None
            checks = [*task.checks, *[THROUGHPUT] * bool(task.throughput)] if task else []
            if not task or (check and check not in checks):
                known = f"one of {', '.join(checks)} after {lab}/{name}/" if task else "LAB/TASK or LAB/TASK/CHECK"
                raise _mistake(each, "ungraded", known, _text(each))
            dropped[name] = dropped.get(name, frozenset()) | ({check} if check else set(checks))
        return dropped

    def _labs(self, node: yaml.Node | None, where: str) -> Items:
        for lab, value in _items(node, where):
            yield self._lab(lab, value, where), value

    def _lab(self, lab: str, node: yaml.Node, where: str) -> str:
        if lab not in self._course.labs:
            raise _mistake(node, where, f"a lab ({', '.join(self._course.labs)})", lab)
        return lab

    def _student(self, node: yaml.Node | None, where: str, name: str) -> None:
        try:
            require_student_id(name)
        except BadStudent as problem:
            raise PolicyError(f"{FILE} line {_line(node)}: {where}: {problem}") from None

    def _keys(self, node: yaml.Node, where: str, known: tuple[str, ...]) -> dict[str, yaml.Node]:
        parts = dict(_items(node, where))
        for key, value in parts.items():
            if key not in known:
                raise _mistake(value, where, f"one of {', '.join(known)}", key)
        return parts


def _items(node: yaml.Node | None, where: str) -> Items:
    """Yield the keys and values of a mapping; a key that comes twice is an error, since YAML keeps only the last."""
    if node is None or _is_empty(node):
        return
    if not isinstance(node, yaml.MappingNode):
        raise _mistake(node, where, "a mapping (key: value)", _text(node))
    seen = set()
    for key, value in node.value:
        if key.value in seen:
            raise _mistake(key, where, "each key once", f"{key.value} a second time")
        seen.add(key.value)
        yield str(key.value), value


def _list(node: yaml.Node | None, where: str) -> list[yaml.Node]:
    if node is None or _is_empty(node):
        return []
    if not isinstance(node, yaml.SequenceNode):
        raise _mistake(node, where, "a list in brackets, [ ]", _text(node))
    return list(node.value)


def _is_empty(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag.endswith(":null")


def _span(node: yaml.Node, where: str) -> timedelta:
    found = _SPAN.fullmatch(_text(node))
    if not found:
        raise _mistake(node, where, "a time such as 3 days or 12 hours", _text(node))
    return timedelta(**{f"{found[2]}s": float(found[1])})


def _matched(node: yaml.Node, where: str, pattern: re.Pattern[str], expected: str) -> str:
    if not (found := pattern.fullmatch(_text(node))):
        raise _mistake(node, where, expected, _text(node))
    return found[1]


def _text(node: yaml.Node) -> str:
    return str(node.value) if isinstance(node, yaml.ScalarNode) else "a list or a mapping"


def _line(node: yaml.Node | None) -> int:
    return node.start_mark.line + 1 if node and node.start_mark else 1


def _mistake(node: yaml.Node, where: str, expected: str, got: str) -> PolicyError:
    return PolicyError(f"{FILE} line {_line(node)}: {f'{where}: ' if where else ''}expected {expected}, got {got!r}")
