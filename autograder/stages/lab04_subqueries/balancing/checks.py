"""The checks of `bucket_of`, `balancer_for` and `rebalance`."""

from collections import Counter
from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, claims, same_value
from autograder.checks.compare import is_whole, shown
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab04_subqueries.balancing import cases, oracle
from autograder.stages.lab04_subqueries.balancing.comparators import helpful_moves, totals
from autograder.stages.lab04_subqueries.balancing.drive_keys import rows_of_keys

MOST_IN_A_BUCKET = 160
SHARE_OF_BOUND = 0.9

# bucket_of


def _bucket_of(case: Case, row: Any) -> str:
    shown_row = {name: value for name, value in row.items() if name not in ("group", "fields")}
    return f"bucket_of({shown(shown_row)}, {shown(row.get('fields', case['fields']))}, {case['buckets']})"


def _is_whole(value: Any, below: int) -> bool:
    return is_whole(value) and 0 <= value < below


def _wrong_buckets(case: Case, rows: Rows, of: list[Any]) -> Mismatch | None:
    """Return the mismatch for answers that are not one bucket for each row."""
    if wrong := must_answer(_bucket_of(case, of[0]), "a bucket", rows):
        return wrong
    got = rows.get("buckets")
    if not isinstance(got, list) or len(got) != len(of):
        return Mismatch(f"Expected a bucket for each of {len(of)} rows; yours are {shown(got)}.", len(of), got)
    for row, bucket in zip(of, got, strict=True):
        if not _is_whole(bucket, case["buckets"]):
            what = f"{_bucket_of(case, row)} to be a whole number from 0 to {case['buckets'] - 1}"
            return Mismatch(f"Expected {what}; yours is {shown(bucket)}.", case["buckets"], bucket)
    return None


def _groups_share_buckets(case: Case, rows: Rows) -> Mismatch | None:
    """Require one bucket for each group, and more than a few buckets in all."""
    if wrong := _wrong_buckets(case, rows, case["rows"]):
        return wrong
    first: dict[str, tuple[Any, int]] = {}
    for row, bucket in zip(case["rows"], rows["buckets"], strict=True):
        other, expected = first.setdefault(row["group"], (row, bucket))
        if bucket != expected:
            same = f"{_bucket_of(case, other)} and {_bucket_of(case, row)} to be equal"
            return Mismatch(f"Expected {same}; yours are {expected} and {bucket}.", expected, bucket)
    found = len({bucket for _, bucket in first.values()})
    if len(first) >= 10 and case["buckets"] >= 10 and found < 5:
        return Mismatch(
            f"Expected {len(first)} different keys in many buckets; yours are in {found}.", len(first), found
        )
    return None


