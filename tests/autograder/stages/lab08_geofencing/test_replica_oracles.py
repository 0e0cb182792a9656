"""The oracles of `Replica` and `ask`, on examples worked out by hand; what judges the answers of three processes."""

from itertools import pairwise

from autograder.stages.lab08_geofencing.replicas import cases, comparators, oracle
from autograder.stages.lab08_geofencing.replicas.drive_log import history, updates

STATES = [["m0"], ["m0", "m1"], ["m1"]]  # the updates: m1 of partition 1 enters, m0 of partition 0 leaves


def test_a_replica_answers_when_it_has_read_what_was_there_at_its_start() -> None:
    script = oracle.steps(cases.starting("public")[0])

    answer = {"movers": ["a", "c"], "offsets": {"0": 3}, "at the end": {"0": 3}}
    assert script[:7] == ["NotCaughtUp", 2, "NotCaughtUp", None, 1, answer, 2]


def test_a_gap_at_the_end_is_passed_by_a_read_without_positions() -> None:
    read, nothing, answer = oracle.steps(cases.gaps("public")[0])

    assert (read, nothing) == (3, 0)
    assert answer["offsets"] == {"0": 4}


def test_each_update_changes_who_is_inside() -> None:
    [case] = cases.killed("public")

    states = oracle.states(case)

    assert len(history(case)) == 6000
    assert len(states) == len(updates(case)) + 1 == 135
    assert all(before != after for before, after in pairwise(states))


def test_only_the_newest_state_is_right_if_all_updates_were_demanded() -> None:
    answers = [["m0", "m1"], ["m0"], ["m0", "m1"], ["m1"], ["m0"], ["m1"]]

    assert comparators.wrong_answers(STATES, answers, 6) == ([], [])
    assert comparators.wrong_answers(STATES, [["m0"], *answers[1:]], 6) == ([], [0])
    assert comparators.wrong_answers(STATES, [*answers[:3], ["m0", "m1"], *answers[4:]], 6) == ([], [3])


def test_a_replica_may_be_behind_in_one_partition_only() -> None:
    """It has read that m0 left, and not yet that m1 entered."""
    answers = [["m0", "m1"], ["m0"], ["m0"], ["m1"], [], []]

    assert comparators.wrong_answers(STATES, answers, 6) == ([], [])


def test_a_state_of_the_future_an_older_replay_and_no_answer_are_not_right() -> None:
    answers = [["m0", "m1"], ["m1"], [], ["m1"], None, ["m1", "m0"]]

    assert comparators.wrong_answers(STATES, answers, 6) == ([4], [1, 2, 5])


def test_answers_of_an_odd_form_are_no_pass() -> None:
    assert comparators.wrong_answers(STATES, "abcdef", 6) is None
    assert comparators.wrong_answers(STATES, [7, {}, [[]], 1.5, [{}, None], True], 6) == ([], [0, 1, 2, 3, 4, 5])


def test_ask_walks_round_by_round_from_the_first_one_on() -> None:
    case = {"replicas": [[cases.DEAD], [cases.LAGS, cases._answer("a")]], "question": [1], "options": {"first": 1}}

    found = oracle.asked(case)

    assert found == {"answer": [["a"], {"0": 20}], "calls": [[1, 1], [0, 1], "pause", [1, 1]]}
