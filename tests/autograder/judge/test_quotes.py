"""What results show of answers is limited, and an ordinary message stays whole."""

import pytest

from autograder.checks import Case, Check, Mismatch, Rows, same_counts
from autograder.checks.cut_texts import size_of
from autograder.judge.jobs import NumberedCase
from autograder.judge.outcomes import Driven, Outcome, outcome_of
from autograder.judge.quoted_words import words_from
from autograder.judge.quotes import SUBMISSION_CHARS, Quota, first_findings
from autograder.judge.verdicts import Verdict, judge_check

CARRIED = [f"secret{number:03}" for number in range(400)]
OF_JUDGE = "Expected the counts of the text; yours are"


def judged(answer: object, sentence: str) -> Verdict:
    def judge(case: Case, rows: Rows) -> Mismatch | None:
        return Mismatch(sentence, 1, rows["got"])

    check = Check("double", "twice_the_number", judge, lambda seed: [{"number": 2}])
    return judge_check(check, [NumberedCase(0, {"number": 2})], Driven({0: Outcome("rows", {"got": answer})}), 1.0)


def secrets_in(verdicts: list[Verdict]) -> int:
    texts = (text for each in verdicts for text in (each.sentence, each.evidence.get("got", "")))
    return sum(size_of(text[text.find("secret") :]) for text in texts if "secret" in text)


def test_a_submission_shows_a_limited_part_of_its_answers() -> None:
    verdicts = [judged(CARRIED, f"{OF_JUDGE} {' '.join(CARRIED)}.") for _ in range(40)]

    shown = Quota([]).verdicts(verdicts)

    assert secrets_in(shown) <= 1.2 * SUBMISSION_CHARS  # with the blanks and quotes between the words
    assert all(each.sentence.startswith(OF_JUDGE) for each in shown)


def test_a_verdict_shows_at_most_five_values() -> None:
    (shown,) = Quota([]).verdicts([judged("x" * 1_000, f"{OF_JUDGE} {'x' * 99}… and {'x' * 99}… and {'x' * 400}.")])

    assert (shown.sentence + shown.evidence["got"]).count("x") <= 500


def test_thirty_ordinary_mistakes_keep_their_sentences() -> None:
    wrong = same_counts({"to": 3, "be": 2}, [["to", 2], ["be", 2]])
    assert wrong is not None
    verdicts = [judged([["to", 2], ["be", 2]], wrong.sentence) for _ in range(30)]

    assert [each.sentence for each in Quota([]).verdicts(verdicts)] == [wrong.sentence] * 30


def test_notes_count_as_well() -> None:
    verdicts = [judged("secret" * 10, f"{OF_JUDGE} {'secret' * 10}.")]

    (shown,) = Quota(["n" * SUBMISSION_CHARS]).verdicts(verdicts)

    assert shown.sentence == f"{OF_JUDGE} …"
    assert "got" not in shown.evidence


def test_a_pass_has_no_answer_to_show_where_no_room_is_left() -> None:
    passed = Verdict("double", "twice", "twice", "pass", 1.0, 1.0, "Passed 3 cases.")

    assert Quota(["n" * 3_000]).verdicts([passed]) == [passed]


@pytest.mark.parametrize(
    ("answer", "sentence", "words"),
    [
        ({"n": "secret"}, "Expected 3; yours is secret.", {"secret"}),
        ({"n": 17}, "Expected 3; yours is 17.", {"17"}),
        ({"secret": None}, 'yours is {"secret": None}', {"secret"}),
        (["one\ntwo"], "yours is one\ntwo", {"one", "two"}),
        (["one\ntwo"], 'yours is "one\\ntwo"', {"one", "ntwo"}),
        (["x" * 200], f"yours is {'x' * 99}…", {f"{'x' * 99}…"}),
        (["!?!?!?"], "yours is !?!?!?", {"!?!?!?"}),
        (None, "words is not written yet.", set()),
    ],
)
def test_words_of_an_answer_are_found(answer: object, sentence: str, words: set[str]) -> None:
    assert words_from(answer, sentence) == words


def test_an_error_carries_two_values() -> None:
    outcome = outcome_of({"event": "failed", "kind": "ValueError", "message": "é" * 1_000})

    assert size_of(outcome.message.rstrip("…")) <= 200


def test_findings_beyond_the_limit_are_counted() -> None:
    assert first_findings(["a", "b"]) == ["a", "b"]
    assert first_findings(["a" * 500, "b" * 500, "c"]) == ["a" * 500, "… and 2 more findings."]
