"""Instances as processes: a killed one changes no row, and a failure is reported and stops every process."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from streamlab.lab04_subqueries.engine import Map, Numbered, Query, centralized
from streamlab.lab04_subqueries.engine.process_run import RunFailed, run_in_processes
from streamlab.lab04_subqueries.page_visits import visits
from tests.streamlab.lab03_log.wire.a_log import SimpleLog

ROWS = {"visits": visits("processes", 400, rate_per_s=100, ips=9)}


def count_query() -> Query:
    query = Query("visits").add("pick", Map(lambda row: {"ip": row["ip"]}), ["visits"], ["picked"])
    return query.add("count", Numbered(["ip"], "count"), ["picked"], ["counts"])


def instances_left() -> list[psutil.Process]:
    children = psutil.Process().children(recursive=True)
    return [each for each in children if "streamlab.lab04_subqueries.engine.instance_process" in each.cmdline()]


@pytest.mark.usefixtures("students_folder")  # instances do not import its files
@pytest.mark.parametrize(("degrees", "kill"), [([2, 1], None), ([2, 1], (0, 1)), ([1, 1], (1, 0))])
def test_a_killed_instance_changes_no_row_and_its_repeated_results_are_counted(
    parts: Any, degrees: list[int], kill: Any
) -> None:
    run = run_in_processes(parts, count_query(), ROWS, degrees, SimpleLog, kill)

    assert run.results == centralized(count_query(), ROWS)
    assert run.repeated > 0 or kill != (1, 0)
    assert instances_left() == []


def test_a_full_log_is_reported(parts: Any) -> None:
    class Full(SimpleLog):
        def append(self, batch: bytes, records: int) -> int:
            raise OSError(28, "No space left on device")

    with pytest.raises(RunFailed, match=r"could not write to the log|No space left"):
        run_in_processes(parts, count_query(), ROWS, [1, 1], Full, patience_s=10)
    assert instances_left() == []


def test_a_log_that_does_not_open_is_reported(parts: Any) -> None:
    def closed(folder: Path) -> Any:
        raise PermissionError(13, "Permission denied")

    with pytest.raises(RunFailed, match=r"^the log failed: PermissionError"):
        run_in_processes(parts, count_query(), ROWS, [1, 1], closed, patience_s=10)


def test_a_process_that_dies_at_its_start_is_reported(parts: Any) -> None:
    class Broken(parts.Inbox):  # type: ignore[misc]
        def take(self, message: Any) -> Any:
            raise KeyError("mine")

    broken = SimpleNamespace(split=parts.split, balancer=parts.balancer, Inbox=Broken)

    with pytest.raises(RunFailed, match=r"^instance SQ./0 ended early: KeyError: 'mine'$"):
        run_in_processes(broken, count_query(), ROWS, [1, 1], SimpleLog, patience_s=10)
    assert instances_left() == []
