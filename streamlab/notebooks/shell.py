"""Runs the code of cells as a notebook's shell does, for cells that run without a notebook.

Cells can use `await` at their top level, and a `from __future__ import` also holds for later cells. `%timeit` runs its
code once. Other magics, and all shell lines, are skipped with a note.
"""

import __future__

import ast
import inspect
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

from streamlab.notebooks.magics import parsed, without_options

_FUTURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
_NEEDS_LOOP = {"create_task", "ensure_future", "get_running_loop"}


class QuietShell:
    """The result of `get_ipython()` while a stage is loaded; it notes most commands instead of running them."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.user_ns = namespace
        self.config: dict[str, Any] = {}
        self.notes: list[str] = []
        self._futures = 0
        self._loop: Any = None

    def run(self, source: str, file: str) -> None:
        """Run a cell whose tracebacks name `file`. A cell that awaits or makes tasks runs in the event loop."""
        tree = parsed(source)
        if self.user_ns["__name__"] != "__main__":
            tree = _AsMain().visit(tree)
        code = compile(tree, file, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | self._futures, dont_inherit=True)
        self._futures |= code.co_flags & _FUTURES
        if code.co_flags & inspect.CO_COROUTINE or _NEEDS_LOOP.intersection(code.co_names):
            self._run_in_loop(code)
        else:
            exec(code, self.user_ns)

    def _run_in_loop(self, code: CodeType) -> None:
        import asyncio  # slow to import, and rarely needed

        async def cell() -> None:
            if (result := eval(code, self.user_ns)) is not None:
                await result

        if self._loop is None:
            self._loop = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._loop.run(cell())

    def close(self) -> None:
        """Cancel the tasks that cells have left running."""
        if self._loop is not None:
            self._loop.close()

    @contextmanager
    def captured(self, line: str) -> Iterator[None]:
        """Run the block of `%%capture`, and give its output the name in `line`."""
        from IPython.utils.capture import capture_output

        with capture_output() as captured:
            yield
        for name in (each for each in line.split() if each.isidentifier()):
            self.user_ns[name] = captured

    def run_cell_magic(self, name: str, line: str, body: str) -> None:
        """Run the code of `%%timeit`; note any other magic."""
        if name == "timeit":
            options, setup = without_options(name, line)
            self._timeit(options, setup, body)
        else:
            self.notes.append(f"%%{name} was left out: magics do not run while a lab is judged.")

    def run_line_magic(self, name: str, line: str, **_: Any) -> Any:
        """Run the code of `%timeit`, and return its result; note any other magic."""
        if name == "timeit":
            options, code = without_options(name, line)
            return self._timeit(options, "", code)
        if not name.startswith("pinfo"):  # `name?` only shows help
            self.notes.append(f"%{name} was left out: magics do not run while a lab is judged.")
        return None

    def _timeit(self, options: dict[str, Any], setup: str, code: str) -> Any:
        """Run the code once, in a function, so that it defines no names in the notebook."""
        from IPython.core.magics.execution import TimeitResult

        function, scope = ast.parse("def timed(): pass"), dict[str, Any]()
        function.body[0].body += [*parsed(setup).body, *parsed(code).body]  # type: ignore[attr-defined]
        exec(compile(ast.fix_missing_locations(function), "<string>", "exec"), self.user_ns, scope)
        began = time.perf_counter()
        scope["timed"]()
        seconds = time.perf_counter() - began
        result = TimeitResult(1, 1, seconds, seconds, [seconds], 0.0, int(options.get("p", 3)))
        if "v" in options:
            self.user_ns[options["v"]] = result
        return result if "o" in options else None

    def system(self, command: str) -> None:
        """Note a shell line."""
        self.notes.append(f"!{command[:40]} was left out: shell lines do not run while a lab is judged.")

    def getoutput(self, command: str, **_: Any) -> list[str]:
        """Note a shell line, and return an empty output."""
        from IPython.utils.text import SList

        self.system(command)
        return SList()

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: self.notes.append(f"get_ipython().{name} was left out while the lab was judged.")


class _AsMain(ast.NodeTransformer):
    """Makes `__name__ == "__main__"` true, as in a notebook, in a module that has another name."""

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        match node:
            case ast.Compare(ast.Name("__name__"), _, [ast.Constant("__main__")]):
                node.left = ast.copy_location(ast.Constant("__main__"), node.left)
            case ast.Compare(ast.Constant("__main__"), _, [ast.Name("__name__") as name]):
                node.comparators = [ast.copy_location(ast.Constant("__main__"), name)]
        return self.generic_visit(node)
