"""The checks of `Replica` and `ask`."""

from autograder.checks import Case, Mismatch, Rows, check, claims, same_sequence, same_value
from autograder.checks.compare import shown
from autograder.stages.lab08_geofencing.replicas import cases, comparators, oracle

# Replica


def _steps(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.steps(case)
    return comparators.first_wrong_step(case, expected, rows)


@check(
    "Replica",
    cases=cases.killed,
    invariant=10,
    after=(
        "it_rejects_questions_until_it_has_caught_up",
        "an_answer_reports_its_offsets_and_honours_at_least",
        "gaps_in_offsets_do_not_delay_it",
    ),
)
def a_killed_replica_loses_no_update_and_gives_no_wrong_answer(case: Case, rows: Rows) -> Mismatch | None:
    """Check that every answer is a state of the log, and the newest one where that was demanded."""
    states, count = oracle.states(case), case["questions"]
    found = comparators.wrong_answers(states, rows.get("answers"), count)
    if found is None:
        return Mismatch(f"Expected the answers to {count} questions; yours are {shown(rows)}.", count, rows)
    if problems := comparators.problems_of(*found):
        faults = f"a replica was killed before question {case['kill_at']} and restarted before {case['restart_at']}"
        return Mismatch(f"Expected {count} right answers although {faults}; {problems}.", [[], []], found)
    what = "the movers that the restarted replica itself returns for the end of the log"
    return same_value(states[-1], rows.get("restarted"), what=what)


# ask


def _walk(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the result, then all calls and pauses."""
    expected = oracle.asked(case)
    call, scripts = comparators.call_text(case), comparators.scripts_text(case)
    name = "answer" if "answer" in expected else "raised"
    if wrong := same_value(expected[name], rows.get(name), what=name):
        want, answer = comparators.outcome(expected), comparators.outcome(rows)
        sentence = f"Expected {call} to end with {want}; yours ends with {answer}. In this case, {scripts}."
        return Mismatch(sentence, wrong.expected, rows)
    if wrong := same_sequence(expected["calls"], rows.get("calls"), what="calls"):
        want, answer = comparators.walk(expected["calls"]), comparators.walk(rows.get("calls"))
        what = "the same replicas with other arguments" if want == answer else answer
        sentence = f"Expected {call} to ask {want}; yours asks {what}. In this case, {scripts}."
        return Mismatch(sentence, wrong.expected, wrong.got)
    return None


@check("ask", cases=cases.unavailable, invariant=11, after="a_dead_or_lagging_replica_costs_no_answer")
def unavailable_gives_the_reasons_and_never_an_empty_answer(case: Case, rows: Rows) -> Mismatch | None:
    """Check that the text after the last round contains the last error of each replica."""
    reasons = oracle.asked(case).get("reasons", [])
    if wrong := _walk(case, rows):
        return wrong
    text = str(rows.get("text", ""))
    missing = [reason for reason in reasons if reason not in text]
    if not missing:
        return None
    what = f"Expected the text of Unavailable to contain {shown(missing[0])}, the last error of a replica"
    return Mismatch(f"{what}; yours is {shown(text)}.", reasons, text)


CLAIMS = claims(
    ("Replica", "it_rejects_questions_until_it_has_caught_up", cases.starting, _steps, 10),
    ("Replica", "an_answer_reports_its_offsets_and_honours_at_least", cases.reached, _steps, 10),
    ("Replica", "gaps_in_offsets_do_not_delay_it", cases.gaps, _steps, 10),
    ("ask", "the_first_answer_is_enough_even_if_it_is_empty", cases.answered, _walk, 11),
    ("ask", "a_dead_or_lagging_replica_costs_no_answer", cases.failing, _walk, 11),
    ("ask", "an_invalid_question_is_not_retried", cases.invalid, _walk, 14),
    after={
        "a_dead_or_lagging_replica_costs_no_answer": "the_first_answer_is_enough_even_if_it_is_empty",
        "an_invalid_question_is_not_retried": "a_dead_or_lagging_replica_costs_no_answer",
    },
)
