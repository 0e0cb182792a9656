"""The city's records are those of its seed, with the offsets that an empty log gives, and are lines of files."""

import base64
import json
from collections import defaultdict

from streamlab.lab09_system import Record
from streamlab.lab09_system.city import LATE_MS, PARTITIONS, START_MS, YEAR_MS, City, Part
from streamlab.lab09_system.topics import COLUMNS, json_line

PART = Part(2, 5, per_s=100, hot=0.5, poison=5, ahead=2)


def records_of(city: City) -> list[Record]:
    return [*city.fences(), *(record for second in city.records(PART) for record in second), *city.closing(5)]


def test_equal_seeds_give_equal_records() -> None:
    assert records_of(City("a")) == records_of(City("a"))
    assert records_of(City("a")) != records_of(City("b"))


def test_offsets_of_a_partition_count_from_zero() -> None:
    offsets = defaultdict(list)
    for record in records_of(City("a")):
        offsets[record.topic, record.partition].append(record.offset)

    assert all(found == list(range(len(found))) for found in offsets.values())
    assert set(offsets) == {(topic, number) for topic, count in PARTITIONS.items() for number in range(count)}


def test_a_second_holds_no_record_that_was_sent_in_another_one() -> None:
    for number, second in enumerate(City("a").records(PART), start=PART.begin_s):
        sent_ms = [record.received_ms - START_MS for record in second]
        assert sent_ms == sorted(sent_ms)
        assert all(1000 * number <= each <= 1000 * (number + 1) for each in sent_ms)


def test_only_a_clock_a_year_ahead_is_ahead_and_nothing_is_later_than_promised() -> None:
    delays_ms = [record.received_ms - record.time_ms for second in City("a").records(PART) for record in second]

    assert delays_ms.count(-YEAR_MS) == PART.ahead
    assert all(0 <= each < LATE_MS for each in delays_ms if each != -YEAR_MS)


def test_a_line_has_the_columns_of_a_record_and_keeps_all_bytes() -> None:
    record = Record("payments", 1, 7, b"\xff\x00", None, 5, 6)
    told = json.loads(json_line(record))

    assert [column.split()[0] for column in COLUMNS.split(", ")] == list(Record._fields) == list(told)
    assert (base64.b64decode(told["key"]), told["value"], told["time_ms"]) == (b"\xff\x00", None, 5)
