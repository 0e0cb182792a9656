"""A stub is told from a learner's code by what it does, not by its text."""

import pytest

from autograder.releases.stubs import changed_parameters, is_stub

RAISE = 'raise NotImplementedError("f: do it")'


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"def f():\n    {RAISE}", True),
        (f'def f():\n    """Say."""\n    # later\n    {RAISE}', True),
        (f"class f:\n    def __init__(self):\n        {RAISE}", True),
        (f"class Row:\n    x: int\n\ndef f():\n    {RAISE}", True),
        (f"def f():\n    x = 1\n    {RAISE}", False),
        (f"class f:\n    def a(self):\n        return 1\n    def b(self):\n        {RAISE}", False),
        ("def f():\n    raise NotImplementedError", False),
        ("def f():\n    raise ValueError('f: no')", False),
        ("def f(:", False),
        ("", False),
    ],
)
def test_a_stub_only_raises(source: str, expected: bool) -> None:
    assert is_stub(source, "f") is expected


@pytest.mark.parametrize(
    ("own", "released", "phrases"),
    [
        ("def f(a): ...", "def f(a: int) -> str: ...", []),
        ("def f(a): ...", "def f(a, b=2): ...", ["f has the parameters (a, b=2) now, in your cell (a)"]),
        ("class L:\n def a(self): ...", "class L:\n def a(self): ...", []),
        ("x = 1", "def f(a): ...", ["f has the parameters (a) now, your cell does not define it"]),
        (
            "class L:\n def a(self): ...",
            "class L:\n def a(self, k): ...",
            ["L.a has the parameters (self, k) now, in your cell (self)"],
        ),
    ],
)
def test_changed_parameters_are_named(own: str, released: str, phrases: list[str]) -> None:
    assert changed_parameters(own, released) == phrases
