"""Shows below a check how far the learner is: a bar and the next task; at the end of the core, map and system."""

import importlib.util
import subprocess
from pathlib import Path

from autograder.course import Course
from autograder.notebook_check.standing import next_task, passed_tasks, standing_in
from streamlab.kit_program import KIT, kit_environment, kit_program
from streamlab.views.labs_map import labs_in_words, labs_map
from streamlab.views.plots import Picture
from streamlab.views.system_map import lab_number

SYSTEM = "autograder.cli.lab09_system"  # a kit without the last lab has none
IN_THE_SYSTEM = (
    "Every task of this lab's core passes. Your tasks are now at work in the system:\n"
    "in a terminal, `./lab system up --virtual` shows it in a browser."
)


def progress_line(course: Course, lab: str, folder: Path) -> str:
    """Return the share of the core's checks that pass in `folder`, the learner's copy of the lab, and what is next.

    Example: "Lab 1: ███░░░░░░░ 9 of 28 checks pass; next task: count_words"
    """
    standing, task = standing_in(folder, course.labs[lab]), next_task(folder, course.labs[lab])
    so_far = f"Lab {lab_number(lab)}: {standing.bar} {standing.passed} of {standing.checks} checks pass"
    return f"{so_far}; next task: {task}" if task else so_far


def show_map(course: Course, lab: str, folder: Path) -> None:
    """Show the parts of `lab`, and mark the tasks whose checks all pass in `folder`."""
    passed, tasks = passed_tasks(folder, course.labs[lab]), course.tasks_of_parts()
    words = f"{labs_in_words(tasks, lab)} Tasks that pass: {', '.join(passed) or 'none'}."
    Picture(labs_map(tasks, lab, {f"{lab}/{name}" for name in passed}), words).show()


def show_system(lab: str) -> None:
    """Show two minutes of the system with the learner's tasks, as `./lab system show LAB` prints them."""
    if importlib.util.find_spec(SYSTEM) is None:
        return
    print(IN_THE_SYSTEM, flush=True)
    command = kit_program("autograder.cli", "system", "show", lab)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=KIT, env=kit_environment()
    ) as shown:
        assert shown.stdout is not None
        for line in shown.stdout:
            print(line, end="", flush=True)
