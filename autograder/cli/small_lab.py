"""Starts a small lab: one task with drive, oracle and checks, and no file that the kit can do without."""

import json
import re
from pathlib import Path

from autograder.builder import build, new_lab
from autograder.builder.new_lab import with_lab
from autograder.course import load_course

TEMPLATE = Path(__file__).with_name("small_template")
PLACEHOLDER = re.compile('"?Title of the lab"?|lab00_sample|sample|Lab 0')
KEPT = ("__init__.py", "drive.py", "oracle.py", "hints.yml")  # files in autograder/stages/LAB/ that both forms have


def small_lab(root: Path, lab: str, title: str = "") -> list[Path]:
    """Create `lab` as `new_lab` does, and reduce it to the small form; return and raise what `new_lab` does."""
    course_file, source = root / "course.yml", root / "solutions" / lab / f"{lab}.py"
    stage = root / "autograder" / "stages" / lab
    before = course_file.read_text(encoding="utf-8")
    created = new_lab(root, lab, title)
    words = _words(lab, load_course(root).labs[lab].title)
    others = [path for path in stage.rglob("*.*") if path.name not in KEPT]
    for path in [*others, source.with_name("TEACHING.md")]:
        path.unlink()
    skew = stage / "skew"
    targets = {"lab00_sample.py": source, "checks.py": skew / "checks.py", "mutants.py": skew / "mutants.py"}
    for name, target in targets.items():
        target.write_text(_renamed(name, words), encoding="utf-8")
    course_file.write_text(with_lab(before, _renamed("course.yml", words)), encoding="utf-8")
    build(root, [lab])
    return created


def _words(lab: str, title: str) -> dict[str, str]:
    """Map each placeholder to its value. The title is escaped, since course.yml has it within quotes."""
    number, topic = lab.removeprefix("lab").split("_", 1)
    quoted = json.dumps(title, ensure_ascii=False)
    return {
        "lab00_sample": lab,
        "sample": topic,
        "Lab 0": f"Lab {int(number)}",
        "Title of the lab": title,
        '"Title of the lab"': quoted,
    }


def _renamed(name: str, words: dict[str, str]) -> str:
    return PLACEHOLDER.sub(lambda found: words[found[0]], (TEMPLATE / name).read_text(encoding="utf-8"))
