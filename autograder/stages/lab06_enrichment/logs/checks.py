"""What is claimed of `classify_logs`: labels and scores, the rows, sessions and runs, and lines without a label."""

from autograder.checks import Case, Mismatch, Rows, check, same_items, same_sequence, same_value
from autograder.stages.lab06_enrichment.logs import cases, oracle
from autograder.stages.lab06_enrichment.logs.comparators import frames_of, same_label

TASK = "classify_logs"


@check(TASK, cases=cases.lines, invariant=12)
def labels_and_scores_are_those_of_the_model_of_the_service(case: Case, rows: Rows) -> Mismatch | None:
    """To 1e-5, by the id of the line."""
    return _same_labels(case, rows)


@check(TASK, cases=cases.unreadable, invariant=2)
def what_cannot_be_classified_has_no_label(case: Case, rows: Rows) -> Mismatch | None:
    """The lines around it have theirs."""
    return _same_labels(case, rows)


def _same_labels(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.labelled(case["batches"])
    frames = frames_of(rows, len(case["batches"]))
    if isinstance(frames, Mismatch):
        return frames
    lines = [line for batch in case["batches"] for line in batch]
    said = [each for batch in expected for each in batch]
    by_id = {str(row[0]): row for frame in frames for row in frame}
    for (name, *_), right in zip(lines, said, strict=True):
        if str(name) not in by_id:
            return Mismatch(f"Expected the line with id {name} among your rows; it is missing.", name)
        if wrong := same_label(right, by_id[str(name)]):
            return wrong
    return None


@check(TASK, cases=cases.lines, invariant=1)
def log_lines_come_out_as_they_came_in(case: Case, rows: Rows) -> Mismatch | None:
    """The same lines in the same batches, in their order."""
    frames = frames_of(rows, len(case["batches"]))
    if isinstance(frames, Mismatch):
        return frames
    for number, (batch, frame) in enumerate(zip(case["batches"], frames, strict=True), 1):
        if wrong := same_sequence(batch, [row[:3] for row in frame], what=f"the lines of batch {number}"):
            return wrong
    return _some_label(frames)


def _some_label(frames: list[list[list[object]]]) -> Mismatch | None:
    """Lines without any label are lines that nobody has classified."""
    rows = [row for frame in frames for row in frame]
    if not rows or any(row[3] is not None for row in rows):
        return None
    return Mismatch("Expected labels beside the lines; yours have none.")


@check(TASK, cases=cases.lines, invariant=9)
def a_model_has_one_session_and_a_batch_one_run(case: Case, rows: Rows) -> Mismatch | None:
    """With a place for each session."""
    runs = oracle.runs(case["batches"])
    opened = sorted({service for batch in runs for service, _ in batch})
    if wrong := same_items(opened, rows.get("opened"), what="the services whose session is opened"):
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
    """After each batch, no more sessions live than the cache keeps, and the one in use."""
    frames = frames_of(rows, len(case["batches"]))
    if isinstance(frames, Mismatch):
        return frames
    most, alive = case["places"] + 1, rows.get("alive")
    if not isinstance(alive, list) or not any(isinstance(each, int) and each > 0 for each in alive):
        return Mismatch(f"Expected sessions to be opened; yours are {alive}.", most, alive)
    if max(alive) <= most:
        return None
    what = f"Expected at most {most} sessions in memory with {case['places']} in the cache"
    return Mismatch(f"{what}; after some batch yours are {max(alive)}.", most, alive)
