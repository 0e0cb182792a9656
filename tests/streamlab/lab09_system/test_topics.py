"""Records of the three topics as lines of files."""

import base64
import json

from streamlab.lab09_system import Record
from streamlab.lab09_system.topics import COLUMNS, json_line


def test_a_line_has_the_columns_of_a_record_and_keeps_all_bytes() -> None:
    record = Record("payments", 1, 7, b"\xff\x00", None, 5, 6)

    told = json.loads(json_line(record))

    assert [column.split()[0] for column in COLUMNS.split(", ")] == list(Record._fields) == list(told)
    assert (base64.b64decode(told["key"]), told["value"], told["time_ms"]) == (b"\xff\x00", None, 5)
