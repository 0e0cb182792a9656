"""Starts a lab: copies `template/` under a new name, adds the lab to course.yml and builds its notebook."""

import re
import shutil
from pathlib import Path

import yaml

from autograder.builder.builder import build
from autograder.course import Course, load_course

TEMPLATE = Path(__file__).with_name("template")
LAB_NAME = re.compile(r"lab(?P<number>\d\d)_(?P<topic>[a-z][a-z0-9_]{0,15})")
LONGEST_TITLE = 60


class BadName(ValueError):
    """The name or title is not valid for a lab; the message says why, in one line."""


def new_lab(root: Path, lab: str, title: str = "") -> list[Path]:
    """Create `lab`, ready to build and verify; return its folders and course.yml, relative to `root`.

    `title` defaults to the words of the name. Raises BadName, and then writes nothing.
    """
    words = _template_words(load_course(root), lab, title)
    folders = [root / "solutions" / lab, root / "autograder" / "stages" / lab, root / "labs" / lab]
    taken = next((folder for folder in folders if folder.exists()), None)
    if taken:
        raise BadName(f"{taken.relative_to(root)} exists; move it away, or choose another name")
    course_file = root / "course.yml"
    before = course_file.read_text(encoding="utf-8")
    try:
        _copy(root, lab, words)
        course_file.write_text(with_lab(before, _renamed(TEMPLATE / "course.yml", words)), encoding="utf-8")
        build(root, [lab])
    except BaseException:
        course_file.write_text(before, encoding="utf-8")
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    return [path.relative_to(root) for path in [*folders, course_file]]


def _copy(root: Path, lab: str, words: dict[str, str]) -> None:
    """Write the files of the lab except its notebook."""
    stage, solution = root / "autograder" / "stages" / lab, root / "solutions" / lab
    targets = {
        path: stage / path.relative_to(TEMPLATE / "stage")
        for path in (TEMPLATE / "stage").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    targets |= {
        TEMPLATE / "lab00_sample.py": solution / f"{lab}.py",
        TEMPLATE / "TEACHING.md": solution / "TEACHING.md",
    }
    for source, target in targets.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_renamed(source, words), encoding="utf-8")


def with_lab(course: str, entry: str) -> str:
    """Return the text of course.yml with `entry` added as its last lab; the rest stays as it is, comments included."""
    manifest = yaml.compose(course, yaml.SafeLoader)
    assert isinstance(manifest, yaml.MappingNode)  # load_course accepted it
    labs = next(value for key, value in manifest.value if key.value == "labs")
    lines = course.splitlines()
    last = max(at for at, line in enumerate(lines[: labs.end_mark.line + 1]) if line.startswith(" "))
    indent = " " * labs.value[0][0].start_mark.column
    added = [indent + line if line else "" for line in entry.splitlines()]
    return "\n".join([*lines[: last + 1], "", *added, *lines[last + 1 :]]) + "\n"


def _template_words(course: Course, lab: str, title: str) -> dict[str, str]:
    """Map each placeholder of the template to its value for this lab; raises BadName."""
    name = LAB_NAME.fullmatch(lab)
    if name is None:
        raise BadName(f"{lab!r} is not a lab name; expected lab, two digits, _ and a topic: lab10_example")
    number, topic = name["number"], name["topic"]
    existing = next((each for each in course.labs if each.startswith(f"lab{number}_")), None)
    if existing:
        raise BadName(f"course.yml has {existing}; choose another number than {number}")
    task = f"{topic}_hot_keys"
    if owner := course.lab_of(task):
        raise BadName(f"the sample task would be {task}, but {owner} has it; choose another topic than {topic}")
    title = title.strip() or topic.replace("_", " ").strip().capitalize()
    if len(title) > LONGEST_TITLE or not title.isprintable() or "|" in title:
        raise BadName(f"expected a title of one line, at most {LONGEST_TITLE} characters, without |; got {title!r}")
    return {"lab00_sample": lab, "sample": topic, "Lab 0": f"Lab {int(number)}", "Title of the lab": title}


def _renamed(path: Path, words: dict[str, str]) -> str:
    """Return the text of a template file with all placeholders replaced in one pass."""
    if path.suffix == ".yml":
        words = {**words, "Title of the lab": _as_yaml(words["Title of the lab"])}
    longest_first = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
    return re.sub(longest_first, lambda found: words[found[0]], path.read_text(encoding="utf-8"))


def _as_yaml(text: str) -> str:
    """Quote a text for YAML where needed.

    Example: "Joins: two streams" -> "'Joins: two streams'", since a colon has a meaning in YAML
    """
    return str(yaml.safe_dump(text, allow_unicode=True)).partition("\n")[0]
