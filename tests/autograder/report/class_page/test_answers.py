"""Wrong answers of a class, by check and by kind of answer."""

from collections.abc import Callable

import pytest

from autograder.classroom.marks import StudentMark
from autograder.report.class_page.answers import CheckOfClass, checks_of_class, grouped, spelling
from autograder.report.class_page.members import members_of
from autograder.report.results_view import read_report
from tests.autograder.report.class_page.conftest import Results, check, marks_of, results, student


def _checks(*students: StudentMark) -> list[CheckOfClass]:
    return checks_of_class(members_of(marks_of(*students)))


def _spelled(sentence: str, case: str) -> str:
    report = read_report(results(check("fail", sentence, smallest_case=case)))
    return spelling(report.tasks[0].checks[0])


def _class_of(*answers: list[Results]) -> list[CheckOfClass]:
    return _checks(*(student(f"s{at}", results(*each)) for at, each in enumerate(answers)))


def test_passed_wrong_and_unwritten_answers_are_counted_separately() -> None:
    one = _class_of([check("pass")], [check("fail", "no")], [check("timeout", "late")], [check("skipped")])[0]

    assert (len(one.passed), len(one.wrong), len(one.unwritten), one.judged) == (1, 2, 1, 4)


def test_a_check_that_waits_for_another_one_counts_as_wrong() -> None:
    waits = check("skipped", 'Not judged until "a" passes.') | {"waits_for": "a"}

    (one,) = _class_of([waits])

    assert (len(one.wrong), len(one.unwritten)) == (1, 0)


def test_the_check_with_the_fewest_passes_comes_first_and_ties_keep_the_order_of_the_lab() -> None:
    names = ("easy", "hard", "as_easy", "unwritten")
    verdicts = [
        ("pass", "fail", "pass", "skipped"),
        ("pass", "fail", "pass", "skipped"),
        ("fail", "pass", "fail", "pass"),
    ]

    found = _class_of(*([check(v, name=n) for v, n in zip(row, names, strict=True)] for row in verdicts))

    assert [each.title for each in found] == ["hard", "unwritten", "easy", "as easy"]


def test_the_most_frequent_wrong_answer_comes_first_with_all_its_students() -> None:
    sentences = ["rare", "common", "common", "common"]

    kinds = _class_of(*([check("fail", each, expected="1", got="2")] for each in sentences))[0].kinds

    assert [(each.sentence, [who.student for who in each.who]) for each in kinds] == [
        ("common", ["s1", "s2", "s3"]),
        ("rare", ["s0"]),
    ]
    assert (kinds[0].expected, kinds[0].got) == ("1", "2")


def test_the_same_sentence_under_another_verdict_is_another_kind() -> None:
    assert len(_class_of([check("fail", "no")], [check("error", "no")])[0].kinds) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            ('Expected ("lag1", 2); yours is ("lag1", 1).', '"lag1"'),
            ('Expected ("for1", 2); yours is ("for1", 1).', '"for1"'),
        ),
        (('Expected ("a", 483); yours has ("a", 966).', ""), ('Expected ("a", 498); yours has ("a", 996).', "")),
        (("words stopped at line 3 of its cell", ""), ("words stopped at line 9 of its cell", "")),
    ],
)
def test_answers_that_differ_only_in_the_case_are_of_one_kind(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert _spelled(*one) == _spelled(*other)


@pytest.mark.parametrize(
    ("one", "other", "case"),
    [
        ('yours is "local[1]".', 'yours is "local[*]".', "receivers = 1"),  # the learner's words, not the case's
        ('Expected ("a", 2); yours is ("a", 1).', 'Expected ("a", 2); yours is ("b", 1).', 'words = ["a", "b"]'),
        ('Expected ("a", 2); yours is ("a", 1).', 'Expected ("a", 2); yours is ("a", 3).', 'words = ["a"]'),
    ],
)
def test_answers_that_differ_in_more_than_the_case_are_of_another_kind(one: str, other: str, case: str) -> None:
    assert _spelled(one, case) != _spelled(other, case)


def test_five_kinds_are_shown_and_the_rest_is_counted() -> None:
    letters = [[check("fail", letter)] for letter in "aabcdefgg"]

    one = _class_of(*letters)[0]

    assert len(one.kinds) == 7
    assert one.others_in_words == "and 2 others, with 2 more kinds of answer"


def test_others_in_words_is_empty_if_all_kinds_are_shown() -> None:
    assert _class_of([check("fail", "a")])[0].others_in_words == ""


def test_a_file_that_could_not_be_judged_does_not_count() -> None:
    rejected = student("xiao", results(check("error", "Not judged: no cell found.")))

    found = _checks(rejected, student("ana", results(check("pass"))))

    assert [(each.judged, len(each.wrong)) for each in found] == [(1, 0)]


def test_long_evidence_is_cut() -> None:
    kind = _class_of([check("fail", "x" * 9_000, expected="y" * 9_000, got="z" * 9_000)])[0].kinds[0]

    assert [len(each) for each in (kind.sentence, kind.expected, kind.got)] == [300, 240, 240]
    assert kind.got.endswith("…")


def _ten(passing: range, points: Callable[[int], float]) -> float | None:
    """Return the discrimination of a check in a class of ten; those at `passing` pass it."""
    verdicts = ["pass" if at in passing else "fail" for at in range(10)]
    marks = [student(f"s{at}", results(check(each)), points(at)) for at, each in enumerate(verdicts)]
    return _checks(*marks)[0].discrimination


@pytest.mark.parametrize(
    ("passing", "points", "least", "most"),
    [
        (range(5, 10), float, 0.6, 0.9),  # the better half passes
        (range(5), float, -1.0, -0.8),  # the weaker half passes: the check may be wrong
        (range(10), float, None, None),  # a check that all pass does not discriminate
        (range(5), lambda at: float(at < 5), None, None),  # the same points for everything else
    ],
)
def test_discrimination_compares_passing_with_the_points_for_everything_else(
    passing: range, points: Callable[[int], float], least: float | None, most: float | None
) -> None:
    found = _ten(passing, points)

    assert found is None if least is None else least <= found <= most


def test_a_class_of_nine_has_no_discrimination() -> None:
    marks = [student(f"s{at}", results(check("pass" if at > 4 else "fail")), float(at)) for at in range(9)]

    assert _checks(*marks)[0].discrimination is None


def test_the_page_advises_neither_on_dropped_checks_nor_on_tasks_with_open_verdicts() -> None:
    def answers(at: int) -> Results:
        verdict = "inconclusive" if at == 0 else "pass"
        return results(
            check("fail", "no", task="a", name="hard"),
            check(verdict, task="a", name="busy"),
            check("fail", "no", task="b", name="dropped"),
            check("fail", "no", task="c", name="plain"),
        )

    groups = grouped(_checks(*(student(f"s{at}", answers(at)) for at in range(3))), {"b/dropped"})

    assert [each.check for each in groups.worst] == ["plain"]
    assert {each.check for each in groups.undecided} == {"hard", "busy"}
    assert [each.check for each in groups.dropped] == ["dropped"]
