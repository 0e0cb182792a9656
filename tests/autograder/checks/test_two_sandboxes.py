"""A case for two sandboxes is halved, and the answers of both parts make up those of the case."""

from autograder.checks.two_sandboxes import first_part, in_two_sandboxes, joined, second_part

CASE = in_two_sandboxes({"calls": [1, 2, 3], "name": "x"}, "calls", "events")


def test_the_second_sandbox_gets_the_other_half_and_the_state_of_the_first() -> None:
    first = first_part(CASE)
    second = second_part(CASE, {"events": ["one", "two"], "state": "abc"})

    assert (first["part"], first["calls"], first["name"]) == ("first", [1, 2], "x")
    assert (second["part"], second["calls"], second["begin"], second["state"]) == ("second", [3], 2, "abc")


def test_the_answers_are_joined_and_the_second_part_has_the_last_word() -> None:
    rows = joined(CASE, {"events": [1, 2], "size": 1, "state": "abc"}, {"events": [3], "size": 2})

    assert rows == {"events": [1, 2, 3], "size": 2}


def test_an_answer_that_is_no_list_stays_for_the_check() -> None:
    assert joined(CASE, {"events": [1, 2]}, {"rejected": "ValueError"}) == {"events": [1, 2], "rejected": "ValueError"}


def test_without_a_list_to_cut_both_sandboxes_get_the_whole_case() -> None:
    case = in_two_sandboxes({"rows": [1, 2]})

    assert first_part(case)["rows"] == second_part(case, {})["rows"] == [1, 2]
    assert joined(case, {"here": 1}, {"elsewhere": 2}) == {"here": 1, "elsewhere": 2}


def test_other_cases_stay_as_they_are() -> None:
    assert first_part({"calls": [1]}) == {"calls": [1]}
