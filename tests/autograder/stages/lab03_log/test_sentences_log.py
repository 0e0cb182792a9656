"""What the checks of a log say of wrong rows: what was expected and what came, in the learner's words."""

from typing import Any

import pytest

from tests.autograder.stages.lab03_log.rows_by_hand import sentence

ONE = [[None, "a", 5]]  # a batch of 69 bytes


def script(*steps: list[Any], segment_bytes: int = 9999, index_bytes: int = 4096) -> dict[str, Any]:
    return {"segment_bytes": segment_bytes, "index_bytes": index_bytes, "script": list(steps)}


@pytest.mark.parametrize(
    ("check", "case", "rows", "expected"),
    [
        (
            "offsets_rise_by_one_without_gap_or_repeat",
            script(["append", ONE], ["append", ONE]),
            {"answers": [{"offset": 0}, {"offset": 2}]},
            "Expected append of 1 record (69 bytes) of PartitionLog(d, 9999, 4096) after append of 1 record (69 "
            "bytes) to give offset 1; yours gives offset 2.",
        ),
        (
            "a_read_gives_whole_batches_from_the_one_that_holds_the_offset",
            script(["append", ONE], ["read", 0, 1]),
            {"answers": [{"offset": 0}, {"batches": []}]},
            "Expected read(0, 1) of PartitionLog(d, 9999, 4096) after append of 1 record (69 bytes) to give "
            "batches at [0]; yours [].",
        ),
        (
            "a_read_gives_whole_batches_from_the_one_that_holds_the_offset",
            script(["append", ONE], ["read", 0, 1]),
            {"answers": [{"offset": 0}, {"batches": [[0, 1, 69, [[0, 5, None, "b"]]]]}]},
            "Expected (offset, timestamp, key, value) in the batch at 0 of read(0, 1) of PartitionLog(d, 9999, "
            '4096) after append of 1 record (69 bytes) to be [[0, 5, None, "a"]]; yours [[0, 5, None, "b"]]: '
            "position 0 differs.",
        ),
        (
            "a_read_gives_whole_batches_from_the_one_that_holds_the_offset",
            script(["append", ONE], ["read", 0, 1]),
            {"answers": [{"offset": 0}, {"rejected": "KeyError"}]},
            "Expected read(0, 1) of PartitionLog(d, 9999, 4096) after append of 1 record (69 bytes) to give "
            "batches at [0]; yours raises KeyError.",
        ),
        (
            "reading_outside_the_log_says_where_it_begins_and_ends",
            script(["append", ONE], ["read", 9, 1]),
            {"answers": [{"offset": 0}, {"batches": [], "bytes_read": 0}]},
            "Expected read(9, 1) of PartitionLog(d, 9999, 4096) after append of 1 record (69 bytes) to raise "
            "OffsetOutOfRange; yours gives batches at [].",
        ),
        (
            "reading_outside_the_log_says_where_it_begins_and_ends",
            script(["append", ONE], ["read", 9, 1]),
            {"answers": [{"offset": 0}, {"rejected": "OffsetOutOfRange", "start": 0, "end": 0}]},
            "Expected OffsetOutOfRange of read(9, 1) of PartitionLog(d, 9999, 4096) after append of 1 record (69 "
            'bytes) to give start 0, end 1; yours gives rejected "OffsetOutOfRange", start 0, end 0.',
        ),
        (
            "segments_roll_before_they_outgrow_their_size",
            script(["append", ONE], ["append", ONE], ["files"], segment_bytes=1),
            {
                "answers": [
                    {"offset": 0},
                    {"offset": 1},
                    {"files": [["00000000000000000000.index", 0], ["00000000000000000000.log", 138]], "index": {}},
                ]
            },
            "Expected files() of PartitionLog(d, 1, 4096) after append of 1 record (69 bytes), append of 1 record"
            ' (69 bytes) to be [("00000000000000000000.index", 0), ("00000000000000000000.log", 69), '
            '("00000000000000000001.index", 0), ("000000000000…; yours [("00000000000000000000.index", 0), '
            '("00000000000000000000.log", 138)]: position 1 differs.',
        ),
        (
            "the_index_finds_an_offset_without_a_scan",
            script(["append", ONE], ["append", ONE], ["files"], index_bytes=1),
            {
                "answers": [
                    {"offset": 0},
                    {"offset": 1},
                    {
                        "files": [["00000000000000000000.index", 8], ["00000000000000000000.log", 138]],
                        "index": {"00000000000000000000.index": [[0, 69]]},
                    },
                ]
            },
            "Expected entries of 00000000000000000000.index in files() of PartitionLog(d, 9999, 1) after append "
            "of 1 record (69 bytes), append of 1 record (69 bytes) to be [[1, 69]]; yours [[0, 69]]: position 0 "
            "differs.",
        ),
        (
            "the_index_finds_an_offset_without_a_scan",
            script(["append", ONE], ["read", 0, 500]),
            {"answers": [{"offset": 0}, {"batches": [[0, 1, 69, [[0, 5, None, "a"]]]], "bytes_read": 99999}]},
            "Expected read(0, 500) of PartitionLog(d, 9999, 4096) after append of 1 record (69 bytes) to read at "
            "most 12788 bytes from files; yours reads 99999.",
        ),
        (
            "what_is_no_whole_batch_is_refused_and_writes_nothing",
            script(["append_broken", "crc", ONE], ["offsets"]),
            {"answers": [{"offset": 0}]},
            "Expected append of 1 record (69 bytes) made wrong (crc) of PartitionLog(d, 9999, 4096) after nothing"
            " to raise CorruptBatch; yours gives offset 0.",
        ),
        (
            "a_torn_tail_is_cut_at_the_last_whole_batch",
            script(["append", ONE], ["damage", -1, "cut", 7]),
            {"answers": [{"offset": 0}, {"start": 0, "end": 1}]},
            "Expected opening with segment -1 damaged (cut 7) of PartitionLog(d, 9999, 4096) after append of 1 "
            "record (69 bytes) to give start 0, end 0; yours gives start 0, end 1.",
        ),
        (
            "a_torn_tail_is_cut_at_the_last_whole_batch",
            {"segment_bytes": 99999, "index_bytes": 9, "batches": [ONE, ONE], "each_byte": "cut"},
            {"ends": [1, 0, *[1] * 67], "kept": [True] * 69, "last_batch_bytes": 69},
            "Expected end_offset of PartitionLog(d, 99999, 9) of 2 batches, opened with 2 bytes cut off, to be 1;"
            " yours is 0.",
        ),
        (
            "the_last_segment_is_cut_before_its_first_corrupt_batch",
            {"segment_bytes": 99999, "index_bytes": 9, "batches": [ONE, ONE], "each_byte": "flip"},
            {"ends": [1] * 69, "kept": [True, False] * 35, "last_batch_bytes": 69},
            "Expected every batch before the last one of PartitionLog(d, 99999, 9) of 2 batches, opened with a "
            "bit of byte 1 of its last batch flipped, as it was; yours are not.",
        ),
        (
            "a_corrupt_batch_is_never_given_out",
            script(
                ["append", ONE],
                ["append", ONE],
                ["append", ONE],
                ["damage", 0, "flip", 1],
                ["read", 1, 9],
                segment_bytes=138,
            ),
            {
                "answers": [
                    {"offset": 0},
                    {"offset": 1},
                    {"offset": 2},
                    {"start": 0, "end": 3},
                    {"rejected": "CorruptBatch", "text": "bad"},
                ]
            },
            "Expected CorruptBatch of read(1, 9) of PartitionLog(d, 138, 4096) after append of 1 record (69 "
            "bytes), append of 1 record (69 bytes), append of 1 record (69 bytes), opening with segment 0 damaged"
            " (flip 1) to name 00000000000000000000.log and position 69; yours says: bad",
        ),
        (
            "segments_that_do_not_follow_each_other_are_refused",
            script(["append", ONE], ["append", ONE], ["append", ONE], ["damage", 1, "log_gone", 0], segment_bytes=1),
            {"answers": [{"offset": 0}, {"offset": 1}, {"offset": 2}, {"start": 2, "end": 3}]},
            "Expected opening with segment 1 damaged (log_gone) of PartitionLog(d, 1, 4096) after append of 1 "
            "record (69 bytes), append of 1 record (69 bytes), append of 1 record (69 bytes) to raise ValueError;"
            " yours gives start 2, end 3.",
        ),
        (
            "whole_old_segments_expire_and_no_other",
            script(["append", ONE], ["append", ONE], ["retain", 5, 0], segment_bytes=1),
            {"answers": [{"offset": 0}, {"offset": 1}, {"gone": 1, "start": 1}]},
            "Expected retain(5, 0) of PartitionLog(d, 1, 4096) after append of 1 record (69 bytes), append of 1 "
            "record (69 bytes) to give gone 0, start 0; yours gives gone 1, start 1.",
        ),
        (
            "what_was_acknowledged_survives_the_kill_of_its_writer",
            {"segment_bytes": 9, "index_bytes": 9, "kill_after": 5},
            {"acknowledged": 7, "kept": 6, "values_right": True},
            "Expected all of them after kill -9 of a writer with 7 records acknowledged; yours has 6.",
        ),
        (
            "a_full_disk_leaves_the_log_as_it_was",
            script(["disk_full", 3, ONE], ["offsets"]),
            {"answers": [{"rejected": "OSError"}, {"start": 0, "end": 1}]},
            "Expected offsets() of PartitionLog(d, 9999, 4096) after append of 1 record (69 bytes) on a disk with"
            " 3 bytes left to give start 0, end 0; yours gives start 0, end 1.",
        ),
        (
            "what_a_log_cannot_mean_is_refused",
            script(segment_bytes=0),
            {"answers": []},
            'Expected PartitionLog(d, 0, 4096) to raise ValueError; yours gives {"answers": []}.',
        ),
    ],
)
def test_sentence_says_what_was_expected_and_what_came(
    check: str, case: dict[str, Any], rows: dict[str, Any], expected: str
) -> None:
    assert sentence(check, case, rows) == expected
