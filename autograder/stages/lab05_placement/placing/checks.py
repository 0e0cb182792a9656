"""The checks of `place`."""

from collections import Counter
from collections.abc import Sequence
from statistics import mean
from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, throughput
from autograder.checks.compare import key_of, shown
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab05_placement.placing import comparators, workload
from autograder.stages.lab05_placement.search import cases, oracle

OVER_OPTIMUM, OVER_METIS = 1.03, 1.0
# The reference is as fast in 13 to 16 of 16 problems, with one start in 11 to 16; a start without traffic in 0 to 2.
TIMES, MOST = 1.5, 10
CHANGED = "<a placement, with an argument changed>"  # as the drive says
PARTS = {"first_placement": {"a": 0, "b": 1, "c": 2}, "best_move": {"a": 2, "c": 0}}  # right for the drive's probe


def _place(case: Case) -> str:
    where = case["machine"]
    some = shown(case["instances"], 80)
    return f"place({some}, …) on nodes {shown(where['nodes'])} with {shown(where['cores'])} cores"


def _first(rows: Rows) -> str:
    """Return the beginning of a sentence that names the part of `place` that is wrong by itself."""
    parts = rows.get("parts")
    found = parts if isinstance(parts, dict) else {}
    wrong = [name for name, right in PARTS.items() if name in found and found[name] != right]
    return f"First fix your {wrong[0]}, whose own check fails. " if wrong else ""


def wrong_placement(case: Case, got: Any) -> str | None:
    """Return the end of a sentence that says what is wrong with a placement's instances, nodes or cores, or None."""
    if not isinstance(got, dict):
        return f"gives {shown(got)}"
    if set(got) != set(case["instances"]):
        odd = sorted(set(got) ^ set(case["instances"]))[0]
        return f"has {'no' if odd in case['instances'] else 'a'} node for {shown(odd)}"
    cores = dict(zip(map(key_of, case["machine"]["nodes"]), case["machine"]["cores"], strict=True))
    for node, many in Counter(map(key_of, got.values())).items():
        room = cores.get(node)
        if room is None:
            return f"uses the node {node}, which the machine does not have"
        if many > room:
            return f"puts {many} instances on node {node}, which has {room} cores"
    return None


def _placements(case: Case, rows: Rows) -> Mismatch | list[dict[str, int]]:
    """Return the placement of each problem, or a mismatch for the first invalid one."""
    problems, found = case.get("problems", [case]), rows.get("placements")
    if wrong := must_answer(_place(problems[0]), "a placement", rows):
        return Mismatch(f"{_first(rows)}{wrong.sentence}", wrong.expected, wrong.got)
    got: list[Any] = found if isinstance(found, list) and len(found) == len(problems) else [found] * len(problems)
    for each, placement in zip(problems, got, strict=True):
        if placement == CHANGED:
            return Mismatch(f"Expected {_place(each)} to change no argument; yours changes one.", None, placement)
        if wrong_end := wrong_placement(each, placement):
            what = f"{_place(each)} to give each instance a node, with a core to itself"
            return Mismatch(f"{_first(rows)}Expected {what}; yours {wrong_end}.", None, placement)
    return got


def _wrong_alone(case: Case, rows: Rows) -> Mismatch | None:
    """Check that placements are valid and that instances that fit on one node are on one node."""
    room, prices = max(case["machine"]["cores"]), oracle.prices(case["machine"])
    found = _placements(case, rows)
    if isinstance(found, Mismatch):
        return found
    spread = comparators.total(found[0], case, prices) > 10 * sum(row[2] for row in case["traffic"])
    if len(case["instances"]) <= room and spread:
        what = f"{_place(case)} to keep instances that fit on one node together"
        return Mismatch(f"{_first(rows)}Expected {what}; yours is {shown(found[0])}.", None, found[0])
    return None


def _not_settled(case: Case, rows: Rows) -> Mismatch | None:
    """Check that no single step would make a placement cheaper."""
    problems = case.get("problems", [case])
    every = [oracle.prices(each["machine"]) for each in problems]
    found = _placements(case, rows)
    if isinstance(found, Mismatch):
        return found
    for each, placement, prices in zip(problems, found, every, strict=True):
        if step := comparators.helpful_step(placement, each, prices):
            what = f"no single move or swap to make {_place(each)} cheaper"
            saves = f"{step[0]} saves {100 * step[1] / comparators.total(placement, each, prices):.2g} %"
            return Mismatch(f"{_first(rows)}Expected {what}; in yours, {saves} of the cost.", None, placement)
    return None


def _too_expensive(
    case: Case, rows: Rows, known: Sequence[tuple[comparators.Prices, float]], most: float, what: str, digits: int
) -> Mismatch | None:
    """Check that placements cost at most `most` times the known costs of their problems, on average."""
    found = _placements(case, rows)
    if isinstance(found, Mismatch):
        return found
    pairs = zip(case["problems"], found, known, strict=True)
    ratio = mean(comparators.total(placement, each, prices) / cost for each, placement, (prices, cost) in pairs)
    if ratio <= most:
        return None
    return Mismatch(f"{_first(rows)}Expected {what}; yours cost {ratio:.{digits}f} times.", most, ratio)


@check("place", cases=cases.together, invariant=2)
def each_instance_has_a_core_to_itself(case: Case, rows: Rows) -> Mismatch | None:
    """Check also that instances that fit on one node share it."""
    return _wrong_alone(case, rows)


