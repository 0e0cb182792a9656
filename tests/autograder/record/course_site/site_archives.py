"""Archives of a class as Canvas and Moodle make them, 17 files each, with all that students and archives do."""

import stat
import zipfile
from collections.abc import Iterable
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook

from tests.autograder.tiny_class import LAB, TinyClass

NOON = (2026, 10, 5, 12, 0, 0)
# id, first name, last name, Canvas's user id or Moodle's participant number
STUDENTS = (
    ("s1", "Ada", "Lovelace", "4711"),
    ("s2", "Ben", "O'Neill", "4712"),
    ("s3", "Chloé", "Núñez", "4713"),
    ("s4", "Dan", "Müller-Lüdenscheidt", "4714"),
    ("s5", "Eve", "Adams", "4715"),
    ("s6", "Fay", "Wu", "4716"),
    ("s7", "Gus", "Hill", "4717"),
    ("s8", "Hal", "Ito", "4718"),
    ("s9", "Ida", "Jung", "4719"),
)
Files = Iterable[tuple[str, bytes]]


def import_class_list(tiny_class: TinyClass, students: Iterable[tuple[str, str, str, str]] = STUDENTS) -> None:
    """Enter the students into the gradebook."""
    with Gradebook(tiny_class.classroom.database) as gradebook:
        for name, first, last, number in students:
            gradebook.update_or_create_student(name, first_name=first, last_name=last, lms_user_id=number)


def work(tiny_class: TinyClass, marker: str = "") -> bytes:
    """Return a notebook of the lab with some work, told apart by its marker."""
    notebook = nbformat.from_dict(
        nbformat.read(tiny_class.classroom.root / "labs" / LAB / f"{LAB}.ipynb", as_version=4)
    )
    for cell in notebook.cells:
        if cell.source.startswith("def double"):
            cell.source = f"def double(n):\n    return n + n  # {marker}"
    return nbformat.writes(notebook).encode()


def starter(tiny_class: TinyClass) -> bytes:
    """Return the released notebook."""
    return (tiny_class.classroom.root / "labs" / LAB / f"{LAB}.ipynb").read_bytes()


def zipped(path: Path, files: Files, times: dict[str, tuple[int, ...]] | None = None) -> Path:
    """Write an archive; each file is of noon unless `times` has another time."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            info = zipfile.ZipInfo(name, (times or {}).get(name, NOON))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return path


def link(name: str) -> zipfile.ZipInfo:
    """Return an entry that is a symbolic link."""
    info = zipfile.ZipInfo(name, NOON)
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return info


def canvas_archive(tiny_class: TinyClass, path: Path) -> Path:
    """Write the archive that Canvas makes of 17 files."""
    other_lab = nbformat.v4.new_notebook(metadata={"streamlab": {"lab": "lab01_wordcount"}})
    zipped(
        path,
        [
            (f"lovelaceada_4711_9001_{LAB}.ipynb", work(tiny_class, "old")),
            (f"lovelaceada_4711_9010_{LAB}-1.ipynb", work(tiny_class, "new")),
            (f"oneillben_LATE_4712_9002_{LAB}-2.ipynb", work(tiny_class, "ben")),
            ("núñezchloé_4713_9003_Copy of my_work_7_8.ipynb", work(tiny_class, "chloe")),
            (f"müllerlüdenscheidtdan_4714_9004_{LAB}.ipynb.txt", work(tiny_class, "dan")),
            ("müllerlüdenscheidtdan_4714_9005_notes.pdf", b"%PDF-1.4"),
            ("adamseve_4715_9006_screenshot.png", b"\x89PNG"),
            (f"wufay_4716_9007_{LAB}.ipynb", work(tiny_class, "fay")),
            (f"wufay_4716_9011_{LAB}-1.ipynb", starter(tiny_class)),
            (f"hillgus_4717_9008_{LAB}.ipynb", b'{"cells": ['),
            ("itohal_4718_9009_lab01.ipynb", nbformat.writes(other_lab).encode()),
            ("jungida_4719_text.html", b"<p>Here is my work.</p>"),
            (f"team7_4799_9012_{LAB}.ipynb", work(tiny_class, "team")),
            (f"anon_x7Bq_9013_{LAB}.ipynb", work(tiny_class, "anon")),
            (f"jungida_4719_9014_{LAB}.zip", b"PK\x03\x04"),
            ("README.txt", b"unpack me"),
        ],
    )
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(link(f"lovelaceada_4711_9099_{LAB}.ipynb"), "/etc/passwd")
    return path


def moodle_archive(tiny_class: TinyClass, path: Path) -> Path:
    """Write the archive that Moodle makes of 17 files, folders and the flat form of older releases mixed."""
    own = "assignsubmission_file"
    eve = f"Eve Adams_4715_{own}_/{LAB}.ipynb"
    return zipped(
        path,
        [
            (f"Ada Lovelace_4711_{own}_/{LAB}.ipynb", work(tiny_class, "old")),
            (f"Ada Lovelace_4711_{own}_/{LAB} (1).ipynb", work(tiny_class, "new")),
            (f"Ben ONeill_901_{own}/sub/{LAB}.ipynb", work(tiny_class, "ben")),
            (f"Chloé Núñez_902_{own}_Copy_of_work.ipynb", work(tiny_class, "chloe")),
            (f"Team A-Dan Müller-Lüdenscheidt_903_{own}_/{LAB}.ipynb.txt", work(tiny_class, "dan")),
            (f"Team A-Dan Müller-Lüdenscheidt_903_{own}_/notes.pdf", b"%PDF-1.4"),
            (eve, work(tiny_class, "eve")),
            (f"Eve Adams_4715_{own}_/other.ipynb", work(tiny_class, "later")),
            (f"Fay Wu_904_{own}_/{LAB}.ipynb", starter(tiny_class)),
            (f"Fay Wu_904_{own}_/mine.ipynb", work(tiny_class, "fay")),
            (f"Gus Hill_905_{own}_/{LAB}.ipynb", b""),
            ("Hal Ito_906_assignsubmission_onlinetext_/onlinetext.html", b"<p>see above</p>"),
            (f"Team B_4719_{own}/{LAB}.ipynb", work(tiny_class, "team")),
            (f"Default group_{own}/{LAB}.ipynb", work(tiny_class, "rest")),
            (f"../Ida Jung_907_{own}_/{LAB}.ipynb", work(tiny_class, "outside")),
            (f"/Ida Jung_907_{own}_/{LAB}.ipynb", work(tiny_class, "absolute")),
            (f"Hal Ito_906_{own}_/lab.html", b"<html>"),
        ],
        {eve: (2026, 10, 5, 11, 0, 0)},
    )
