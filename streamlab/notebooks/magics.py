"""Translates notebook-only syntax (`%magic`, `!shell`) to plain Python, for cells that run without a notebook.

Code in `%time`, `%prun`, and `%%capture` becomes part of the cell. Other commands become calls of `get_ipython()`.
"""

import ast
import re
from types import SimpleNamespace
from typing import Any

_OPTIONS = {"time": "", "prun": "D:l:rs:T:q", "timeit": "n:r:tcp:qov:"}
_INLINED = ("time", "prun")
_BLANK_LINES = re.compile(r"(?:[^\S\n]*\n)*")


def parsed(source: str) -> ast.Module:
    """Return the syntax tree of a cell without notebook syntax. Raises SyntaxError, or ValueError for null characters.

    Example: ast.unparse(parsed("%time x = 3")) -> "x = 3"
    """
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):
        from IPython.core.inputtransformer2 import TransformerManager  # slow to import, and rarely needed

    blank = _BLANK_LINES.match(source)
    begin = blank.end() if blank else 0  # IPython drops these lines, and the others must keep their numbers
    tree = ast.parse(source[:begin] + TransformerManager().transform_cell(source[begin:]))
    return ast.fix_missing_locations(_Inlined().visit(tree))


class _Inlined(ast.NodeTransformer):
    """Replaces the calls of magics that only wrap code by this code."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.stmt]:
        match _arguments(node.value):
            case ["run_line_magic", name, line] if name in _INLINED:
                return _at(node.lineno, without_options(name, line)[1])
            case ["run_cell_magic", name, _, body] if name in _INLINED:
                return _at(node.lineno + 1, body)
            case ["run_cell_magic", "capture", line, body]:
                head = _at(node.lineno, f"with get_ipython().captured({line!r}): pass")
                head[0].body += _at(node.lineno + 1, body)  # type: ignore[attr-defined]
                return head
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        match _arguments(node):
            case ["run_line_magic", name, line] if name in _INLINED:
                match _at(node.lineno, without_options(name, line)[1]):
                    case [ast.Expr(value)]:
                        return value
        return self.generic_visit(node)


def _arguments(node: ast.AST) -> list[str]:
    """Return the method and the arguments of `get_ipython().method("…", …)`, or [] for any other expression."""
    match node:
        case ast.Call(ast.Attribute(ast.Call(ast.Name("get_ipython")), method), arguments):
            return [method, *(str(each.value) for each in arguments if isinstance(each, ast.Constant))]
    return []


def _at(line: int, code: str) -> list[ast.stmt]:
    """Return the statements of code that begins at this line of its cell."""
    return parsed("\n" * (line - 1) + code).body


def without_options(magic: str, line: str) -> tuple[dict[str, Any], str]:
    """Return the options of a magic, and the code after them.

    Example: without_options("timeit", "-n 10 f()") -> ({"n": "10"}, "f()")
    """
    from IPython.core.magic import Magics

    line = re.sub(r"^\s*--no-raise-error\b", "", line) if magic == "time" else line
    shell: Any = SimpleNamespace(options_table={})
    options = _OPTIONS[magic]
    found = Magics.parse_options(shell, line, options, posix=False, strict=False, preserve_non_opts=True)
    return dict(found[0]), found[1].strip()
