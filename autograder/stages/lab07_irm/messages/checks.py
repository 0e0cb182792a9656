"""The checks of `Registry`, `Assignments`, `dispatch` and `Master`."""

from dataclasses import replace

from autograder.checks import Case, Check, Mismatch, Rows, check, claim
from autograder.checks.registry import Cases
from autograder.stages.lab07_irm.messages import cases, cases_steps, oracle, oracle_steps
from autograder.stages.lab07_irm.messages.comparators import (
    after_deaths,
    first_difference,
    wrong_outcome,
    wrong_route,
    wrong_worker,
)


def _registry(case: Case, rows: Rows) -> Mismatch | None:
    return first_difference(f"Registry({case['limit']})", case, oracle.answers(case), rows.get("answers"))


def _assignments(case: Case, rows: Rows) -> Mismatch | None:
    return first_difference("Assignments()", case, oracle_steps.answers(case), rows.get("answers"))


def _dispatch(case: Case, rows: Rows) -> Mismatch | None:
    return wrong_route(case, oracle_steps.routes(case), rows.get("routes"))


def _master(case: Case, rows: Rows) -> Mismatch | None:
    limits = ", ".join(f"{name}={case[name]}" for name in ("limit", "tries") if name in case)
    expected, workers = oracle.orders(case), oracle.workers(case)
    wrong = first_difference(f"Master({limits})", case, expected, rows.get("orders"))
    return _with_parts(wrong or wrong_worker(workers, rows.get("workers")))


def _with_parts(wrong: Mismatch | None) -> Mismatch | None:
    """Name the tasks that `Master` calls, since the mistake may be theirs."""
    return wrong and replace(wrong, also_runs=("Registry", "Assignments", "dispatch"))


JUDGES = {"Registry": _registry, "Assignments": _assignments, "dispatch": _dispatch, "Master": _master}


@check(
    "Master",
    cases=cases.explored,
    invariant=2,
    after=(
        "a_late_result_counts_once",
        "an_engine_leaves_only_when_no_message_is_on_its_way_to_it",
        "a_full_backlog_makes_connectors_wait",
        "a_message_that_kills_every_engine_is_given_up",
    ),
)
def no_message_is_stranded_in_any_order_of_events(case: Case, rows: Rows) -> Mismatch | None:
    """Explore thousands of schedules of eight small clusters."""
    return _with_parts(wrong_outcome(case, rows))


@check("Master", cases=cases.deaths, invariant=3, after="no_message_is_stranded_in_any_order_of_events")
def no_message_is_lost_when_real_engines_are_killed_and_frozen(case: Case, rows: Rows) -> Mismatch | None:
    """Kill one engine with SIGKILL; stop another one with SIGSTOP until the master has given it up."""
    return _with_parts(after_deaths(case, rows))


ROUTED = "a_message_goes_to_an_idle_engine_and_otherwise_to_the_backlog"
AFTER = {
    "promised_and_stored_messages_share_the_limit": "the_oldest_message_of_its_image_comes_first",
    "each_loss_of_a_known_message_counts_once": "a_message_is_known_until_it_ends",
    "a_lost_engine_loses_no_message": ROUTED,
    "a_late_result_counts_once": "a_lost_engine_loses_no_message",
    "an_engine_leaves_only_when_no_message_is_on_its_way_to_it": ROUTED,
    "a_full_backlog_makes_connectors_wait": ROUTED,
    "a_message_that_kills_every_engine_is_given_up": "a_lost_engine_loses_no_message",
}


def _of(task: str, name: str, made: Cases, invariant: int) -> Check:
    return claim(task, name, made, JUDGES[task], invariant=invariant, after=AFTER.get(name, ()))


CLAIMS = [
    _of("Registry", "the_engine_on_the_lowest_worker_is_taken", cases.engines, 2),
    _of("Registry", "the_oldest_message_of_its_image_comes_first", cases.messages, 5),
    _of("Registry", "promised_and_stored_messages_share_the_limit", cases.limited, 1),
    _of("Assignments", "a_message_is_known_until_it_ends", cases_steps.known, 1),
    _of("Assignments", "only_the_engine_that_has_a_message_releases_it", cases_steps.released, 4),
    _of("Assignments", "each_loss_of_a_known_message_counts_once", cases_steps.lost, 5),
    _of("dispatch", "an_idle_engine_gets_the_message", cases_steps.engines, 2),
    _of("dispatch", "a_stored_message_waits_and_a_lost_one_comes_first", cases_steps.queues, 5),
    _of("dispatch", "a_new_message_is_promised_a_place_or_waits", cases_steps.promises, 1),
    _of("Master", ROUTED, cases.routed, 2),
    _of("Master", "a_lost_engine_loses_no_message", cases.losses, 5),
    _of("Master", "a_late_result_counts_once", cases.late_results, 1),
    _of("Master", "an_engine_leaves_only_when_no_message_is_on_its_way_to_it", cases.leavings, 4),
    _of("Master", "a_full_backlog_makes_connectors_wait", cases.full, 1),
    _of("Master", "a_message_that_kills_every_engine_is_given_up", cases.poisoned, 5),
]
