"""Writes the README of the student's kit: README.md without the parts for instructors and authors.

`SECTIONS` lists the sections to keep, so a new one is left out until it is listed. Rows of tables are removed if
their folder is not in the kit.
"""

import re
from collections.abc import Collection

from autograder.course import Course
from autograder.pack.contents import NotPackable

SECTIONS = ("The labs", "For students", "For self-learners", "What each folder is", "What it leaves out")
FIRST_RESULT = """\
## A first result, in two commands

This is the student's kit of {course} {release}: all that you need to work on the labs. On Linux with Python 3.11, 3.12
or 3.13, in the folder that you unpacked:

```sh
./lab demo              # installs into .venv (a minute), shows the system, judges work on real Spark
./lab start {first}
```

If `./lab` is not executable, your unpacking program lost its mode: `chmod +x lab`. `./lab doctor` lists what this
machine has and what is missing; `./lab --help` shows all other commands.

"""
_ROW = re.compile(r"^\| (?P<folders>`[^|]*`) \|")


def student_readme(readme: str, course: Course, names: Collection[str]) -> str:
    """Return the README for students; `names` are the paths of the files in their kit.

    Raises NotPackable if README.md lacks a section that students need.
    """
    opening, *sections = re.split(r"^## ", readme, flags=re.MULTILINE)
    by_title = {section.split("\n", 1)[0].strip(): section for section in sections}
    missing = [title for title in SECTIONS if title not in by_title]
    if missing:
        raise NotPackable(f'README.md has no section "{missing[0]}", which autograder/pack/student_readme.py keeps')
    first = FIRST_RESULT.format(course=course.course, release=course.release, first=next(iter(course.labs)))
    kept = "".join(f"## {by_title[title]}" for title in SECTIONS)
    return opening + first + "\n".join(line for line in kept.split("\n") if _has_its_folder(line, names))


def _has_its_folder(line: str, names: Collection[str]) -> bool:
    """Return whether a line may stay: only a row about folders outside the kit goes; `./lab start` creates `work/`."""
    row = _ROW.match(line)
    if row is None:
        return True
    folders = re.findall(r"`([^`]+)`", row["folders"])
    return any(name.startswith(folder) for folder in folders for name in (*names, "work/"))
