"""The checks of `classify_logs`: labels and scores, rows, sessions and runs, and lines without a label."""

from autograder.checks import Case, Mismatch, Rows, check, same_items, same_sequence, same_value
from autograder.stages.lab06_enrichment.logs import cases, oracle
from autograder.stages.lab06_enrichment.logs.comparators import frames_of, same_label

TASK = "classify_logs"


@check(TASK, cases=cases.lines, invariant=12)
def labels_and_scores_are_those_of_the_model_of_the_service(case: Case, rows: Rows) -> Mismatch | None:
    """Compare scores to within 1e-5, by the id of the line."""
    return _same_labels(case, rows)


@check(TASK, cases=cases.unreadable, invariant=2, after="labels_and_scores_are_those_of_the_model_of_the_service")
def what_cannot_be_classified_has_no_label(case: Case, rows: Rows) -> Mismatch | None:
    """Check also that the lines around it have their labels."""
    return _same_labels(case, rows)


def _same_labels(case: Case, rows: Rows) -> Mismatch | None:
    new, like = case.get("new", ["", ""])
    with_models = [
        [[name, like if new and each == new else each, text] for name, each, text in b] for b in case["batches"]
    ]
    expected = oracle.labelled(with_models)
    frames = frames_of(rows, len(case["batches"]))
    if isinstance(frames, Mismatch):
        return frames
    lines = [line for batch in case["batches"] for line in batch]
    labels = [each for batch in expected for each in batch]
    by_id = {str(row[0]): row for frame in frames for row in frame}
    for (name, *_), right in zip(lines, labels, strict=True):
        if str(name) not in by_id:
            return Mismatch(f"Expected the line with id {name} among your rows; it is missing.", name)
        wrong = same_label(right, by_id[str(name)])
        if wrong and new:
            before = f"An earlier call had an open_session without a model of {new}; that of this call has one."
            return Mismatch(f"{wrong.sentence} {before}", wrong.expected, wrong.got)
        if wrong:
            return wrong
    return None


@check(TASK, cases=cases.lines, invariant=1)
def log_lines_come_out_as_they_came_in(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the lines, their batches and their order."""
    frames = frames_of(rows, len(case["batches"]))
    if isinstance(frames, Mismatch):
        return frames
    for number, (batch, frame) in enumerate(zip(case["batches"], frames, strict=True), 1):
        if wrong := same_sequence(batch, [row[:3] for row in frame], what=f"the lines of batch {number}"):
            return wrong
    return _some_label(frames)


def _some_label(frames: list[list[list[object]]]) -> Mismatch | None:
    """Check that at least one line has a label; otherwise nothing has been classified."""
    rows = [row for frame in frames for row in frame]
    if not rows or any(row[3] is not None for row in rows):
        return None
    return Mismatch("Expected a label for at least one line; yours have none.")


@check(TASK, cases=cases.lines, invariant=9, after="labels_and_scores_are_those_of_the_model_of_the_service")
def a_model_has_one_session_and_a_batch_one_run(case: Case, rows: Rows) -> Mismatch | None:
    """Check this with a cache that has room for every session; each service needs one run per batch."""
    runs = oracle.runs(case["batches"])
    opened = sorted({service for batch in runs for service, _ in batch})
    if wrong := same_items(opened, rows.get("opened"), what="the services for which a session is opened"):
        return wrong
    got = rows.get("runs")
    if not isinstance(got, list) or len(got) != len(runs):
        return same_value(runs, got, what="the runs (service, lines) of each batch")
    for number, (expected, own) in enumerate(zip(runs, got, strict=True), 1):
        if wrong := same_items(expected, own, what=f"runs (service, lines) of batch {number}"):
            return wrong
    return None


@check(TASK, cases=cases.kept, invariant=9)
def an_evicted_session_is_released(case: Case, rows: Rows) -> Mismatch | None:
    """Check after each batch that only the cached sessions and the one in use are alive."""
    frames = frames_of(rows, len(case["batches"]))
    if isinstance(frames, Mismatch):
        return frames
    most, alive = case["places"] + 1, rows.get("alive")
    if not isinstance(alive, list) or not any(isinstance(each, int) and each > 0 for each in alive):
        return Mismatch(f"Expected sessions to be alive after a batch; the numbers of yours are {alive}.", most, alive)
    if max(alive) <= most:
        return None
    what = f"Expected at most {most} sessions in memory with {case['places']} in the cache"
    return Mismatch(f"{what}; yours has {max(alive)} after one of the batches.", most, alive)
