"""The loader finds tasks by name, and a failing cell affects only itself."""

import pytest

from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.loader import TaskMissing, load_cells


def stage_of(*sources: str, roles: dict[int, str] | None = None):
    roles = roles or {}
    cells = [LabCell("code", source, role=roles.get(at)) for at, source in enumerate(sources)]
    return load_cells("lab", cells, module_name="stage_of_a_test")


def test_a_task_is_found_in_any_cell() -> None:
    assert stage_of("y = 2", "def f(): return y").f() == 2


def test_the_later_definition_of_a_task_counts() -> None:
    assert stage_of("def f(): return 1", "def f(): return 2").f() == 2


def test_a_failing_cell_is_reported_with_its_line_and_the_others_still_run() -> None:
    stage = stage_of("a = 1\nb = 1 / 0", "def f(): return a")

    assert [(e.line, e.kind) for e in stage.errors] == [(2, "ZeroDivisionError")]
    assert stage.f() == 1


def test_a_task_whose_cell_failed_is_missing_with_the_reason() -> None:
    stage = load_cells("lab", [LabCell("code", "def f(:", "task", "f")], module_name="stage_of_a_test")

    with pytest.raises(TaskMissing, match="f is not defined: its cell stopped at f, line 1: SyntaxError"):
        _ = stage.f


@pytest.mark.parametrize("kind", ["markdown", "raw"])
def test_a_task_in_a_cell_of_text_is_missing_with_the_key_that_makes_it_code(kind: str) -> None:
    stage = load_cells("lab", [LabCell(kind, "def f(): pass", "task", "f")], module_name="stage_of_a_test")

    with pytest.raises(TaskMissing, match=f"f is not defined: its cell is a {kind} cell.*press Y"):
        _ = stage.f


@pytest.mark.parametrize("role", ["show", "check", "written"])
def test_show_check_and_written_cells_do_not_run(role: str) -> None:
    stage = stage_of("1 / 0", roles={0: role})

    assert stage.errors == []


@pytest.mark.parametrize(
    ("source", "note"),
    [("!ls", "shell lines"), ("%matplotlib inline", "magics"), ("%%bash\nls", "magics"), ("x = !ls", "shell lines")],
)
def test_notebook_syntax_is_skipped_with_a_note(source: str, note: str) -> None:
    stage = stage_of(source)

    assert stage.errors == []
    assert note in stage.notes[0]


def test_a_magic_that_wraps_code_runs_the_code() -> None:
    assert stage_of("%%time\nx = 3", "def f(): return x").f() == 3


@pytest.mark.parametrize(
    ("source", "kind"), [("input()", "EOFError"), ("raise SystemExit(3)", "SystemExit"), ("def f(:", "SyntaxError")]
)
def test_input_exit_and_syntax_errors_are_errors_of_their_cell(source: str, kind: str) -> None:
    assert [error.kind for error in stage_of(source).errors] == [kind]


def test_the_stages_functions_see_a_replaced_name_until_the_block_ends() -> None:
    stage = stage_of("def words(line): return line.split()\ndef count(line): return len(words(line))")

    with stage.replaced(words=lambda line: [line]):
        assert stage.count("a b") == 1

    assert stage.count("a b") == 2
