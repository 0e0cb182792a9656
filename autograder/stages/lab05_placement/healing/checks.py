"""The checks of `heal`: which instances stay, where the others go, and what happens without managers."""

from autograder.checks import Case, Mismatch, Rows, claims, same_value
from autograder.checks.compare import shown
from autograder.stages.lab05_placement.healing import cases, oracle


def _healed(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the whole placement, and check that the arguments stay unchanged."""
    arguments = ("nodes", "running", "managers", "busy")
    expected = oracle.healed(*[case[name] for name in (*arguments, "distance")])
    what = f"heal({', '.join(f'{name}={shown(case[name])}' for name in arguments)}, …)"
    if wrong := same_value(expected, rows.get("placed"), what=what):
        return wrong
    unchanged = rows.get("unchanged")
    if unchanged is True:
        return None
    return Mismatch(f"Expected {what} to leave its arguments unchanged; yours changes them.", True, unchanged)


STAYS = "running_instances_stay_and_only_wanted_ones_are_placed"
CLAIMS = claims(
    ("heal", STAYS, cases.kept, _healed, 4),
    ("heal", "lost_instances_go_to_the_least_busy_and_then_nearest_manager", cases.lost, _healed, None),
    ("heal", "without_managers_nothing_is_placed", cases.nobody, _healed, None),
    after={
        "lost_instances_go_to_the_least_busy_and_then_nearest_manager": STAYS,
        "without_managers_nothing_is_placed": STAYS,
    },
)
