"""A file that contains a solution in any form is reported."""

from pathlib import Path

import pytest

from autograder.course import Course
from autograder.pack.contents import Packed, files_to_pack
from autograder.pack.leaks import leaks_in

ROOT = Path(__file__).resolve().parents[3]
STAGE = ROOT / "autograder" / "stages" / "lab01_wordcount"
SOLUTIONS = ROOT / "solutions" / "lab01_wordcount"
SECRET = [*sorted(STAGE.glob("*/mutants.py")), *sorted(STAGE.glob("*/alternatives.py")), *sorted(SOLUTIONS.glob("*.*"))]


def leaks(name: str, text: str, course: Course) -> list[str]:
    return leaks_in([Packed(name, False, text.encode())], ROOT, course)


def test_the_kit_leaks_nothing(course: Course) -> None:
    assert leaks_in(files_to_pack(ROOT, course), ROOT, course) == []


@pytest.mark.parametrize("path", SECRET, ids=lambda path: path.stem)
def test_every_secret_file_is_found_under_another_name(path: Path, course: Course) -> None:
    found = leaks("streamlab/innocent.txt", path.read_text(), course)

    assert len(found) == 1
    assert found[0].startswith("streamlab/innocent.txt: holds ")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (
            "def f(state, word):\n        state[word] = state.get(word, 0) + 1\n\n        return word, state[word]\n",
            "on_word",
        ),
        ("x\n# a remark\nreturn lines.transform(count_words)\ny", "the solution of word_counts"),
        ("    ### BEGIN SOLUTION\n    pass\n", "### BEGIN SOLUTION"),
    ],
)
def test_a_solution_is_found_with_other_indent_and_in_the_middle(text: str, what: str, course: Course) -> None:
    assert [what in leak for leak in leaks("docker/notes.md", text, course)] == [True]


def test_a_single_line_of_a_longer_solution_may_occur_in_other_files_but_not_in_a_notebook(course: Course) -> None:
    line = 'return f"local[{receivers + workers}]"'
    released = (ROOT / "labs" / "lab01_wordcount" / "lab01_wordcount.ipynb").read_text()
    stub = '"    raise NotImplementedError(\\n",\n    "        \\"local_master'
    assert stub in released
    with_the_line = released.replace(stub, '"    return f\\"local[{receivers + workers}]\\"\\n",\n    ' + stub)

    assert leaks("streamlab/x.py", line, course) == []
    assert leaks("labs/lab01_wordcount/lab01_wordcount.ipynb", with_the_line, course) == [
        f"labs/lab01_wordcount/lab01_wordcount.ipynb: has a line of a solution: {line}"
    ]


def test_the_baseline_that_the_notebook_prints_is_not_a_leak(course: Course) -> None:
    assert leaks("streamlab/x.py", (STAGE / "baselines" / "slides_pipeline.py").read_text(), course) == []
