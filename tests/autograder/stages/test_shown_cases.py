"""A check that fails shows a case that can be read and typed in; those that cannot are listed with the reason."""

from pathlib import Path

import pytest

from autograder.checks.registry import load_stage
from autograder.course import load_course
from autograder.judge.evidence import can_be_shown

ROOT = Path(__file__).resolve().parents[3]
LABS = load_course(ROOT).labs
SPARK = "files or batches for a job on Spark"
VOLUME = "the claim is about many rows at once"
# A task, or one check of a task whose other checks show their cases.
NOT_SHOWN = {
    "lab01_wordcount/word_counts/batches_from_a_socket_add_up_to_the_whole": SPARK,
    "lab02_windows/windowed_counts/a_slide_reads_what_enters_and_leaves": SPARK,
    "lab03_log/TopicClient/foreign_consumers_read_what_it_publishes": "a server and its foreign clients",
    "lab03_log/TopicClient/members_share_a_topic_and_every_group_reads_all_of_it": "a server and its foreign clients",
    "lab03_log/kafka_counts": SPARK,
    "lab04_subqueries/Aggregate/a_row_is_combined_once_however_many_windows_hold_it": VOLUME,
    "lab04_subqueries/Aggregate/state_that_no_window_needs_is_deleted": VOLUME,
    "lab04_subqueries/bucket_of/a_bucket_is_the_same_in_every_process": "the sentence shows the call",
    "lab04_subqueries/bucket_of/equal_values_share_a_bucket": "the sentence shows the calls",
    "lab04_subqueries/hibench_on_spark/finished_windows_leave_the_state": SPARK,
    "lab04_subqueries/Inbox/killing_an_instance_changes_no_row": "instances in processes, one of which is killed",
    "lab04_subqueries/distinct_count/estimates_are_within_three_standard_errors": VOLUME,
    "lab04_subqueries/spark_step/a_step_that_is_repeated_gives_the_same_rows": SPARK,
    "lab05_placement/place/small_placements_are_within_3_percent_of_the_optimum": VOLUME,
    "lab05_placement/place/large_placements_keep_up_with_a_graph_partitioner": VOLUME,
    "lab05_placement/place/in_the_model_it_is_faster_than_round_robin": VOLUME,
    "lab05_placement/place/the_same_input_gives_the_same_placement": VOLUME,
    "lab05_placement/place/rows_routed_by_your_lab_4_are_placed_near": VOLUME,
    "lab06_enrichment/enrich_partitioned": SPARK,
    "lab06_enrichment/with_refunds": SPARK,
    "lab06_enrichment/enrich_from_state/killing_the_workers_loses_no_row": SPARK,
    "lab06_enrichment/fraud_windows": SPARK,
    "lab08_geofencing/contacts": SPARK,
    "lab08_geofencing/FenceIndex/few_fences_are_tested_exactly": VOLUME,
    "lab08_geofencing/push": SPARK,
    "lab09_system/alerts": SPARK,
}


@pytest.mark.parametrize("lab", LABS)
def test_each_check_has_a_case_that_can_be_shown_or_a_reason_why_none_can(lab: str) -> None:
    without = {
        f"{lab}/{each.task}/{each.name}"
        for each in load_stage(lab).checks
        if not any(map(can_be_shown, each.cases("s")))
    }
    listed = [name for name in NOT_SHOWN if name.startswith(f"{lab}/")]

    assert {name for name in without if name not in listed and name.rpartition("/")[0] not in listed} == set()
    assert [name for name in listed if not any(each.startswith(name) for each in without)] == []
