"""The checks of `Registry` and `Master`."""

from autograder.checks import Case, Check, Mismatch, Rows, check, claim
from autograder.checks.registry import Cases
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab07_irm.messages import cases, oracle
from autograder.stages.lab07_irm.messages.comparators import after_deaths, first_difference, wrong_outcome, wrong_worker


def _registry(case: Case, rows: Rows) -> Mismatch | None:
    expected, call = oracle.answers(case), f"Registry({case['limit']})"
    if expected is None:
        return must_reject(call, rows)
    return must_answer(call, "a registry", rows) or first_difference(call, case, expected, rows.get("answers"))


def _master(case: Case, rows: Rows) -> Mismatch | None:
    limits = ", ".join(f"{name}={case[name]}" for name in ("limit", "tries") if name in case)
    expected, call = oracle.orders(case), f"Master({limits})"
    if expected is None:
        return must_reject(call, rows)
    workers = oracle.workers(case)
    wrong = must_answer(call, "a master", rows) or first_difference(call, case, expected, rows.get("orders"))
    return wrong or wrong_worker(workers, rows.get("workers"))


@check("Master", cases=cases.explored, invariant=2)
def no_message_is_stranded_in_any_order_of_events(case: Case, rows: Rows) -> Mismatch | None:
    """Explore thousands of schedules of eight small clusters."""
    return wrong_outcome(case, rows)


@check("Master", cases=cases.deaths, invariant=3)
def no_message_is_lost_when_real_engines_are_killed_and_frozen(case: Case, rows: Rows) -> Mismatch | None:
    """Kill one engine with SIGKILL; stop another one with SIGSTOP until the master has given it up."""
    return after_deaths(case, rows)


def _of(task: str, name: str, made: Cases, invariant: int) -> Check:
    return claim(task, name, cases=made, judge=_registry if task == "Registry" else _master, invariant=invariant)


CLAIMS = [
    _of("Registry", "the_engine_on_the_lowest_worker_is_taken", cases.engines, 2),
    _of("Registry", "the_oldest_message_of_its_image_comes_first", cases.messages, 5),
    _of("Registry", "promised_and_stored_messages_share_the_limit", cases.limited, 1),
    _of("Master", "a_message_goes_to_an_idle_engine_and_otherwise_to_the_backlog", cases.routed, 2),
    _of("Master", "a_lost_engine_loses_no_message", cases.losses, 5),
    _of("Master", "a_late_result_counts_once", cases.late_results, 1),
    _of("Master", "an_engine_leaves_only_when_no_message_is_on_its_way_to_it", cases.leavings, 4),
    _of("Master", "a_full_backlog_makes_connectors_wait", cases.full, 1),
    _of("Master", "a_message_that_kills_every_engine_is_given_up", cases.poisoned, 5),
    _of("Master", "invalid_limits_and_tries_raise_value_error", cases.invalid, 12),
]
