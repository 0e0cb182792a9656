"""The oracles of `Replica` and `ask` on examples worked out by hand, and the comparator for three processes."""

from itertools import pairwise

from autograder.stages.lab08_geofencing.replicas import cases, comparators, oracle
from autograder.stages.lab08_geofencing.replicas.drive_log import DEMANDING_EVERY, history, updates
from autograder.stages.lab08_geofencing.replicas.drive_processes import REPLICAS

# The updates: m1 of partition 1 enters, m0 of partition 0 leaves, m1 leaves. Questions 0, 2 and 4 demand them.
STATES = [["m0"], ["m0", "m1"], ["m1"], []]


def test_a_replica_answers_after_it_has_read_all_records_that_existed_at_its_start() -> None:
    script = oracle.steps(cases.starting("public")[0])

    answer = {"movers": ["a", "c"], "offsets": {"0": 3}, "at the end": {"0": 3}}
    assert script[:7] == ["NotCaughtUp", 2, "NotCaughtUp", None, 1, answer, 2]


def test_a_read_without_positions_passes_a_gap_at_the_end() -> None:
    read, nothing, answer = oracle.steps(cases.gaps("public")[0])

    assert (read, nothing) == (3, 0)
    assert answer["offsets"] == {"0": 4}


def test_every_replica_is_asked_first_with_and_without_a_demand() -> None:
    kinds = {(number % REPLICAS, number % DEMANDING_EVERY == 0) for number in range(2 * REPLICAS)}

    assert len(kinds) == 2 * REPLICAS


def test_each_update_changes_the_movers_inside() -> None:
    [case] = cases.killed("public")

    states = oracle.states(case)

    assert len(history(case)) == 6000
    assert len(states) == len(updates(case)) + 1 == 201
    assert all(before != after for before, after in pairwise(states))


def test_only_the_newest_state_is_right_if_all_updates_were_requested() -> None:
    answers = [["m0", "m1"], ["m0"], ["m1"], ["m0", "m1"], [], ["m1"]]

    assert comparators.wrong_answers(STATES, answers, 6) == ([], [])
    assert comparators.wrong_answers(STATES, [["m0"], *answers[1:]], 6) == ([], [0])
    assert comparators.wrong_answers(STATES, [*answers[:2], ["m0", "m1"], *answers[3:]], 6) == ([], [2])


def test_a_replica_may_lag_in_one_partition_only() -> None:
    """It has read that m0 left, but not yet that m1 entered."""
    answers = [["m0", "m1"], ["m0"], ["m1"], [], [], ["m1"]]

    assert comparators.wrong_answers(STATES, answers, 6) == ([], [])


def test_a_future_state_an_older_state_and_a_missing_answer_are_wrong() -> None:
    answers = [["m0", "m1"], ["m1"], ["m0"], ["m1"], None, ["m1", "m0"]]

    assert comparators.wrong_answers(STATES, answers, 6) == ([4], [1, 2, 5])


def test_answers_of_an_invalid_form_do_not_pass() -> None:
    assert comparators.wrong_answers(STATES, "abcdef", 6) is None
    assert comparators.wrong_answers(STATES, [7, {}, [[]], 1.5, [{}, None], True], 6) == ([], [0, 1, 2, 3, 4, 5])


def test_ask_tries_the_replicas_in_rounds_starting_with_the_first_one() -> None:
    case = {"replicas": [[cases.DEAD], [cases.LAGS, cases._answer("a")]], "question": [1], "options": {"first": 1}}

    found = oracle.asked(case)

    assert found == {"answer": [["a"], {"0": 20}], "calls": [[1, 1], [0, 1], "pause", [1, 1]]}
