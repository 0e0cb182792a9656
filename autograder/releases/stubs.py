"""Tells stubs of tasks from a learner's code, and finds parameters that differ between the two."""

import ast
import copy

from streamlab.notebooks.magics import parsed

Function = ast.FunctionDef | ast.AsyncFunctionDef


def is_stub(source: str, task: str) -> bool:
    """Return whether a cell is an unsolved task: it raises NotImplementedError("TASK: …") and does nothing else.

    Docstrings and statements outside of functions, such as a given class with fields, do not count as work.
    """
    functions = [node for node in ast.walk(_parsed(source)) if isinstance(node, Function)]
    return any(_raises(node, task) for function in functions for node in function.body) and all(
        _raises(node, task) or _is_docstring(node) for function in functions for node in function.body
    )


def changed_parameters(own: str, released: str) -> list[str]:
    """Return a phrase for each function of a released stub whose parameters differ from those in the learner's cell.

    Annotations do not count. Example: ["f has the parameters (a, b) now, in your cell (a)"]
    """
    mine = _parameters(_parsed(own).body)
    changed = {name: now for name, now in _parameters(_parsed(released).body).items() if mine.get(name) != now}
    in_cell = {
        name: f"in your cell ({mine[name]})" if name in mine else "your cell does not define it" for name in changed
    }
    return [f"{name} has the parameters ({now}) now, {in_cell[name]}" for name, now in changed.items()]


def _parameters(body: list[ast.stmt], inside: str = "") -> dict[str, str]:
    """Return the parameters of functions and methods by name. Example: {"Log.append": "self, key"}."""
    found: dict[str, str] = {}
    for node in body:
        if isinstance(node, ast.ClassDef):
            found |= _parameters(node.body, f"{inside}{node.name}.")
        elif isinstance(node, Function):
            arguments = copy.deepcopy(node.args)
            for each in ast.walk(arguments):
                if isinstance(each, ast.arg):
                    each.annotation = None
            found[inside + node.name] = ast.unparse(arguments)
    return found


def _raises(node: ast.stmt, task: str) -> bool:
    if not (isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args):
        return False
    message = node.exc.args[0]
    is_text = isinstance(message, ast.Constant) and str(message.value).startswith(f"{task}:")
    return is_text and isinstance(node.exc.func, ast.Name) and node.exc.func.id == NotImplementedError.__name__


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _parsed(source: str) -> ast.Module:
    """Return the syntax tree of a cell; an empty one for a cell that is not Python."""
    try:
        return parsed(source)
    except (SyntaxError, ValueError, RecursionError):
        return ast.Module([], [])
