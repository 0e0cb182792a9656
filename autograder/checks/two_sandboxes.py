"""Cases that the judge drives in two sandboxes, so that nothing else than an object's state reaches the second part.

The second sandbox has loaded the same notebook in another process, with an empty home and empty temporary folders. So a
table in a module, a file, or a server of the first one is not there. A drive finds the part in `case["part"]`, and in
the second part the `state` that its first part returned. Without a part, it plays the whole case in one process, as in
a notebook.
"""

from autograder.checks.registry import Case, Rows
from autograder.inside.parts import FIRST, SECOND

KEY = "two_sandboxes"


def in_two_sandboxes(case: Case, cut: str = "", answers: str = "") -> Case:
    """Return the case with the order to drive it in two sandboxes.

    The list `cut` of the case is halved; the answers of both parts, a list of the rows, make up those of the case.
    Without `cut`, both sandboxes get the whole case.
    Example: in_two_sandboxes({"calls": [1, 2, 3]}, "calls", "events")
    """
    return {**case, KEY: [cut, answers]}


def first_part(case: Case) -> Case:
    """Return what the first sandbox gets; a case for one sandbox is returned unchanged.

    Example: first_part(in_two_sandboxes({"calls": [1, 2, 3]}, "calls", "events")) has calls [1, 2] and part "first"
    """
    if KEY not in case:
        return case
    cut, _ = case[KEY]
    return {**case, "part": FIRST} | ({cut: case[cut][: _middle(case)]} if cut else {})


def second_part(case: Case, first: Rows) -> Case:
    """Return what the second sandbox gets, given the rows of the first one; `begin` is the place of the cut."""
    cut, _ = case[KEY]
    kept = {cut: case[cut][_middle(case) :], "begin": _middle(case), "state": first.get("state")} if cut else {}
    return {**case, "part": SECOND} | kept


def joined(case: Case, first: Rows, second: Rows) -> Rows:
    """Return the rows of the case: those of the second part where both have a name, and the answers of both."""
    _, answers = case[KEY]
    rows = {name: value for name, value in {**first, **second}.items() if name != "state"}
    before, after = first.get(answers), second.get(answers)
    if isinstance(before, list) and isinstance(after, list):
        rows[answers] = before + after
    return rows


def _middle(case: Case) -> int:
    cut, _ = case[KEY]
    return (len(case[cut]) + 1) // 2
