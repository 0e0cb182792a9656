"""What the other checks of Lab 3 say of wrong rows: what was expected and what came, in the learner's words."""

from typing import Any

import pytest

from tests.autograder.stages.lab03_log.rows_by_hand import COLUMNS, sentence


@pytest.mark.parametrize(
    ("check", "case", "rows", "expected"),
    [
        (
            "a_key_goes_where_kafka_puts_it",
            {"keys": ["a"], "partitions": 1000},
            {"partitions": [3]},
            "Expected partition_for(b'a', 1000) to be 524; yours is 3.",
        ),
        (
            "a_number_of_partitions_below_one_is_refused",
            {"keys": ["a"], "partitions": 0},
            {"rejected": "ZeroDivisionError"},
            'Expected partition_for(b"a", 0) to raise ValueError; yours raises ZeroDivisionError.',
        ),
        (
            "a_partition_is_kept_until_its_batch_is_full",
            {"partitions": 2, "batch_bytes": 10, "sizes": [10, 10, 10]},
            {"chosen": [0, 0, 1]},
            "Expected StickyPartitioner(partitions=2, batch_bytes=10) to go on at another than partition 0 after "
            "records of [10] bytes at partitions [0]; yours goes to 0.",
        ),
        (
            "a_partition_is_kept_until_its_batch_is_full",
            {"partitions": 2, "batch_bytes": 11, "sizes": [10, 10, 10]},
            {"chosen": [0, 1, 1]},
            "Expected StickyPartitioner(partitions=2, batch_bytes=11) to go on at partition 0 after records of "
            "[10] bytes at partitions [0]; yours goes to 1.",
        ),
        (
            "bytes_are_spread_evenly",
            {"partitions": 2, "batch_bytes": 10, "sizes": [10, 10, 10]},
            {"chosen": [0, 0, 0]},
            "Expected the bytes of two partitions of StickyPartitioner(partitions=2, batch_bytes=10) to differ by"
            " less than 20; after 2 records yours are [20, 0].",
        ),
        (
            "bytes_are_spread_evenly",
            {"partitions": 2, "batch_bytes": 10, "sizes": [10, 10, 10]},
            {"chosen": [0, 1, 2]},
            "Expected partition of StickyPartitioner(partitions=2, batch_bytes=10) for records of [10, 10, 10] "
            "bytes to give one of [0, 1] for each record; yours gives [0, 1, 2].",
        ),
        (
            "each_partition_has_exactly_one_owner",
            {"partitions": 2, "members": ["a", "b"], "previous": {"a": [0], "b": [1]}, "orders": 6},
            {"assigned": {"a": [0], "b": [0, 1]}, "same_in_every_order": True},
            'Your partitions in assign(2, ["a", "b"], {"a": [0], "b": [1]}) have 0 once too often.',
        ),
        (
            "loads_differ_by_at_most_one",
            {"partitions": 2, "members": ["a", "b"], "previous": {"a": [0], "b": [1]}, "orders": 6},
            {"assigned": {"a": [0, 1], "b": []}, "same_in_every_order": True},
            'Expected loads of assign(2, ["a", "b"], {"a": [0], "b": [1]}) that differ by at most one; yours are '
            '{"a": 2, "b": 0}.',
        ),
        (
            "no_more_partitions_move_than_must",
            {"partitions": 2, "members": ["a", "b"], "previous": {"a": [0], "b": [1]}, "orders": 6},
            {"assigned": {"a": [1], "b": [0]}, "same_in_every_order": True},
            'Expected assign(2, ["a", "b"], {"a": [0], "b": [1]}) to take at most 0 partitions from a member that'
            ' had them; yours takes [0, 1]: {"a": [1], "b": [0]}.',
        ),
        (
            "the_order_of_names_changes_no_assignment",
            {"partitions": 2, "members": ["a", "b"], "previous": {"a": [0], "b": [1]}, "orders": 6},
            {"assigned": {"a": [1], "b": [0]}, "same_in_every_order": False},
            'Expected assign(2, ["a", "b"], {"a": [0], "b": [1]}) to be the same for every order of members and '
            "previous; yours differs.",
        ),
        (
            "committing_before_loses_what_was_not_handled",
            {
                "batches": [[[None, "a"], [None, "b"]]],
                "max_bytes": 1,
                "commit": "before",
                "crash_at": ["handle", 1],
                "committed": 0,
            },
            {"handled": [0, 1], "first_run": 0, "commits": [2], "polls": 1, "returned": 2},
            'Expected handled after the crash of consume(…, commit="before", max_bytes=1) of batches of [2] '
            "records from offset 0 with a crash at handle number 1 to be []; yours [0, 1].",
        ),
        (
            "without_a_crash_every_record_is_handled_once_in_order",
            {
                "batches": [[[None, "a"], [None, "b"]]],
                "max_bytes": 1,
                "commit": "after",
                "crash_at": None,
                "committed": 0,
            },
            {"handled": [0, 1], "first_run": 2, "commits": [1, 2], "polls": 1, "returned": 2},
            'Expected commits of consume(…, commit="after", max_bytes=1) of batches of [2] records from offset 0 '
            "to be [2]; yours [1, 2]: position 0 differs.",
        ),
        (
            "another_time_to_commit_is_refused",
            {
                "batches": [[[None, "a"], [None, "b"]]],
                "max_bytes": 1,
                "commit": "never",
                "crash_at": None,
                "committed": 0,
            },
            {"handled": [0], "first_run": 1, "commits": [], "polls": 1, "returned": 1},
            'Expected consume(…, commit="never", max_bytes=1) of batches of [2] records from offset 0 to raise '
            'ValueError; yours gives {"handled": [0], "first_run": 1, "commits": [], "polls": 1, "returned": 1}.',
        ),
        (
            "trends_of_your_own_lab_2_are_fed_from_the_log",
            {"texts": ["#a"]},
            {"tags": {}},
            'Expected ("a", 1); your hashtags of ["#a"] lack it.',
        ),
        (
            "equal_values_at_two_offsets_are_two_records",
            {"deliveries": [[0, 0, "a"], [0, 1, "a"]], "next_offset": {}, "parts": 1},
            {"applied": [[0, 0, "a"]], "next_offset": {"0": 1}},
            'Expected deduplicate([[0, 0, "a"], [0, 1, "a"]], {}) to be [[0, 0, "a"], [0, 1, "a"]]; yours [[0, 0,'
            ' "a"]].',
        ),
        (
            "offsets_of_two_partitions_say_nothing_of_each_other",
            {"deliveries": [[0, 0, "a"]], "next_offset": {}, "parts": 2},
            {"applied": [[0, 0, "a"]], "next_offset": {}},
            'Expected next_offset after deduplicate([[0, 0, "a"]], {}) in 2 calls to be {"0": 1}; yours is {}.',
        ),
        (
            "a_member_that_is_killed_is_noticed",
            {"kind": "killed", "group": "g", "members": ["a", "b"], "kill": "a"},
            {"kind": "killed", "seen": [["a", "b"]], "members": ["a", "b"], "rejected": None, "ephemeral": True},
            'Expected members() after the kill of "a" in the group of ["a", "b"] to be ["b"]; yours ["a", "b"]: '
            "position 0 differs.",
        ),
        (
            "a_member_that_is_killed_is_noticed",
            {"kind": "killed", "group": "g", "members": ["a", "b"], "kill": "a"},
            {"kind": "killed", "seen": [["a", "b"]], "members": ["b"], "rejected": None, "ephemeral": True},
            'Expected on_change to tell ["a", "b"] and then, after the kill of "a" in the group of ["a", "b"], '
            '["b"]; yours told [["a", "b"]].',
        ),
        (
            "a_name_belongs_to_one_session_at_a_time",
            {"kind": "same_name", "group": "g", "members": ["a"], "timeout_s": 0.6},
            {"kind": "same_name", "seen": [], "members": ["a"], "rejected": None},
            "Expected join(timeout_s=0.6) while another session holds the name to raise TimeoutError; yours "
            "raises nothing.",
        ),
        (
            "committed_offsets_stay_when_their_member_goes",
            {"kind": "offsets", "group": "g", "members": ["a"], "commits": [[0, 7]], "partitions": [0, 1]},
            {"kind": "offsets", "committed": {"0": 7}, "rejected": None, "persistent": True},
            'Expected committed offsets of the partitions [0, 1] after commits [[0, 7]] to be {"0": 7, "1": 0}; '
            'yours is {"0": 7}.',
        ),
        (
            "a_name_or_an_offset_that_cannot_be_meant_is_refused",
            {"kind": "offsets", "group": "g", "members": ["a"], "commits": [[0, -1]]},
            {"kind": "offsets", "committed": {}, "rejected": None},
            'Expected commit(0, -1) of Membership(zk, "g", "a") to raise ValueError; yours gives {"kind": '
            '"offsets", "committed": {}, "rejected": None}.',
        ),
        (
            "each_record_counts_in_the_window_of_its_timestamp",
            {"records": [["a", "v", 10000], [None, "v", 0]], "window_s": 10, "watermark_s": 5, "partitions": 1},
            {"columns": COLUMNS, "windows": [[0.0, 10.0, "a", 1]]},
            'Expected ("[10, 20) a", 1); your windows have ("[0, 10) a", 1).',
        ),
        (
            "a_record_without_a_key_does_not_count",
            {"records": [["a", "v", 10000], [None, "v", 0]], "window_s": 10, "watermark_s": 5, "partitions": 1},
            {"columns": COLUMNS, "windows": [[0.0, 10.0, None, 1]]},
            "Expected no window for records without a key; yours has [0, 10) None: 1.",
        ),
        (
            "killed_jobs_and_brokers_change_no_count",
            {
                "records": [["a", "v", 10000], [None, "v", 0]],
                "window_s": 10,
                "watermark_s": 5,
                "partitions": 1,
                "kill": "job",
            },
            {"columns": COLUMNS, "windows": [[10, 20, "a", 2]], "restarts": 1},
            'Expected ("[10, 20) a", 1); your windows of a run whose job was killed have ("[10, 20) a", 2).',
        ),
        (
            "rows_are_in_the_table_once_however_often_they_are_written",
            {"writes": [[0, [["a", 1]], "ok"], [0, [["a", 1]], "ok"]]},
            {"rows": [["a", 1], ["a", 1]], "after_each": [1, 2]},
            'Your rows of the table after write_once of batch 0 of 1 rows (ok), batch 0 of 1 rows (ok) have ("a",'
            " 1) once too often.",
        ),
        (
            "a_try_that_dies_leaves_no_row_to_be_read",
            {"writes": [[0, [["a", 1]], "dies"]]},
            {"rows": [], "after_each": [1]},
            "Expected 0 rows to be read after write_once of batch 0 of 1 rows (dies); yours has 1.",
        ),
        (
            "the_rate_climbs_by_the_steps_of_the_rule",
            {"start_per_s": 100, "interval_s": 1.0, "capacity_per_s": 150.0},
            {"rate": 150.0, "runs": [100, 175]},
            "Expected run 2 of highest_rate(run, start_per_s=100, interval_s=1.0) of a system with a capacity of "
            "150/s to play to be 103.0; yours is 175.",
        ),
        (
            "a_rate_that_is_too_fast_is_halved_and_never_the_answer",
            {"start_per_s": 64.0, "interval_s": 1.0, "most_runs": 1, "delays": [[64.0, 9.0]]},
            {"rate": 64.0, "runs": [64.0]},
            "Expected highest_rate(run, start_per_s=64.0, interval_s=1.0, most_runs=1) of a system with delays "
            "9.0 s at 64/s to be 0.0; yours is 64.0.",
        ),
        (
            "what_cannot_be_measured_is_a_measuring_error",
            {"start_per_s": 64.0, "interval_s": 1.0, "delays": [[64.0, "nan"]]},
            {"rate": 64.0, "runs": [64.0]},
            "Expected highest_rate(run, start_per_s=64.0, interval_s=1.0) of a system with delays nan s at 64/s "
            "to raise MeasuringError; yours returns 64.0.",
        ),
        (
            "the_least_of_the_three_binds_and_is_named",
            {"size_bytes": 1, "cpu_s": 0, "cores": 1, "bytes_per_s": 9, "framework_per_s": 9},
            {"rate_per_s": 9.0, "bound": "framework"},
            "Expected bound of rate_limit(size_bytes=1, cpu_s=0, cores=1, bytes_per_s=9, framework_per_s=9) to be"
            ' "network"; yours is "framework".',
        ),
    ],
)
def test_sentence_says_what_was_expected_and_what_came(
    check: str, case: dict[str, Any], rows: dict[str, Any], expected: str
) -> None:
    assert sentence(check, case, rows) == expected
