"""The checks of `SparkScaler` and of the bonus task `cell_counts`: decisions, a real cluster, rows and jobs."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, claim, same_items, same_value
from autograder.checks.compare import shown
from autograder.stages.lab07_irm.elastic_spark import cases, oracle

COLUMNS = [["image", "string"], ["cells", "int"], ["mean_area_px", "double"], ["error", "string"]]
LATEST = 4  # calls of a script that a sentence shows
PRECISION = 1e-6


def _counted(case: Case, rows: Rows) -> Mismatch | None:
    """Compare one row for each file: its name, its cells, their mean area, and an error if it is not an image."""
    expected = oracle.counts(case)
    if wrong := _without_areas(expected, rows):
        return wrong
    areas = {name: area for name, _, area, _ in expected}
    for image, _, area, _ in rows["rows"]:
        if wrong := same_value(areas[image], area, what=f"mean_area_px of {image}", tolerance=PRECISION):
            return wrong
    return None


def _without_areas(expected: list[list[Any]], rows: Rows) -> Mismatch | None:
    form = "a DataFrame (image: string, cells: int, mean_area_px: double, error: string)"
    if rows.get("columns") != COLUMNS:
        got = rows.get("returned", rows.get("columns"))
        return Mismatch(f"Expected {form}; yours is {shown(got)}.", form, got)
    got = rows.get("rows")
    if not isinstance(got, list) or any(not isinstance(row, list) or len(row) != 4 for row in got):
        return Mismatch(f"Expected {form}; yours has {shown(got)}.", form, got)
    want, have = ([[name, cells, error] for name, cells, _, error in each] for each in (expected, got))
    return same_items(want, have, what="rows (image, cells, error)")


@check("cell_counts", cases=cases.counted)
def calling_cell_counts_starts_no_job(case: Case, rows: Rows) -> Mismatch | None:
    """Check that the call describes rows with the right cells and starts nothing; other checks look at areas."""
    wrong = _without_areas(oracle.counts(case), rows)
    return wrong or same_value(0, rows.get("jobs"), what="the number of jobs that the call starts")


def _decided(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the decision of each call."""
    expected = oracle.decisions(case)
    call = f"SparkScaler(rules, idle_s={case['idle_s']}, most={case['most']})"
    got = rows.get("decisions")
    if not isinstance(got, list) or len(got) != len(expected):
        given = rows.get("returned", rows.get("text", got))
        return Mismatch(f"Expected a Decision from each call of {call}; yours gives {shown(given)}.", None, got)
    for at, (want, decision) in enumerate(zip(expected, got, strict=True)):
        calls = [(now_s, waiting, dict(executors)) for now_s, waiting, executors in case["calls"][: at + 1]][-LATEST:]
        history = ", ".join(f"{now_s} s: {waiting} waiting, tasks {shown(tasks)}" for now_s, waiting, tasks in calls)
        if wrong := same_value(want, decision, what=f"[total, retire] of {call} at the last call of ({history})"):
            return wrong
    return None


@check("SparkScaler", cases=cases.clusters, invariant=11, after="never_more_executors_than_the_maximum")
def executors_of_a_real_cluster_follow_the_scaler(case: Case, rows: Rows) -> Mismatch | None:
    """Check that executors come for a job, none is stopped while it works, and none is left."""
    job = f"a job of {case['tasks']} tasks of {case['task_s']} s"
    if wrong := same_value(case["tasks"], rows.get("done"), what=f"the number of tasks done of {job}"):
        return wrong
    most = rows.get("most")
    if type(most) is not int or not 2 <= most <= case["most"]:
        return Mismatch(
            f"Expected 2 to {case['most']} executors for {job}; yours has {shown(most)}.", case["most"], most
        )
    if wrong := same_value(0, rows.get("failed"), what=f"the number of failed tasks of {job}"):
        return wrong
    return same_value(0, rows.get("left"), what=f"the number of executors left 15 s after {job}")


AFTER = {
    "only_idle_executors_are_retired_and_only_while_no_task_waits": "executors_are_requested_as_the_predictor_says",
    "never_more_executors_than_the_maximum": "only_idle_executors_are_retired_and_only_while_no_task_waits",
    "an_unreadable_image_costs_one_row": "each_image_has_one_row_with_its_cells",
}


def _claims() -> list[Any]:
    scaler = [
        ("executors_are_requested_as_the_predictor_says", cases.requested, 9),
        ("only_idle_executors_are_retired_and_only_while_no_task_waits", cases.retired, 11),
        ("never_more_executors_than_the_maximum", cases.limited, 9),
    ]
    pictures = [
        ("each_image_has_one_row_with_its_cells", cases.counted),
        ("an_unreadable_image_costs_one_row", cases.unreadable),
    ]
    made = [claim("cell_counts", name, of, _counted, after=AFTER.get(name, ())) for name, of in pictures]
    return made + [
        claim("SparkScaler", name, of, _decided, invariant=cites, after=AFTER.get(name, ()))
        for name, of, cites in scaler
    ]


CLAIMS = _claims()
