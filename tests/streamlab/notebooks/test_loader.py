"""The loader finds tasks by name, and a failing cell affects only itself."""

import pytest

from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.loader import TaskMissing, load_cells


def stage_of(*sources: str, roles: dict[int, str] | None = None):
    roles = roles or {}
    cells = [LabCell("code", source, role=roles.get(at)) for at, source in enumerate(sources)]
    return load_cells("lab", cells, module_name="stage_of_a_test")


@pytest.mark.parametrize("sources", [("y = 2", "def f(): return y"), ("def f(): return 1", "def f(): return 2")])
def test_a_task_is_found_in_any_cell_and_its_later_definition_counts(sources: tuple[str, ...]) -> None:
    assert stage_of(*sources).f() == 2


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


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("%%time\nx = 3", 3),
        ("%%capture out\n%%time\nprint(3)\nx = 3", 3),
        ("%prun -s cumulative -q x = 3", 3),
        ("x = %time 1 + 2", 3),
        ("if True:\n    %time x = 3", 3),
        ("x = 3\n%timeit -n 10 -r 3 x + 1", 3),
        ("x = 3\n%timeit x = 4", 3),  # in a function, as in a notebook
        ("%%timeit -n10 y = 3\nx = y\nassert x == 3", None),
        ("taken = %timeit -q -o -r 2 1 + 1\nx = taken.loops", 1),
        ("x = 3\nx?", 3),
        ("x = !ls\nx = x.n", ""),
        ("import asyncio\nx = await asyncio.sleep(0, 3)", 3),
        ("import asyncio\n%time x = await asyncio.sleep(0, 3)", 3),
        ("import asyncio\nasync def three(): return 3\nx = asyncio.run(three())", 3),
        ("if __name__ == '__main__':\n    x = 3", 3),
        ("x = 3 if 'IPKernelApp' not in get_ipython().config else 4", 3),
    ],
)
def test_code_runs_as_in_a_notebook(source: str, value: object) -> None:
    stage = stage_of("x = None", source, "def f(): return x")

    assert stage.errors == []
    assert stage.f() == value


def test_a_task_of_the_event_loop_ends_in_a_later_cell() -> None:
    start = "import asyncio\nasync def wait(): return await asyncio.sleep(0, 3)\nwaiting = asyncio.create_task(wait())"

    assert stage_of(start, "x = await waiting", "def f(): return x").f() == 3


def test_a_future_import_holds_for_later_cells() -> None:
    assert stage_of("from __future__ import annotations", "def f(x: Undefined): return x").errors == []


def test_the_output_of_a_captured_cell_has_its_name() -> None:
    assert stage_of("%%capture --no-stderr out\nprint(3)", "def f(): return out.stdout").f() == "3\n"


@pytest.mark.parametrize("head", ["%%time\n", "\n\n%%capture\n\n%%prun\n", "%matplotlib inline\n"])
def test_an_error_after_a_magic_has_the_line_of_the_cell(head: str) -> None:
    errors = stage_of(f"{head}x = 1\n1 / 0").errors + stage_of(f"{head}x = 1\ndef f(:").errors

    line = head.count("\n") + 2
    assert [(e.line, e.kind) for e in errors] == [(line, "ZeroDivisionError"), (line, "SyntaxError")]


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("input()", "EOFError"),
        ("raise SystemExit(3)", "SystemExit"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("import asyncio\nraise asyncio.CancelledError", "CancelledError"),
        ("def f(:", "SyntaxError"),
    ],
)
def test_input_exit_and_syntax_errors_are_errors_of_their_cell(source: str, kind: str) -> None:
    assert [error.kind for error in stage_of(source).errors] == [kind]


def test_the_stages_functions_see_a_replaced_name_until_the_block_ends() -> None:
    stage = stage_of("def words(line): return line.split()\ndef count(line): return len(words(line))")

    with stage.replaced(words=lambda line: [line]):
        assert stage.count("a b") == 1

    assert stage.count("a b") == 2
