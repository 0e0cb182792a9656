"""Ten submissions for Lab 1: the reference with small differences; four of them with a known mistake.

Keeps out: the form in which they are handed in, which is nbgrader's or the kit's own.
"""

import ast
from dataclasses import dataclass
from pathlib import Path

from autograder.builder.source import BEGIN, END
from streamlab.notebooks.labfile import read_lab

ROOT = Path(__file__).resolve().parents[1]
LAB = "lab01_wordcount"
STAGE = ROOT / "autograder" / "stages" / LAB

# student -> the alternatives and mutants in the reference's place
TEN: dict[str, tuple[str, ...]] = {
    "anna": (),
    "bela": ("alternatives/words__str_translate",),
    "chen": ("mutants/words__case_kept",),
    "dana": ("alternatives/count_words__counter_update", "alternatives/on_word__try_except"),
    "emil": ("mutants/count_words__counts_lines",),
    "fadi": ("alternatives/deliver__recurrence", "alternatives/local_master__asks_first"),
    "gita": ("mutants/deliver__last_in_first_out", "alternatives/words__character_by_character"),
    "hugo": ("alternatives/word_counts__dstream_operations",),
    "ines": ("mutants/on_word__global_state", "mutants/local_master__one_too_many"),
    "jana": ("alternatives/deliver__event_loop", "alternatives/count_words__aggregate_by_key"),
}


@dataclass(frozen=True)
class Handed:
    """One student's answers, and the tasks in which there is a mistake."""

    student: str
    answers: dict[str, str]
    wrong: frozenset[str]


def submissions(count: int) -> list[Handed]:
    """The first `count` of the ten."""
    return [_handed(student, variants) for student, variants in list(TEN.items())[:count]]


def reference() -> dict[str, str]:
    """Task -> the reference's answer, as a student would write it."""
    cells = read_lab(ROOT / "solutions" / LAB / f"{LAB}.py").cells
    return {str(cell.name): _unmarked(cell.source) for cell in cells if cell.role == "task"}


def _handed(student: str, variants: tuple[str, ...]) -> Handed:
    answers = {task: f"# {student}\n{code}" for task, code in reference().items()}
    answers |= {_task(variant): _code(STAGE / f"{variant}.py") for variant in variants}
    return Handed(student, answers, frozenset(_task(each) for each in variants if each.startswith("mutants/")))


def _task(variant: str) -> str:
    """Example: _task("mutants/words__case_kept") -> "words"."""
    return variant.partition("/")[2].partition("__")[0]


def _code(path: Path) -> str:
    """A variant's definitions, without what the verification says about it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kept = [node for node in tree.body[1:] if "KILLED_BY" not in ast.unparse(node).split(" ", 1)[0]]
    return "\n\n".join(ast.unparse(node) for node in kept)


def _unmarked(source: str) -> str:
    return "\n".join(line for line in source.split("\n") if BEGIN not in line and END not in line)
