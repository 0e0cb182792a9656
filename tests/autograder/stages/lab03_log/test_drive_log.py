"""The drives of the log: what the reference answers to scripts, damage, deaths, and the throughput check."""

import hashlib
import os
from pathlib import Path
from typing import Any

import pytest

from streamlab.wire.batches import at_offset, batch_of
from tests.autograder.stages.lab03_log.reference import rows_of

Steps = list[list[Any]]


def records(first: int, count: int, size: int = 10, at_ms: int = 0) -> list[list[Any]]:
    return [[f"k{number:04}", f"{number:0{size}}", at_ms + number] for number in range(first, first + count)]


def answers(script: Steps, folder: Path, segment_bytes: int = 1 << 20, index_bytes: int = 4096) -> list[Any]:
    case = {"script": script, "segment_bytes": segment_bytes, "index_bytes": index_bytes}
    return rows_of("PartitionLog", case, scratch=folder)["answers"]


def appends(batches: int, count: int = 2, **more: int) -> Steps:
    return [["append", records(count * number, count, **more)] for number in range(batches)]


def values(answer: dict[str, Any]) -> list[str]:
    return [record[3] for batch in answer["batches"] for record in batch[3]]


def test_what_was_appended_is_read_with_its_offsets_and_whole(tmp_path: Path) -> None:
    first, second, read, offsets = answers([*appends(2, 3), ["read", 4, 10_000], ["offsets"]], tmp_path)

    assert (first, second) == ({"offset": 0}, {"offset": 3})
    assert read["batches"] == [[3, 3, len(batch_of([(b"k0003", b"0" * 10)] * 3)), [[3, 3, "k0003", "0000000003"],
        [4, 4, "k0004", "0000000004"], [5, 5, "k0005", "0000000005"]]]]  # fmt: skip
    assert offsets == {"start": 0, "end": 6}


@pytest.mark.parametrize("how", ["short", "length", "crc", "count"])
def test_a_batch_that_is_broken_is_refused_and_nothing_is_written(how: str, tmp_path: Path) -> None:
    rejected, files, offsets = answers([["append_broken", how, records(0, 2)], ["files"], ["offsets"]], tmp_path)

    assert rejected == {"rejected": "CorruptBatch"}
    assert [size for _, size in files["files"]] == [0, 0]
    assert offsets == {"start": 0, "end": 0}


def test_segments_roll_before_they_grow_too_large_and_a_large_batch_has_one_for_itself(tmp_path: Path) -> None:
    script = [*appends(3), ["append", records(6, 1, size=900)], ["append", records(7, 1)], ["files"]]

    files = answers(script, tmp_path, segment_bytes=250)[-1]["files"]

    logs = [(int(name[:20]), size) for name, size in files if name.endswith(".log")]
    assert [base for base, _ in logs] == [0, 4, 6, 7]
    assert [size <= 250 for _, size in logs] == [True, True, False, True]


def test_the_index_has_an_entry_after_so_many_bytes_of_log(tmp_path: Path) -> None:
    files = answers([*appends(10), ["files"]], tmp_path, index_bytes=250)[-1]
    size = len(batch_of([(b"k0000", b"0" * 10)] * 2))

    assert files["index"] == {"00000000000000000000.index": [[6, 3 * size], [12, 6 * size], [18, 9 * size]]}


def test_a_read_near_the_end_of_a_long_segment_does_not_go_through_it(tmp_path: Path) -> None:
    script = [*appends(400), ["read", 790, 300], ["read", 0, 1 << 40]]

    near, whole = answers(script, tmp_path, index_bytes=1000)[-2:]

    assert near["batches"][0][0] == 790
    assert near["bytes_read"] <= 300 + 1000 + 8192 + 400
    assert len(whole["batches"]) == 400