@check("bucket_of", cases=cases.processes, invariant=5)
def a_bucket_is_the_same_in_every_process(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the buckets of two processes: Python salts the hash of texts in each process."""
    if wrong := _groups_share_buckets(case, rows):
        return wrong
    elsewhere = rows.get("elsewhere")
    answers = elsewhere if isinstance(elsewhere, list) else []
    for row, here, there in zip(case["rows"], rows["buckets"], answers, strict=False):
        if here != there:
            what = f"{_bucket_of(case, row)} to be the same in two processes"
            return Mismatch(f"Expected {what}; yours is {here} in one and {shown(there)} in the other.", here, there)
    if len(answers) == len(case["rows"]):
        return None
    return Mismatch(f"Expected bucket_of to run in another process, too; yours gives {shown(elsewhere)}.")


@check("bucket_of", cases=cases.many, invariant=5)
def keys_are_spread_over_the_buckets(case: Case, rows: Rows) -> Mismatch | None:
    """Allow at most 160 of 6400 keys in one of 64 buckets; the expected number is 100."""
    keys = rows_of_keys(case)
    if wrong := _wrong_buckets(case, rows, keys):
        return wrong
    bucket, most = Counter[int](rows["buckets"]).most_common(1)[0]
    if most <= MOST_IN_A_BUCKET:
        return None
    first, second, last = (", ".join(map(shown, keys[at].values())) for at in (0, 1, -1))
    which = f"the {len(keys)} rows whose {' and '.join(case['fields'])} are {first}; {second}; …; {last}"
    what = f"at most {MOST_IN_A_BUCKET} of {which} in one of {case['buckets']} buckets"
    return Mismatch(f"Expected {what}; yours has {most} in bucket {bucket}.", MOST_IN_A_BUCKET, most)


# balancer_for


def _same_plans(case: Case, rows: Rows) -> Mismatch | None:
    plans, right = rows.get("plans"), [oracle.plan(case, port) for port in range(len(case["keys"]))]
    for port, keys in enumerate(case["keys"]):
        kind = f"a stateful operator with keys({port}) == {shown(keys)}" if case["stateful"] else "a stateless operator"
        what = f"balancer_for({kind}, port {port}, {case['instances']} instances)"
        got = plans[port] if isinstance(plans, list) and len(plans) == len(case["keys"]) else plans
        if wrong := same_value(right[port], got, what=what):
            return wrong
    return None


# rebalance


def _rebalance(case: Case) -> str:
    return f"rebalance({shown(case['loads'], 200)}, {shown(case['owners'], 200)}, {case['instances']})"


def _wrong_owners(case: Case, rows: Rows) -> Mismatch | None:
    """Return the mismatch for buckets without an existing owner, or for arguments that were changed."""
    if wrong := must_answer(_rebalance(case), "a list of owners", rows):
        return wrong
    owners, buckets = rows.get("owners"), len(case["loads"])
    if not isinstance(owners, list) or len(owners) != buckets:
        what = f"{_rebalance(case)} to have an owner for each of {buckets} buckets"
        return Mismatch(f"Expected {what}; yours is {shown(owners)}.", buckets, owners)
    if not all(_is_whole(owner, case["instances"]) for owner in owners):
        what = f"{_rebalance(case)} to have owners from 0 to {case['instances'] - 1}"
        return Mismatch(f"Expected {what}; yours is {shown(owners, 200)}.", case["instances"], owners)
    if rows.get("unchanged") is not True:
        return Mismatch(f"Expected {_rebalance(case)} to leave its arguments unchanged; yours changes one.")
    return None


def _wrong_balance(case: Case, rows: Rows) -> Mismatch | None:
    if wrong := _wrong_owners(case, rows):
        return wrong
    loads, instances, owners = case["loads"], case["instances"], rows["owners"]
    if not (moves := helpful_moves(loads, owners, instances)):
        return None
    (bucket, to), total = moves[0], totals(loads, owners, instances)
    outcome = f"yours gives {shown(owners, 200)} with the loads {shown(total)}, and bucket {bucket} could move to {to}"
    return Mismatch(
        f"Expected no move off a fullest instance to help after {_rebalance(case)}; {outcome}.", None, owners
    )


@check("rebalance", cases=cases.settled, invariant=10, after="no_single_move_lowers_the_load_of_the_fullest")
def no_bucket_moves_without_need(case: Case, rows: Rows) -> Mismatch | None:
    """Allow no move if none helps, the fewest if all loads are equal, and few if loads are skewed."""
    most = case.get("most_moves", oracle.fewest_moves(case))
    if wrong := _wrong_balance(case, rows):
        return wrong
    moved = sum(old != new for old, new in zip(case["owners"], rows["owners"], strict=True))
    if most is None or moved <= most:
        return None
    return Mismatch(f"Expected {_rebalance(case)} to move at most {most} buckets; yours moves {moved}.", most, moved)


@check("rebalance", cases=cases.zipf, invariant=10, after="no_single_move_lowers_the_load_of_the_fullest")
def at_zipf_1_the_speed_up_is_at_least_0_9_of_the_bound(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the largest load with the heaviest bucket and an equal share; their ratio is that of the speed-ups."""
    lowest = oracle.lowest_load(case)
    if wrong := _wrong_owners(case, rows):
        return wrong
    most, got = int(lowest / SHARE_OF_BOUND), max(totals(case["loads"], rows["owners"], case["instances"]))
    if got <= most:
        return None
    stream = f"{sum(case['loads'])} rows at Zipf 1, in {len(case['loads'])} buckets on {case['instances']} instances"
    what = f"at most {most} on the fullest one (the bound is {lowest:.0f})"
    return Mismatch(f"Expected rebalance to spread {stream} with {what}; yours leaves {got}.", most, got)


@check("rebalance", cases=cases.invalid_loads, invariant=11, after="no_single_move_lowers_the_load_of_the_fullest")
def invalid_loads_and_owners_raise_value_error(case: Case, rows: Rows) -> Mismatch | None:
    """Require ValueError; valid loads are balanced."""
    return _wrong_balance(case, rows) if oracle.is_valid_load(case) else must_reject(_rebalance(case), rows)


AFTER = {
    "no_single_move_lowers_the_load_of_the_fullest": "every_bucket_has_an_owner_that_exists",
}


CLAIMS = claims(
    ("bucket_of", "only_the_named_fields_decide_the_bucket", cases.named, _groups_share_buckets, 5),
    ("bucket_of", "equal_values_share_a_bucket", cases.equal, _groups_share_buckets, 5),
    ("balancer_for", "rows_that_must_meet_go_to_one_instance", cases.keyed, _same_plans, 5),
    ("balancer_for", "stateless_operators_get_rows_in_turns", cases.stateless, _same_plans, 9),
    ("balancer_for", "a_join_without_equal_fields_broadcasts_one_input", cases.any_pair, _same_plans, 4),
    ("rebalance", "every_bucket_has_an_owner_that_exists", cases.loads, _wrong_owners, 5),
    ("rebalance", "no_single_move_lowers_the_load_of_the_fullest", cases.loads, _wrong_balance, 10),
    after=AFTER,
)
