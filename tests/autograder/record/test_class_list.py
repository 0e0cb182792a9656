"""Class lists that spreadsheets and Canvas save are imported, or rejected in one line with the file and the reason."""

import codecs
import logging
from pathlib import Path

import pytest
from nbgrader.apps.dbapp import DbStudentImportApp

from autograder.record import gradebook_file
from autograder.record.class_list import BadClassList, ClassList, read_class_list

HEADINGS = "id,first_name,last_name,email,lms_user_id"
ZOE = {"id": "s01", "first_name": "Zoë", "last_name": "Müller, Dr.", "email": "z@u.example", "lms_user_id": "901"}
COMMAS = f'{HEADINGS}\r\ns01,Zoë,"Müller, Dr.",z@u.example,901\r\n'
SEMICOLONS = f"{HEADINGS.replace(',', ';')}\r\ns01;Zoë;Müller, Dr.;z@u.example;901\r\n;;;;\r\n"
CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,Lab 1
    Points Possible,,,,,40
"Müller, Zoë",901,A1,s01,Sec 1,12
"""


def read(folder: Path, content: bytes | str) -> ClassList:
    path = folder / "class.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_class_list(path)


@pytest.mark.parametrize(
    "content",
    [
        COMMAS,
        codecs.BOM_UTF8 + COMMAS.encode(),
        SEMICOLONS,
        f"sep=;\r\n{SEMICOLONS}",
        codecs.BOM_UTF16_LE + SEMICOLONS.replace(";", "\t").encode("utf-16-le"),
        COMMAS.replace("\r\n", "\r"),
    ],
    ids=["commas", "byte order mark", "semicolons", "sep=;", "Unicode text", "old Mac"],
)
def test_each_form_in_which_spreadsheets_save_a_class_list_is_read(tmp_path: Path, content: bytes | str) -> None:
    assert read(tmp_path, content) == ClassList([ZOE], [])


def test_an_export_of_canvas_is_read_without_its_row_of_points(tmp_path: Path) -> None:
    student = {"id": "s01", "first_name": "Zoë", "last_name": "Müller", "lms_user_id": "901"}

    assert read(tmp_path, CANVAS) == ClassList([student], [])


def test_a_column_that_the_list_does_not_have_is_left_as_it_is_in_the_gradebook(tmp_path: Path) -> None:
    assert read(tmp_path, "id,email,group\ns01,,7\n") == ClassList([{"id": "s01", "email": None}], ["group"])


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (
            COMMAS.encode("latin-1"),
            r": expected the encoding UTF-8, got byte 0xeb in line 2 \(perhaps .*Zoë.*CSV UTF-8",
        ),
        (codecs.BOM_UTF16_LE + b"abc", ": expected the encoding UTF-8"),
        (b"PK\x03\x04...", ": expected CSV, got an Excel workbook"),
        ("", r": expected a column 'id', got an empty file"),
        ("name;email\nx;y\n", r": expected a column 'id', got 'name', 'email' \(separated by semicolons\)"),
        (CANVAS.replace("SIS Login ID", "Login"), ": expected a column 'SIS Login ID', got 'Student', 'ID'"),
        (f"{HEADINGS}\n,Zoe,,,\n", ", line 2: no id"),
        (CANVAS.replace("s01", ""), ", line 3: no SIS Login ID"),
        ("id,email\ns01,\ns02,\ns01,x\n", ", line 4: id 's01' is in line 2, too"),
        ("id,email\ns01,a,b\n", ", line 2: expected 2 cells, as in the headings, got 3"),
        ("id\n" + "x" * 200_000, ", line 2: field larger than field limit"),
    ],
)
def test_a_list_that_cannot_be_imported_is_rejected_with_the_file_and_the_reason(
    tmp_path: Path, content: bytes | str, why: str
) -> None:
    with pytest.raises(BadClassList, match=rf"class\.csv{why}"):
        read(tmp_path, content)


def importer(recorder, *arguments: str) -> DbStudentImportApp:
    """Return nbgrader's command as `nbgrader_config.py` leaves it; the recorder has called the same `configure`."""
    app = DbStudentImportApp()
    app.extra_args = list(arguments)
    app.coursedir = recorder._api.coursedir
    return app


def test_nbgraders_command_imports_a_class_list_of_a_spreadsheet(tiny_class, recorder, tmp_path: Path) -> None:
    (tmp_path / "class.csv").write_text(SEMICOLONS)

    importer(recorder, str(tmp_path / "class.csv")).start()

    (mark,) = recorder.marks("lab99_tiny").students
    assert (mark.student, mark.first_name, mark.last_name, mark.lms_id) == ("s01", "Zoë", "Müller, Dr.", "901")


def test_nbgraders_command_imports_nobody_if_one_row_is_wrong(
    tiny_class, recorder, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "class.csv").write_text("id\ns01\ns01\n")
    app = importer(recorder, str(tmp_path / "class.csv"))
    app.log = logging.getLogger("import")

    with pytest.raises(SystemExit):
        app.start()

    assert f"{tmp_path / 'class.csv'}, line 3: id 's01' is in line 2, too" in caplog.text
    assert recorder.marks("lab99_tiny").students == ()


def test_nbgraders_command_says_that_the_gradebook_is_damaged(
    tiny_class, recorder, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gradebook_file, "LOCK_TIMEOUT_S", 0)
    (tmp_path / "class.csv").write_text(COMMAS)
    tiny_class.classroom.gradebook.write_bytes(b"x" * 9_000)
    app = importer(recorder, str(tmp_path / "class.csv"))
    app.log = logging.getLogger("import")

    with pytest.raises(SystemExit):
        app.start()

    assert "gradebook.db is damaged" in caplog.text
