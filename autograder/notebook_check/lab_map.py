"""Shows the map of the system below the check of a lab's last core task, with a mark for each task that passes."""

import json
from pathlib import Path

from autograder.course import Course
from streamlab.views.labs_map import labs_in_words, labs_map
from streamlab.views.plots import Picture

NEXT = "Every task of this lab's core passes. In a terminal, `./lab system up --virtual` shows the whole system."


def show_map(course: Course, lab: str, folder: Path) -> None:
    """Show the parts of `lab`, and mark the tasks whose checks all pass in `folder`, the learner's copy of the lab."""
    verdicts = _verdicts(folder / "checked.json")
    passed = [
        name
        for name, task in course.labs[lab].tasks.items()
        if all(verdicts.get(name, {}).get(check) == "pass" for check in task.checks)
    ]
    tasks = course.tasks_of_parts()
    words = f"{labs_in_words(tasks, lab)} Tasks that pass: {', '.join(passed) or 'none'}."
    Picture(labs_map(tasks, lab, {f"{lab}/{name}" for name in passed}), words).show()
    if course.labs[lab].core.keys() <= set(passed):
        print(NEXT)


def _verdicts(file: Path) -> dict[str, dict[str, str]]:
    """Return the verdict of each check of each task, as the checks of the notebook wrote them."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return (
        {task: checks for task, checks in found.items() if isinstance(checks, dict)} if isinstance(found, dict) else {}
    )
