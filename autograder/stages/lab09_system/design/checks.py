"""The checks of `size` and `admit`."""

from autograder.checks import Case, Mismatch, Rows, check, same_value
from autograder.checks.rejection import must_reject
from autograder.stages.lab09_system.design import cases, cases_admit, comparators, oracle


@check("size", cases=cases.loads)
def instances_carry_the_peak_and_drain_the_backlog(case: Case, rows: Rows) -> Mismatch | None:
    """Compare instances, partitions and drain_ms of loads whose keys are no problem."""
    expected = oracle.size(case)
    assert expected is not None, "a hot key belongs to another check"
    return comparators.wrong_size(case, expected, rows)


@check("size", cases=cases.hot_keys, invariant=11)
def a_hot_key_cannot_be_scaled(case: Case, rows: Rows) -> Mismatch | None:
    """Expect CannotScale if, and only if, the hottest key does not fit into one instance."""
    if oracle.size(case) is None:
        return must_reject(comparators.size_text(case), rows, "CannotScale")
    found = comparators.size_of(case, rows)
    return found if isinstance(found, Mismatch) else None


@check("size", cases=cases.invalid_loads, invariant=14)
def invalid_loads_are_rejected(case: Case, rows: Rows) -> Mismatch | None:
    """Expect an answer to the valid ones, too."""
    if not oracle.is_valid(case):
        return comparators.must_be_rejected(comparators.size_text(case), rows)
    found = comparators.size_of(case, rows)
    return found if isinstance(found, Mismatch) else None


@check("admit", cases=cases_admit.rooms, invariant=10)
def room_is_used_and_nothing_invented(case: Case, rows: Rows) -> Mismatch | None:
    """Check the total, and that no queue is granted more than waits there."""
    return comparators.wrong_room(case, rows)


@check("admit", cases=cases_admit.one_rank, after="room_is_used_and_nothing_invented")
def queues_of_a_rank_share_max_min(case: Case, rows: Rows) -> Mismatch | None:
    """Compare what each queue of one rank is granted."""
    expected = oracle.admitted(case)
    found = comparators.granted_of(case, rows)
    if isinstance(found, Mismatch):
        return found
    return same_value(expected, found, what=comparators.admit_text(case))


@check("admit", cases=cases_admit.ranks, invariant=10, after="room_is_used_and_nothing_invented")
def important_ranks_come_first_and_none_starves(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the totals of the ranks."""
    return comparators.wrong_ranks(case, oracle.of_ranks(case), rows)


@check("admit", cases=cases_admit.invalid, invariant=14)
def invalid_room_is_rejected(case: Case, rows: Rows) -> Mismatch | None:
    """Expect an answer to the valid ones, too."""
    if oracle.admitted(case) is None:
        return must_reject(comparators.admit_text(case), rows)
    found = comparators.granted_of(case, rows)
    return found if isinstance(found, Mismatch) else None
