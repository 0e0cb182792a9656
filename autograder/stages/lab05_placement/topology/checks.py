"""The checks of `cpus` and `read_topology`."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, claims, same_sequence, same_value
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab05_placement.topology import cases, oracle


def _same_numbers(case: Case, rows: Rows) -> Mismatch | None:
    call, expected = f"cpus({case['text']!r})", oracle.numbers(case["text"])
    if expected is None:
        return must_reject(call, rows)
    wrong = must_answer(call, "a list of numbers", rows)
    return wrong or same_sequence(expected, rows.get("numbers"), what=call)


def _tree(case: Case) -> str:
    """Return a short description of the files of a case."""
    files = case["files"]
    nodes = [f"{path}: {shown(text.rstrip(), 40)}" for path, text in files.items() if path != "online"]
    return f"online: {shown(files.get('online', 'missing').strip())}; {'; '.join(nodes)[:400]}"


def _read_topology(case: Case) -> str:
    given = "" if case["allowed"] is None else f", allowed={shown(case['allowed'])}"
    return f"read_topology(folder{given})"


def _named(wrong: Mismatch | None, case: Case, rows: Rows) -> Mismatch | None:
    """Return a mismatch that shows the files, and that names `cpus` first if that is wrong by itself."""
    if not wrong:
        return None
    first = "" if rows.get("part") == [0, 1, 2, 8] else "First fix your cpus, whose own check fails. "
    return Mismatch(f"{first}{wrong.sentence} The files: {_tree(case)}", wrong.expected, wrong.got)


def _same_topology(case: Case, rows: Rows, *parts: str) -> Mismatch | None:
    if wrong := must_answer(_read_topology(case), "a Topology", rows):
        return _named(wrong, case, rows)
    right: dict[str, dict[str, Any]] = {"cores": oracle.cores(case), "distance": oracle.distance(case)}
    for part in parts:
        got = rows.get(part)
        if not isinstance(got, dict) or set(got) != set(right[part]):
            nodes = [int(node) if str(node).isdigit() else node for node in got] if isinstance(got, dict) else got
            return _named(
                same_value([int(node) for node in right[part]], nodes, what=f"the nodes of `{part}`"), case, rows
            )
        for node, expected in right[part].items():
            if wrong := same_value(expected, got[node], what=f"{part}[{node}] of {_read_topology(case)}"):
                return _named(wrong, case, rows)
    return None


def _same_cores(case: Case, rows: Rows) -> Mismatch | None:
    return _same_topology(case, rows, "cores")


def _same_distances(case: Case, rows: Rows) -> Mismatch | None:
    return _same_topology(case, rows, "distance")


@check("read_topology", cases=cases.damaged, invariant=8, after="distances_have_a_column_for_each_online_node")
def a_damaged_tree_raises_value_error(case: Case, rows: Rows) -> Mismatch | None:
    """Check that the text of the error names the file, and that a whole tree is read."""
    if "at_fault" not in case:
        return _same_topology(case, rows, "cores", "distance")
    if wrong := must_reject(_read_topology(case), rows):
        return _named(wrong, case, rows)
    text = str(rows.get("text"))
    if any(path in text for path in case["at_fault"]):
        return None
    what = f"the text of the error to name the file {' or '.join(case['at_fault'])}"
    return _named(Mismatch(f"Expected {what}; yours is {shown(text)}.", case["at_fault"], text), case, rows)


CLAIMS = claims(
    ("cpus", "ranges_include_both_ends", cases.lists, _same_numbers, None),
    ("cpus", "what_linux_does_not_print_raises_value_error", cases.not_lists, _same_numbers, 8),
    ("read_topology", "each_core_belongs_to_the_node_that_lists_it", cases.trees, _same_cores, 2),
    ("read_topology", "distances_have_a_column_for_each_online_node", cases.gaps, _same_distances, 1),
    ("read_topology", "cores_that_may_not_be_used_are_left_out", cases.allowed, _same_cores, 2),
    after={
        "distances_have_a_column_for_each_online_node": "each_core_belongs_to_the_node_that_lists_it",
        "cores_that_may_not_be_used_are_left_out": "each_core_belongs_to_the_node_that_lists_it",
    },
)