def test_many_tiny_batches_are_read_once_each(tmp_path: Path) -> None:
    script = [*appends(2000, 1, size=1), ["read", 5, 100_000]]

    answer = answers(script, tmp_path, segment_bytes=20_000, index_bytes=200)[-1]

    assert sum(batch[2] for batch in answer["batches"]) <= 100_000 <= answer["bytes_read"] + 100
    assert answer["bytes_read"] <= 100_000 + 200 + 8192


def test_reads_cross_segments_give_at_least_one_batch_and_never_more_than_fits(tmp_path: Path) -> None:
    size = len(batch_of([(b"k0000", b"0" * 10)] * 2))
    script = [*appends(9), ["read", 3, 10_000], ["read", 3, 1], ["read", 3, 2 * size], ["read", 18, 5]]

    every, one, two, none = answers(script, tmp_path, segment_bytes=2 * size)[-4:]

    assert [batch[0] for batch in every["batches"]] == list(range(2, 18, 2))
    assert [batch[0] for batch in one["batches"]] == [2]
    assert [batch[0] for batch in two["batches"]] == [2, 4]
    assert none["batches"] == []


def test_offsets_outside_and_impossible_sizes_are_refused(tmp_path: Path) -> None:
    script = [*appends(2), ["read", 5, 10], ["read", -1, 10], ["read", 0, 0], ["retain", 0, -1]]

    above, below, no_bytes, no_time = answers(script, tmp_path)[-4:]

    assert above == {"rejected": "OffsetOutOfRange", "start": 0, "end": 4}
    assert below == {"rejected": "OffsetOutOfRange", "start": 0, "end": 4}
    assert (no_bytes["rejected"], no_time) == ("ValueError", {"rejected": "ValueError"})


def test_old_segments_expire_from_the_front_and_the_last_one_stays(tmp_path: Path) -> None:
    size = len(batch_of([(b"k0000", b"0" * 10)] * 2))
    script = [*appends(6), ["retain", 100, 97], ["retain", 100, 96], ["read", 0, 1], ["retain", 10_000, 0], ["offsets"]]

    kept, gone, out, every, offsets = answers(script, tmp_path, segment_bytes=2 * size)[-5:]

    assert kept == {"gone": 0, "start": 0}  # the newest record of the first segment is of 3, and 3 < 3 is false
    assert gone == {"gone": 1, "start": 4}
    assert out == {"rejected": "OffsetOutOfRange", "start": 4, "end": 12}
    assert every == {"gone": 1, "start": 8}
    assert offsets == {"start": 8, "end": 12}


def test_a_torn_tail_is_cut_and_the_next_batch_takes_its_offset(tmp_path: Path) -> None:
    script = [*appends(3), ["damage", -1, "cut", 3], ["append", records(9, 1)], ["read", 2, 10_000], ["recover"]]

    torn, appended, read, healthy = answers(script, tmp_path)[-4:]

    assert torn == {"start": 0, "end": 4}
    assert appended == {"offset": 4}
    assert values(read) == ["0000000002", "0000000003", "0000000009"]
    assert healthy == {"cut": 0}


@pytest.mark.parametrize("how", ["index_gone", "index_longer", "index_odd", "index_falling"])
@pytest.mark.parametrize("segment", [0, -1])
def test_an_index_that_cannot_be_right_is_made_anew(how: str, segment: int, tmp_path: Path) -> None:
    script = [*appends(40), ["files"], ["damage", segment, how, 0], ["files"], ["read", 3, 100]]

    before, opened, after, read = answers(script, tmp_path, segment_bytes=1000, index_bytes=200)[-4:]

    assert opened == {"start": 0, "end": 80}
    assert after == before
    assert read["batches"][0][0] == 2


def test_a_flipped_bit_in_an_old_segment_is_found_by_the_read_that_comes_to_it(tmp_path: Path) -> None:
    size = len(batch_of([(b"k0000", b"0" * 10)] * 2))
    script = [*appends(6), ["damage", 0, "flip", 5], ["read", 0, 10_000], ["read", 2, 10_000], ["read", 4, 10_000]]

    opened, before, corrupt, behind = answers(script, tmp_path, segment_bytes=2 * size)[-4:]

    assert opened == {"start": 0, "end": 12}
    assert [batch[0] for batch in before["batches"]] == [0]
    assert corrupt["rejected"] == "CorruptBatch"
    assert "00000000000000000000.log" in corrupt["text"]
    assert str(size) in corrupt["text"]
    assert [batch[0] for batch in behind["batches"]] == [4, 6, 8, 10]


