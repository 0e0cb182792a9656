"""Writes the generated files, or lists those that are not up to date with the sources.

These are `labs/LAB/LAB.ipynb`, the marked parts of README.md and its picture, docs/system.svg.
"""

from collections.abc import Iterable
from pathlib import Path

from autograder.builder import readme
from autograder.builder.leaks import leaks
from autograder.builder.leaves import broken_leaves
from autograder.builder.notebook import reference_notebook
from autograder.builder.release import released
from autograder.builder.rules import SourceError, broken_rules
from autograder.course import Course, load_course


def build(root: Path, labs: list[str] | None = None) -> None:
    """Write the notebooks of `labs` (by default, of the whole course), the generated parts of README.md, its picture.

    Raises SourceError with every problem of every source, and then writes nothing.
    """
    for path, text in _generated(root, labs).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def stale(root: Path) -> list[str]:
    """Return a sentence for each generated file that is not up to date with the sources; empty if all are.

    Example: ["labs/lab01_wordcount/lab01_wordcount.ipynb is out of date; run `./lab build`"]
    """
    generated = _generated(root, None)
    sentences = []
    for path, text in generated.items():
        if not path.is_file():
            sentences.append(f"{path.relative_to(root)} is missing; run `./lab build`")
        elif path.read_text(encoding="utf-8") != text:
            sentences.append(f"{path.relative_to(root)} is out of date; run `./lab build`")
    for path in _notebooks_without_a_lab(root, generated):
        sentences.append(f"{path.relative_to(root)} has no source; delete it, or add its lab to course.yml")
    return sentences


def _generated(root: Path, labs: list[str] | None) -> dict[Path, str]:
    """Map the path of each generated file to its text."""
    course = load_course(root)
    names = list(course.labs) if labs is None else labs
    files = {root / "labs" / lab / f"{lab}.ipynb": text for lab, text in _notebooks(root, course, names).items()}
    if (root / "README.md").is_file():
        files[root / "README.md"] = readme.with_generated_parts(root / "README.md", course)
        files[root / readme.PICTURE] = readme.picture(course)
    return files


def _notebooks(root: Path, course: Course, labs: list[str]) -> dict[str, str]:
    unknown = [f"no lab {lab}; course.yml has {', '.join(course.labs)}" for lab in labs if lab not in course.labs]
    problems = unknown or [problem for lab in labs for problem in broken_rules(root, course, lab)]
    problems = problems or broken_leaves(root, course)
    if problems:
        raise SourceError(problems)
    notebooks = released({lab: reference_notebook(root, course, lab) for lab in labs})
    for lab, text in notebooks.items():
        problems += leaks(root, lab, text)
    if problems:
        raise SourceError(problems)
    return notebooks


def _notebooks_without_a_lab(root: Path, generated: Iterable[Path]) -> list[Path]:
    """Return the notebooks in labs/ that nothing generates; JupyterLab's hidden checkpoints do not count."""
    others = set((root / "labs").rglob("*.ipynb")) - set(generated)
    return sorted(path for path in others if ".ipynb_checkpoints" not in path.parts)
