"""A stock nbgrader course with Lab 1: the notebook with asserts, released, and students' submissions.

`make_course` writes the files that stock `nbgrader autograde` needs; `submission` writes one student's notebook.
`lab01_wordcount_stock.py` holds the asserts; `grading.py` runs and times the course.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from autograder.course import load_course
from autograder.judge.jobs import PUBLIC_SEED
from autograder.stages.lab01_wordcount.counting import cases
from autograder.stages.lab01_wordcount.counting.oracle import word_counts, words
from autograder.stages.lab01_wordcount.delivery import cases as delivery_cases
from autograder.stages.lab01_wordcount.delivery.oracle import delivery
from autograder.stages.lab01_wordcount.streams import cases as stream_cases
from autograder.stages.lab01_wordcount.streams import oracle
from streamlab.java.finder import find_java
from streamlab.notebooks.labfile import LabCell, read_lab

ROOT = Path(__file__).resolve().parents[1]
LAB = "lab01_wordcount"
BUILDER = 'SparkSession.builder.master("local[2]").config("spark.ui.showConsoleProgress", "false")'
SESSIONS = {
    "plain": f"from pyspark.sql import SparkSession\nspark = {BUILDER}.getOrCreate()",
    "partitions": "from pyspark.sql import SparkSession\n"
    f'spark = {BUILDER}.config("spark.sql.shuffle.partitions", 2).getOrCreate()',
    "kit": 'from streamlab import session\nspark = session("lab01_wordcount")',
}
SETTINGS = """\
c = get_config()
c.CourseDirectory.course_id = "stock"
c.Execute.timeout = 300  # nbgrader's 30 s are too few for Spark
"""
Answers = dict[str, str]


def environment() -> dict[str, str]:
    """Return this shell's environment with this Python's programs first (nbgrader calls alembic) and the kit's Java."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return {**os.environ, "PATH": path, "JAVA_HOME": find_java().home, "PYTHONPATH": str(ROOT)}


def make_course(folder: Path, session: str, reference: Answers) -> None:
    """Make an nbgrader course in `folder` with the assignment released; `reference` are the answers in its source."""
    folder.mkdir(parents=True)
    (folder / "nbgrader_config.py").write_text(SETTINGS)
    source = folder / "source" / LAB / f"{LAB}.ipynb"
    source.parent.mkdir(parents=True)
    marked = {task: _marked(code) for task, code in reference.items()}
    nbformat.write(_notebook(session, marked), source)
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", LAB]
    subprocess.run(command, cwd=folder, env=environment(), check=True, capture_output=True)


def submission(course: Path, student: str, answers: Answers) -> None:
    """Write the submission of `student`: the released notebook with `answers` in its task cells."""
    notebook = nbformat.read(course / "release" / LAB / f"{LAB}.ipynb", as_version=4)
    for cell in notebook.cells:
        task = cell.metadata.nbgrader.grade_id.removeprefix("task-")
        if task in answers and cell.metadata.nbgrader.solution:
            cell.source = answers[task]
    target = course / "submitted" / student / LAB / f"{LAB}.ipynb"
    target.parent.mkdir(parents=True)
    nbformat.write(notebook, target)


def _notebook(session: str, answers: Answers) -> NotebookNode:
    notebook = new_notebook()
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    released = read_lab(ROOT / "labs" / LAB / f"{LAB}.ipynb").cells
    given = {str(cell.name): cell.source for cell in released if cell.role == "given"}
    for cell in read_lab(Path(__file__).with_name("lab01_wordcount_stock.py")).cells:
        notebook.cells.append(_cell(cell, SESSIONS[session], given, answers))
    return notebook


