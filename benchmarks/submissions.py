"""Ten submissions for Lab 1: the reference with small differences; four of them have known mistakes.

`stock_course.py` and `grading.py` write them as nbgrader's and as the kit's notebooks.
"""

from dataclasses import dataclass
from pathlib import Path

from autograder.builder.source import BEGIN, END
from autograder.course import load_course
from autograder.verify.variants import alternatives_of, mutants_of
from streamlab.notebooks.labfile import read_lab

ROOT = Path(__file__).resolve().parents[1]
LAB = "lab01_wordcount"
STAGE = ROOT / "autograder" / "stages" / LAB
SOURCE = ROOT / "solutions" / LAB / f"{LAB}.py"

# student -> the alternatives and mutants that replace the reference's answers
TEN: dict[str, tuple[str, ...]] = {
    "anna": (),
    "bela": ("words__str_translate",),
    "chen": ("words__case_kept",),
    "dana": ("count_words__counter_update", "on_word__try_except"),
    "emil": ("count_words__counts_lines",),
    "fadi": ("deliver__recurrence", "local_master__asks_first"),
    "gita": ("deliver__last_in_first_out", "words__character_by_character"),
    "hugo": ("word_counts__dstream_operations",),
    "ines": ("on_word__global_state", "local_master__every_core"),
    "jana": ("deliver__event_loop", "count_words__aggregate_by_key"),
}


@dataclass(frozen=True)
class Handed:
    """One student's answers, and the tasks with a mistake."""

    student: str
    answers: dict[str, str]
    wrong: frozenset[str]


def submissions(count: int) -> list[Handed]:
    """Return the first `count` of the ten submissions."""
    return [_handed(student, variants) for student, variants in list(TEN.items())[:count]]


def reference() -> dict[str, str]:
    """Return task -> the reference's answer, as a student would write it."""
    cells = read_lab(SOURCE).cells
    return {str(cell.name): _unmarked(cell.source) for cell in cells if cell.role == "task"}


def _handed(student: str, variants: tuple[str, ...]) -> Handed:
    cells, tasks = read_lab(SOURCE).cells, load_course(ROOT).labs[LAB].tasks
    right = {each.name: each for each in alternatives_of(STAGE, tasks, cells)}
    wrong = {each.name: each for each in mutants_of(STAGE, tasks, cells)}
    answers = {task: f"# {student}\n{code}" for task, code in reference().items()}
    answers |= {each.task: each.code for each in ((right | wrong)[name] for name in variants)}
    return Handed(student, answers, frozenset(wrong[name].task for name in variants if name in wrong))


def _unmarked(source: str) -> str:
    return "\n".join(line for line in source.split("\n") if BEGIN not in line and END not in line)
