"""Null stubs: versions of a task that do nothing, and so should earn no points."""

import ast

from streamlab.notebooks.labfile import LabCell

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef
BODIES = {
    "raises ValueError": 'raise ValueError("null stub")',
    "returns None": "return None",
    "returns an empty text": 'return ""',
    "returns an empty list": "return []",
    "returns an empty dict": "return {}",
    "returns 0": "return 0",
    "returns its first argument": "return (*arguments, None)[0]",
}


def null_stubs(cell: LabCell) -> dict[str, str]:
    """Return code for each kind of stub of the task in `cell`: for its function, or for all methods of its class."""
    definitions = (node for node in ast.parse(cell.source).body if getattr(node, "name", "") == cell.name)
    task = next(definitions)
    assert isinstance(task, Definition)
    if isinstance(task, ast.ClassDef):
        return {kind: _class(task, body) for kind, body in BODIES.items()}
    return {kind: f"{_head(task)}(*arguments, **_):\n    {body}\n" for kind, body in BODIES.items()}


def broken(cell: LabCell) -> str:
    """Return code in which any use of the task fails, even inside `except Exception`."""
    definition = next(node for node in ast.parse(cell.source).body if getattr(node, "name", "") == cell.name)
    assert isinstance(definition, Definition)
    head = _head(definition) if not isinstance(definition, ast.ClassDef) else f"class {cell.name}:\n    def __init__"
    body = 'raise BaseException("a task was used that is broken")'
    return f"{head}(*_, **__):\n        {body}\n"


def _head(function: Function) -> str:
    return f"{'async ' if isinstance(function, ast.AsyncFunctionDef) else ''}def {function.name}"


def _class(task: ast.ClassDef, body: str) -> str:
    """Return a stub of the class: its properties stay properties, and its constructor accepts any arguments."""
    methods = [node for node in task.body if isinstance(node, Function) and node.name != "__init__"]
    stubs = ["    def __init__(self, *_, **__):\n        pass\n"]
    for method in methods:
        decorators = "".join(f"    @{ast.unparse(each)}\n" for each in method.decorator_list)
        stubs.append(f"{decorators}    {_head(method)}(self, *arguments, **_):\n        {body}\n")
    return f"class {task.name}:\n" + "\n".join(stubs)
