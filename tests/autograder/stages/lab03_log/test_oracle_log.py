"""The oracle of the log against examples worked out by hand."""

from typing import Any

import pytest

from autograder.stages.lab03_log.log import oracle as oracle_log
from autograder.stages.lab03_log.log.cases_batches import bytes_of
from autograder.stages.lab03_log.log.oracle import AmbiguousCase
from streamlab.lab03_log.wire.batches import header_of, records_of

ONE, TWO = [[None, "a", 5]], [["k", "b", 7], [None, None, 6]]
SIZE = len(bytes_of(ONE))
ROOMY = 10**6


def answers(*script: list[Any], segment_bytes: int = ROOMY, index_bytes: int = 4096) -> list[dict[str, Any]]:
    return oracle_log.answers({"segment_bytes": segment_bytes, "index_bytes": index_bytes, "script": list(script)})


def last(*script: list[Any], **sizes: int) -> dict[str, Any]:
    return answers(*script, **sizes)[-1]


def bases(answer: dict[str, Any]) -> list[int]:
    return [batch[0] for batch in answer["batches"]]


def test_a_batch_holds_the_triples_it_was_built_from() -> None:
    data = bytes_of(TWO)
    header = header_of(data)

    assert header is not None
    assert (header.size_bytes, header.records, header.max_timestamp_ms) == (len(data), 2, 7)
    assert [tuple(each) for each in records_of(data)] == [(0, 7, b"k", b"b"), (1, 6, None, None)]


def test_each_batch_raises_the_offset_by_its_number_of_records() -> None:
    steps = ["offsets"], ["append", TWO], ["append", ONE], ["append_broken", ONE], ["append", TWO], ["offsets"]

    assert answers(*map(list, steps)) == [
        {"start": 0, "end": 0},
        {"offset": 0},
        {"offset": 2},
        {"rejected": "CorruptBatch"},
        {"offset": 3},
        {"start": 0, "end": 5},
    ]


def test_a_read_returns_the_batch_that_holds_the_offset_and_more_up_to_the_limit() -> None:
    log = ["append", TWO], ["append", ONE], ["append", ONE]
    size_of_two = len(bytes_of(TWO))

    for offset, max_bytes, expected in [
        (0, 1, [0]),
        (1, 1, [0]),
        (2, 1, [2]),
        (0, size_of_two + SIZE - 1, [0]),
        (0, size_of_two + SIZE, [0, 2]),
        (1, ROOMY, [0, 2, 3]),
        (4, ROOMY, []),
    ]:
        assert bases(last(*map(list, log), ["read", offset, max_bytes])) == expected
    assert last(["append", TWO], ["read", 0, 1])["batches"] == [
        [0, 2, size_of_two, [[0, 7, "k", "b"], [1, 6, None, None]]]
    ]


@pytest.mark.parametrize("offset", [-1, 2, 99])
def test_a_read_out_of_range_reports_the_start_and_end_offset(offset: int) -> None:
    assert last(["append", ONE], ["read", offset, 9]) == {"rejected": "OffsetOutOfRange", "start": 0, "end": 1}


@pytest.mark.parametrize(
    ("segment_bytes", "names"),
    [(2 * SIZE, [0, 2]), (2 * SIZE - 1, [0, 1, 2]), (1, [0, 1, 2]), (3 * SIZE, [0]), (3 * SIZE - 1, [0, 2])],
)
def test_a_segment_takes_a_batch_if_it_still_fits(segment_bytes: int, names: list[int]) -> None:
    files = last(*[["append", ONE]] * 3, ["files"], segment_bytes=segment_bytes)["files"]

    assert [name for name, _ in files] == [f"{name:020d}.{kind}" for name in names for kind in ("index", "log")]


@pytest.mark.parametrize(
    ("index_bytes", "entries"),
    [
        (1, [[1, SIZE], [2, 2 * SIZE], [3, 3 * SIZE]]),
        (SIZE, [[1, SIZE], [2, 2 * SIZE], [3, 3 * SIZE]]),
        (SIZE + 1, [[2, 2 * SIZE]]),
        (3 * SIZE, [[3, 3 * SIZE]]),
        (3 * SIZE + 1, []),
    ],
)
def test_an_index_has_an_entry_after_every_index_bytes(index_bytes: int, entries: list[list[int]]) -> None:
    answer = last(*[["append", ONE]] * 4, ["files"], index_bytes=index_bytes)

    assert answer["index"] == {f"{0:020d}.index": entries}
    assert answer["files"] == [[f"{0:020d}.index", 8 * len(entries)], [f"{0:020d}.log", 4 * SIZE]]


