"""`./lab portfolio` writes a package that passes its own tests and has nothing of the reference."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.cli import portfolio as verb
from autograder.cli.context import UserError, course
from autograder.judge.cell_digests import CELL, digest_of_source
from autograder.notebook_check import standing
from autograder.portfolio.selection import Selection
from streamlab.notebooks.labfile import reference_cells
from tests.autograder.cli.conftest import ROOT, lab

LAB = "lab01_wordcount"
MINE = {
    "words": 'def words(line):\n    # my own\n    return re.findall(r"[^\\W_]+(?:\'[^\\W_]+)*", line.casefold())\n',
    "word_counts": "def word_counts(lines):\n    return count_words(lines)\n",
    "on_word": "def on_word(previous, current):\n    return current\n",
}


def portfolio(work: Path, *arguments: str) -> tuple[int, str, str]:
    done = lab("portfolio", *arguments, STREAMLAB_WORK=str(work))
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A learner's folder: words and word_counts pass, on_word has changed since its check, the rest are stubs."""
    folder = tmp_path / LAB
    folder.mkdir()
    notebook = json.loads((ROOT / "labs" / LAB / f"{LAB}.ipynb").read_text("utf-8"))
    checked = {}
    for cell in notebook["cells"]:
        name = cell["metadata"].get("streamlab", {}).get("name")
        if cell["cell_type"] == "code" and name in MINE:
            cell["source"] = MINE[name]
            digest = digest_of_source(MINE[name] + "# later" * (name == "on_word"))
            checked[name] = dict.fromkeys(course().labs[LAB].tasks[name].checks, "pass") | {CELL: digest}
    (folder / f"{LAB}.ipynb").write_text(json.dumps(notebook), "utf-8")
    (folder / standing.CHECKED).write_text(json.dumps(checked), "utf-8")
    return tmp_path


def test_a_half_solved_lab_becomes_a_package_that_passes_its_tests(work: Path) -> None:
    code, said, _ = portfolio(work, "lab01")

    folder = work / "portfolio"
    assert code == 0
    assert said.splitlines()[0] == f"1 task in {folder}"
    assert "word_counts: calls count_words, which is not among your passing tasks as it is now\n" in said
    assert f"left out: {LAB}: on_word: changed since its last check" in said
    assert MINE["words"].strip() in (folder / "streaming_system" / f"{LAB}.py").read_text("utf-8")
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    tests = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert tests.returncode == 0, tests.stdout
    assert 'assert words("and, then") == ["and", "then"]' in (folder / "tests" / f"test_{LAB}.py").read_text("utf-8")


def test_a_damaged_notebook_matters_only_if_its_lab_is_asked_for(work: Path) -> None:
    (work / "lab02_windows").mkdir()
    (work / "lab02_windows" / "lab02_windows.ipynb").write_text("{")

    code, said, _ = portfolio(work, "lab01")
    refused = portfolio(work, "--to", "another")

    assert (code, said.splitlines()[0]) == (0, f"1 task in {work / 'portfolio'}")
    problem = "lab02_windows.ipynb: not JSON, so no notebook; was it saved completely?; nothing was written"
    assert refused == (2, "", f"lab: {problem}\n")


def test_nothing_of_the_reference_is_in_the_package(work: Path) -> None:
    portfolio(work)

    written = "\n".join(path.read_text("utf-8") for path in (work / "portfolio").rglob("*") if path.is_file())
    reference = {
        line.strip()
        for cell in reference_cells(ROOT, LAB)
        for line in cell.source.splitlines()
        if cell.role == "task" and line.startswith("    ") and len(line) > 40
    }
    assert [line for line in sorted(reference) if line in written and line not in MINE["words"]] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("lab10",), "no lab lab10; `./lab status` lists the labs"),
        (("lab02",), "no task to write: none passes all its checks so far; `./lab check lab02_windows` checks yours"),
        (("--to", "{work}"), "{work} has other files, such as lab01_wordcount; `--to` names another folder"),
    ],
)
def test_a_mistake_is_one_line_and_writes_nothing(arguments: tuple[str, ...], message: str, work: Path) -> None:
    arguments = tuple(each.format(work=work) for each in arguments)

    assert portfolio(work, *arguments) == (2, "", f"lab: {message.format(work=work)}\n")
    assert sorted(path.name for path in work.iterdir()) == [LAB]


def test_a_course_without_the_system_promises_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verb, "_selected", lambda _: Selection({}, []))
    monkeypatch.setattr(verb, "files_of", lambda *_: {"README.md": ""})

    done = CliRunner().invoke(verb.portfolio, ["--to", str(tmp_path / "portfolio")])

    assert done.stdout.splitlines()[-1] == "there, `python -m pytest` runs the tests"


def test_a_course_can_turn_portfolios_off(monkeypatch: pytest.MonkeyPatch) -> None:
    turned_off = course().model_copy(update={"portfolio": False})
    monkeypatch.setattr(verb, "course", lambda: turned_off)

    done = CliRunner().invoke(verb.portfolio, [])

    assert isinstance(done.exception, UserError)
    assert str(done.exception) == "the course has turned portfolios off"
