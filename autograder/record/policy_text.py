"""Edits the text of policy.yml, so that its comments and its layout stay."""

from collections.abc import Iterator

import yaml

Span = tuple[int, int]


def without_student(text: str, student: str) -> str:
    """Return the policy without the student's entry in `students` and without the student in `groups`.

    A group without other members goes as well. Text that is not YAML is returned unchanged.
    """
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return text
    for start, end in sorted(_spans(root, student), reverse=True):
        text = _cut(text, start, end)
    return text


def _spans(root: yaml.Node | None, student: str) -> Iterator[Span]:
    for key, value in _pairs(root):
        if key.value == "students":
            yield from (_span(name, about) for name, about in _pairs(value) if name.value == student)
        elif key.value == "groups":
            for _, groups in _pairs(value):
                yield from _in_groups(groups, student)


def _in_groups(groups: yaml.Node, student: str) -> Iterator[Span]:
    named = [(key, value) for key, value in _pairs(groups)]
    listed = [(each, each) for each in groups.value] if isinstance(groups, yaml.SequenceNode) else []
    for first, group in [*named, *listed]:
        own = [each for each in group.value if each.value == student]
        yield from (
            [_span(first, group)] if own and len(own) == len(group.value) else [_span(each, each) for each in own]
        )


def _pairs(node: yaml.Node | None) -> list[tuple[yaml.Node, yaml.Node]]:
    return list(node.value) if isinstance(node, yaml.MappingNode) else []


def _span(first: yaml.Node, last: yaml.Node) -> Span:
    return first.start_mark.index, last.end_mark.index


def _cut(text: str, start: int, end: int) -> str:
    """Return the text without a part, and without the comma, or the dash and the line, that belonged to it."""
    before, after = text[:start], text[end:]
    line_start = before.rpartition("\n")[2]
    if line_start.split() == ["-", "-"]:  # the first of a group in block style: the next one takes its place
        return before + after.lstrip().removeprefix("-").lstrip(" ")
    if line_start.strip() in ("", "-") and not after.lstrip(" ").startswith((",", "]", "}")):
        return before[: len(before) - len(line_start)] + after.removeprefix("\n")
    if after.lstrip().startswith(","):
        return before + after.lstrip()[1:].lstrip()
    return before.rstrip().removesuffix(",") + after if before.rstrip().endswith(",") else before + after