@check("place", cases=cases.searched, invariant=3, after="each_instance_has_a_core_to_itself")
def no_move_and_no_swap_would_be_cheaper(case: Case, rows: Rows) -> Mismatch | None:
    """Check that no step saves more than a millionth of the cost."""
    return _not_settled(case, rows)


@check("place", cases=cases.small_ones, invariant=3, after="no_move_and_no_swap_would_be_cheaper")
def small_placements_are_within_3_percent_of_the_optimum(case: Case, rows: Rows) -> Mismatch | None:
    """Check the mean over all problems; the optimum is exact."""
    right = [(oracle.prices(each["machine"]), oracle.optimum(each)) for each in case["problems"]]
    what = f"{len(right)} small placements to cost at most {OVER_OPTIMUM:.2f} times the optimum on average"
    return _too_expensive(case, rows, right, OVER_OPTIMUM, what, digits=3)


@check("place", cases=cases.large_ones, invariant=3, after="no_move_and_no_swap_would_be_cheaper")
def large_placements_keep_up_with_a_graph_partitioner(case: Case, rows: Rows) -> Mismatch | None:
    """Compare settled placements with METIS, whose parts are then swapped between nodes; check the mean of two."""
    theirs = [(oracle.prices(each["machine"]), oracle.metis_cost(each)) for each in case["problems"]]
    what = f"70 instances on 12 nodes to cost at most {OVER_METIS:.2f} times as much as METIS's placement on average"
    return _not_settled(case, rows) or _too_expensive(case, rows, theirs, OVER_METIS, what, digits=2)


@check("place", cases=cases.modelled, invariant=9, after="no_move_and_no_swap_would_be_cheaper")
def in_the_model_it_is_faster_than_round_robin(case: Case, rows: Rows) -> Mismatch | None:
    """Compute the throughput of settled placements, given tuples per source event, and of round robin."""
    problems = case["problems"]
    every = [(oracle.prices(each["machine"]), oracle.readable(each, TIMES)) for each in problems]
    found = _placements(case, rows)
    if isinstance(found, Mismatch):
        return found
    if wrong := _not_settled(case, rows):
        return wrong
    answers = zip(problems, found, every, strict=True)
    fast = sum(comparators.reads_at_most(placement, each, *known) for each, placement, known in answers)
    if fast >= MOST:
        return None
    what = (
        f"at least {MOST} of {len(problems)} placements to have {TIMES:g} times the modelled throughput of round robin"
    )
    return Mismatch(f"{_first(rows)}Expected {what}; of yours, {fast} do.", MOST, fast)


@check("place", cases=cases.repeated, after="no_move_and_no_swap_would_be_cheaper")
def the_same_input_gives_the_same_placement(case: Case, rows: Rows) -> Mismatch | None:
    """Check this in the same process and in another one, for a placement that no step improves."""
    if wrong := _not_settled(case, rows):
        return wrong
    first = rows["placements"][0]
    for name, same, where in ("again", first, "a second time"), ("elsewhere", [first], "in another process"):
        other = rows.get(name)
        if other != same:
            what = f"{_place(case)} to be the same {where}"
            return Mismatch(f"Expected {what}; yours is another placement.", same, other)
    return None


@check("place", cases=cases.too_many, invariant=8, after="no_move_and_no_swap_would_be_cheaper")
def more_instances_than_cores_raise_value_error(case: Case, rows: Rows) -> Mismatch | None:
    """Check also that as many instances as cores are placed."""
    if len(case["instances"]) > sum(case["machine"]["cores"]):
        return must_reject(_place(case), rows)
    return _not_settled(case, rows)


def _is_link(row: Any, senders: list[str], receivers: list[str]) -> bool:
    return isinstance(row, list) and len(row) == 3 and row[0] in senders and row[1] in receivers and type(row[2]) is int


@check(
    "place",
    cases=cases.routed,
    invariant=3,
    chain="lab04_subqueries/bucket_of",
    after="no_move_and_no_swap_would_be_cheaper",
)
def rows_routed_by_your_lab_4_are_placed_near(case: Case, rows: Rows) -> Mismatch | None:
    """Check that every routed byte counts as traffic, and that no step improves the placement of this traffic."""
    oracle.prices(case["machine"])  # computed before the rows are read
    traffic, sent = rows.get("traffic"), sum(workload.row_bytes(row) for _, row in case["rows"])
    receivers = [name for names in case["receivers"].values() for name in names]
    links = traffic if isinstance(traffic, list) else []
    if not all(_is_link(row, case["instances"], receivers) for row in links):
        return Mismatch(f"Expected bytes of rows from senders to {shown(receivers)}; yours are {shown(traffic)}.")
    if (came := sum(row[2] for row in links)) != sent:
        return Mismatch(f"Expected {sent} bytes to be routed; yours routes {came}.", sent, came)
    return _not_settled({**case, "traffic": links}, rows)


@throughput("place", workload=workload.workload, unit="instances")
def gains_are_faster_than_whole_costs(content: bytes, rows: Rows) -> Mismatch | None:
    """Check one turn: no step improves a placement, and the placements cost about as much as METIS's."""
    for each, got in zip(workload.problems(content), workload.placements(content, rows), strict=True):
        if end := wrong_placement(each, got):
            return Mismatch(f"Expected {_place(each)} to give each instance a core; yours {end}.", None, got)
        if step := comparators.helpful_step(got, each, workload.PRICES):
            return Mismatch(f"Expected no step to make {_place(each)} cheaper; in yours, {step[0]} does.", None, got)
    return workload.too_expensive(content, rows)