def test_a_read_may_load_the_requested_bytes_plus_the_distance_from_an_entry_plus_the_index() -> None:
    answer = last(*[["append", ONE]] * 4, ["read", 3, 500], index_bytes=SIZE)

    assert answer["most_bytes_read"] == 500 + SIZE + 3 * 8 + 8192
    assert last(["append", ONE], ["read", 0, 1])["most_bytes_read"] == 1 + SIZE + 4096 + 8192


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (["damage", -1, "cut", 1], {"start": 0, "end": 3}),
        (["damage", -1, "cut", SIZE], {"start": 0, "end": 3}),
        (["damage", -1, "cut", SIZE + 1], {"start": 0, "end": 2}),
        (["damage", -1, "tail", 9], {"start": 0, "end": 4}),
        (["damage", -1, "flip", 1], {"start": 0, "end": 3}),
        (["damage", -1, "flip", SIZE + 1], {"start": 0, "end": 2}),
        (["damage", 0, "flip", 1], {"start": 0, "end": 4}),
        (["damage", 0, "index_gone", 0], {"start": 0, "end": 4}),
        (["damage", 0, "log_gone", 0], {"start": 2, "end": 4}),
        (["damage", 1, "log_gone", 0], {"start": 0, "end": 2}),
    ],
)
def test_damage_truncates_only_the_last_segment(damage: list[Any], expected: dict[str, int]) -> None:
    assert last(*[["append", ONE]] * 4, damage, segment_bytes=2 * SIZE) == expected


@pytest.mark.parametrize(
    ("damage", "names"),
    [(["damage", 1, "log_gone", 0], [0, 2]), (["damage", 0, "cut", 1], [0, 1]), (["damage", -2, "cut", SIZE], [1, 2])],
)
def test_a_gap_between_segments_raises_value_error_with_both_file_names(damage: list[Any], names: list[int]) -> None:
    rejection = last(*[["append", ONE]] * 3, damage, segment_bytes=1)

    assert rejection == {"rejected": "ValueError", "files": [f"{name:020d}.log" for name in names]}


def test_a_corrupt_batch_ends_a_read_and_fails_one_that_starts_with_it() -> None:
    log = [*[["append", ONE]] * 4, ["damage", 0, "flip", 1]]

    assert bases(last(*log, ["read", 0, ROOMY], segment_bytes=2 * SIZE)) == [0]
    assert bases(last(*log, ["read", 2, ROOMY], segment_bytes=2 * SIZE)) == [2, 3]
    assert last(*log, ["read", 1, ROOMY], segment_bytes=2 * SIZE) == {
        "rejected": "CorruptBatch",
        "file": f"{0:020d}.log",
        "position": SIZE,
    }


@pytest.mark.parametrize(
    ("now_ms", "retention_ms", "gone"), [(7, 0, 1), (8, 0, 2), (9, 1, 2), (8, 1, 1), (99, 0, 2), (6, 0, 1), (5, 0, 0)]
)
def test_segments_expire_by_their_newest_record_but_the_active_one_stays(
    now_ms: int, retention_ms: int, gone: int
) -> None:
    log = ["append", ONE], ["append", TWO], ["append", ONE]

    answer = last(*map(list, log), ["retain", now_ms, retention_ms], segment_bytes=1)

    assert answer == {"gone": gone, "start": [0, 1, 3][gone], "end": 4}


def test_a_young_segment_keeps_all_later_segments() -> None:
    log = ["append", ONE], ["append", TWO], ["append", ONE], ["append", ONE]

    assert last(*map(list, log), ["retain", 7, 0], segment_bytes=1) == {"gone": 1, "start": 1, "end": 5}


@pytest.mark.parametrize(
    "script",
    [
        [["append", ONE], ["damage", 0, "log_gone", 0]],
        [["append", ONE], ["append", ONE], ["damage", 0, "tail", 9]],
        [["append", ONE], ["damage", 0, "flip", SIZE - 12]],
        [["disk_full", SIZE, ONE]],
    ],
)
def test_a_script_with_several_right_answers_is_rejected_as_a_case(script: list[Any]) -> None:
    with pytest.raises(AmbiguousCase):
        answers(*script, segment_bytes=1)