def test_a_missing_segment_is_named_and_nothing_is_deleted(tmp_path: Path) -> None:
    size = len(batch_of([(b"k0000", b"0" * 10)] * 2))
    script = [*appends(6), ["damage", 1, "log_gone", 0], ["files"]]

    rejected, files = answers(script, tmp_path, segment_bytes=2 * size)[-2:]

    assert rejected["rejected"] == "ValueError"
    assert "00000000000000000000.log" in rejected["text"]
    assert "00000000000000000008.log" in rejected["text"]
    assert len(files["files"]) == 5


def test_a_disk_that_is_full_leaves_the_log_as_if_nothing_had_been_asked_for(tmp_path: Path) -> None:
    script = [*appends(2), ["disk_full", 20, records(4, 3)], ["append", records(4, 1)], ["reopen"], ["read", 2, 10_000]]

    rejected, appended, reopened, read = answers(script, tmp_path)[-4:]

    assert rejected == {"rejected": "OSError"}
    assert appended == {"offset": 4}
    assert reopened == {"start": 0, "end": 5}
    assert values(read) == ["0000000002", "0000000003", "0000000004"]


def test_a_disk_that_is_full_when_a_segment_begins_leaves_no_segment(tmp_path: Path) -> None:
    script = [*appends(2), ["files"], ["disk_full", 20, records(4, 1, size=900)], ["files"], ["append", records(4, 1)]]

    before, rejected, after, appended = answers(script, tmp_path, segment_bytes=250)[-4:]

    assert (rejected, after, appended) == ({"rejected": "OSError"}, before, {"offset": 4})


@pytest.mark.parametrize("how", ["cut", "flip"])
def test_damage_at_each_byte_of_the_last_batch_costs_that_batch_alone(how: str, tmp_path: Path) -> None:
    case = {"batches": [records(0, 2), records(2, 2)], "each_byte": how, "segment_bytes": 1000, "index_bytes": 100}

    rows = rows_of("PartitionLog", case, scratch=tmp_path)

    assert len(rows["ends"]) == len(rows["kept"]) == rows["last_batch_bytes"]
    uncovered = {12, 13, 14, 15} if how == "flip" else set()  # the leader epoch
    assert {at for at, end in enumerate(rows["ends"]) if end != 2} == uncovered
    assert all(rows["kept"])


def test_what_was_acknowledged_survives_kill_9(tmp_path: Path) -> None:
    case = {"segment_bytes": 2000, "index_bytes": 200, "kill_after": 100}

    rows = rows_of("PartitionLog", case, scratch=tmp_path)

    assert rows["kept"] >= rows["acknowledged"] >= 100
    assert rows["values_right"] is True


def test_impossible_sizes_of_segments_are_refused(tmp_path: Path) -> None:
    case = {"segment_bytes": 0, "index_bytes": 1, "script": []}

    assert rows_of("PartitionLog", case, scratch=tmp_path) == {"rejected": "ValueError"}


def test_a_turn_of_the_race_ends_with_the_batches_at_their_offsets(tmp_path: Path) -> None:
    batches = [batch_of([(None, os.urandom(100))] * 500) for _ in range(3)]
    path, scratch = tmp_path / "turn", tmp_path / "scratch"
    path.write_bytes(b"".join(batches))
    scratch.mkdir()

    rows = rows_of("PartitionLog.throughput", {"path": str(path)}, scratch=scratch)

    stored = b"".join(at_offset(batch, 500 * at) for at, batch in enumerate(batches))
    assert rows == {"end_offset": 1500, "segments": 1, "digest": hashlib.sha256(stored).hexdigest()}
