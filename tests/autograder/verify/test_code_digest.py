"""The digest of Python code ignores wording and layout, and changes with every change of behaviour."""

from pathlib import Path

import pytest

from autograder.verify.code_digest import code_of, files_at

CODE = '"""A module."""\n\n\ndef f(a, b=1):\n    """Add."""\n    return a + b  # the sum\n'
SAME = [
    ('"""A module."""', '"""Another wording."""'),
    ('"""A module."""\n', ""),
    ('    """Add."""\n', ""),
    ("  # the sum", ""),
    ("a + b", "(a +\n            b)"),
]
OTHER = [
    ("b=1", "b=2"),
    ("b=1", "b=True"),
    ("b=1", "b=1.0"),
    ("b=1", 'b="1"'),
    ("b=1", "b=None"),
    ("a + b", "b + a"),
    ("return ", ""),
    ("def f", "async def f"),
    ('"""Add."""', '"""Add.""" + ""'),
]


def code_in(folder: Path, text: str, name: str = "module.py") -> bytes:
    (folder / name).write_text(text)
    return code_of(folder / name)


@pytest.mark.parametrize(("old", "new"), SAME)
def test_wording_and_layout_do_not_count(tmp_path: Path, old: str, new: str) -> None:
    assert code_in(tmp_path, CODE.replace(old, new)) == code_in(tmp_path, CODE)


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_every_change_of_behaviour_counts(tmp_path: Path, old: str, new: str) -> None:
    assert old in CODE
    assert code_in(tmp_path, CODE.replace(old, new)) != code_in(tmp_path, CODE)


@pytest.mark.parametrize(
    ("name", "text"),
    [("source.py", "# %%\n" + CODE), ("broken.py", "def f(:\n"), ("hints.yml", CODE), ("latin.py", "# é\nf(:")],
)
def test_other_files_count_byte_for_byte(tmp_path: Path, name: str, text: str) -> None:
    assert code_in(tmp_path, text, name) == text.encode()


def test_files_below_a_folder_come_sorted_and_without_generated_ones(tmp_path: Path) -> None:
    for name in ("b.py", "a/verified.json", "a/z.py", "a/__pycache__/z.pyc"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")

    found = [path.relative_to(tmp_path).as_posix() for path in files_at(tmp_path, ["b.py", "a"])]

    assert found == ["b.py", "a/z.py"]


def test_a_path_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="expected a file or folder"):
        list(files_at(tmp_path, ["gone"]))
