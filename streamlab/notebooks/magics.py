"""Translates notebook-only syntax (`%magic`, `!shell`) to plain Python, for cells that run without a notebook.

Magics that only wrap code (`%%time`) run the code; other magics, and all shell lines, are skipped with a note.
"""

import ast
from typing import Any

_WRAPPERS = ("time", "timeit", "capture", "prun")


def as_python(source: str) -> str:
    """Return `source` without notebook syntax; plain Python is returned unchanged.

    Example: as_python("!ls") -> "get_ipython().system('ls')\\n"
    """
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        from IPython.core.inputtransformer2 import TransformerManager  # slow to import, and rarely needed

        return str(TransformerManager().transform_cell(source))
    return source


class QuietShell:
    """The result of `get_ipython()` while a stage is loaded; it notes each command instead of running it."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.namespace = namespace
        self.notes: list[str] = []

    def run_cell_magic(self, name: str, line: str, body: str) -> None:
        """Run the body of a magic that only wraps it; note any other."""
        if name in _WRAPPERS:
            exec(compile(as_python(body), f"cell of %%{name}", "exec"), self.namespace)
        else:
            self.notes.append(f"%%{name} was left out: magics do not run while a lab is judged.")

    def run_line_magic(self, name: str, line: str, **_: Any) -> None:
        """Run the statement of a magic that only wraps it; note any other."""
        if name in _WRAPPERS and line.strip():
            exec(compile(line, f"line of %{name}", "exec"), self.namespace)
        else:
            self.notes.append(f"%{name} was left out: magics do not run while a lab is judged.")

    def system(self, command: str) -> None:
        """Note a shell line."""
        self.notes.append(f"!{command[:40]} was left out: shell lines do not run while a lab is judged.")

    def getoutput(self, command: str, **_: Any) -> list[str]:
        """Note a shell line, and return an empty output."""
        self.system(command)
        return []

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: self.notes.append(f"get_ipython().{name} was left out while the lab was judged.")