def _cell(cell: LabCell, session: str, given: Answers, answers: Answers) -> NotebookNode:
    name = str(cell.name)
    if cell.role == "check":
        source = f"cases = json.loads({json.dumps(_cases(name))!r})\n\n{cell.source}"
        rule = load_course(ROOT).labs[LAB].tasks[name]
        return _with_metadata(source, f"check-{name}", points=sum(rule.checks.values()))
    if cell.role == "task":
        return _with_metadata(answers[name], f"task-{name}", solution=True)
    source = cell.source.replace("{session}", session) or given[name]
    return _with_metadata(source, f"given-{name}")


def _with_metadata(source: str, grade_id: str, points: float | None = None, solution: bool = False) -> NotebookNode:
    cell = new_code_cell(source.rstrip("\n"), id=grade_id)
    metadata: dict[str, Any] = {"schema_version": 3, "grade_id": grade_id, "task": False, "solution": solution}
    metadata |= {"grade": points is not None, "locked": not solution}
    cell.metadata["nbgrader"] = metadata | ({"points": points} if points is not None else {})
    return cell


def _marked(code: str) -> str:
    return f"### BEGIN SOLUTION\n{code}\n### END SOLUTION"


def _cases(task: str) -> Any:
    """Return the cases of the public seed, each with the expected result."""
    return CASES[task]()


def _words() -> Any:
    kinds = (cases.punctuated, cases.gaps, cases.apostrophes, cases.mixed_case, cases.languages, cases.repeated)
    return [[case["line"], words(case["line"])] for kind in kinds for case in kind(PUBLIC_SEED)]


def _pairs(counts: dict[str, int]) -> list[list[Any]]:
    return [[word, count] for word, count in counts.items()]


def _count_words() -> Any:
    texts = [[c["lines"], c["partitions"], _pairs(word_counts(c["lines"]))] for c in cases.texts(PUBLIC_SEED)]
    bars = cases.bar_separated(PUBLIC_SEED)
    split = [[c["lines"], _pairs(Counter("|".join(c["lines"]).split("|")))] for c in bars]
    return {"texts": texts, "bars": split}


def _word_counts() -> Any:
    batches = [case["batches"] for case in stream_cases.batches(PUBLIC_SEED)]
    lines = [[line for part in case["parts"] for line in part] for case in stream_cases.over_a_socket(PUBLIC_SEED)]
    return {
        "batches": [[each, [_pairs(word_counts(batch)) for batch in each]] for each in batches],
        "socket": [[each, _pairs(word_counts(each))] for each in lines],
    }


def _local_master() -> Any:
    machines = [*stream_cases.machines(PUBLIC_SEED), *stream_cases.impossible_machines(PUBLIC_SEED)]
    return [[*case.values(), oracle.local_master(case["receivers"], case["workers"])] for case in machines]


def _on_word() -> Any:
    cases_with_states = []
    for case in [*stream_cases.one_state(PUBLIC_SEED), *stream_cases.several_states(PUBLIC_SEED)]:
        states = [dict(state) for state in case["states"]]
        answers = oracle.occurrences(case["states"], case["events"])
        for (number, _), (word, count) in zip(case["events"], answers, strict=True):
            states[number][word] = count
        cases_with_states.append([case["events"], answers, states])
    return cases_with_states


def _standing_counts() -> Any:
    cases_with_counts = []
    for case in stream_cases.files(PUBLIC_SEED):
        so_far = [[line for file in case["files"][: at + 1] for line in file] for at in range(len(case["files"]))]
        cases_with_counts.append([case["files"], [_pairs(word_counts(lines)) for lines in so_far]])
    return cases_with_counts


def _deliver() -> Any:
    kinds = (delivery_cases.any_source, delivery_cases.sources, delivery_cases.ties, delivery_cases.wrong_arguments)
    return [[list(case.values()), delivery(**case)] for kind in kinds for case in kind(PUBLIC_SEED)]


CASES = {
    "words": _words,
    "count_words": _count_words,
    "word_counts": _word_counts,
    "local_master": _local_master,
    "on_word": _on_word,
    "standing_counts": _standing_counts,
    "deliver": _deliver,
}
