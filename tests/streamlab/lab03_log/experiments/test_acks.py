"""`./lab experiment acks`: a leader of three brokers is killed, and lost records are counted."""

import hashlib
from collections import Counter
from typing import Any

import pytest

from streamlab.lab03_log.experiments import acks
from streamlab.lab03_log.experiments.acks import AcksRun, acks_table, draw_acks, recorded_acks
from streamlab.lab03_log.experiments.three_brokers import three_brokers
from streamlab.services.process import ServiceError

RUN = AcksRun("1", sent=5, acknowledged=4, lost=3, repeated=1, lost_at=[[-0.2, 1], [0.0, 2]])


def test_a_record_is_lost_if_it_was_acknowledged_and_is_not_left() -> None:
    acknowledged_s = {0: 9.0, 1: 9.85, 2: 10.02, 3: 10.05}

    assert acks._compared("1", 5, acknowledged_s, Counter([0, 0, 4]), killed_s=10.0) == RUN


def test_the_picture_and_the_table_name_what_each_acks_loses() -> None:
    assert "acks=1: 3 of 4" in draw_acks([RUN]).alt
    assert acks_table([RUN]).splitlines()[-1].split() == ["1", "4", "3", "1"]


def test_the_recorded_runs_lose_nothing_with_acks_all_and_have_the_checksum_of_their_page() -> None:
    runs = recorded_acks()

    assert [run.acks for run in runs] == ["0", "1", "all"]
    assert [run.lost > 0 for run in runs] == [True, True, False]
    assert all(sum(count for _, count in run.lost_at) == run.lost for run in runs)
    page = acks.RECORDED.with_name("README.md").read_text(encoding="utf-8")
    assert hashlib.sha256(acks.RECORDED.read_bytes()).hexdigest() in page


def test_too_little_memory_is_reported_with_the_number_before_anything_starts() -> None:
    with pytest.raises(ServiceError, match="need 1000 MB of memory, and 640 MB are free"), three_brokers(640):
        pytest.fail("the brokers have started")


@pytest.mark.slow
@pytest.mark.alone
def test_a_killed_leader_loses_no_record_that_was_acknowledged_with_acks_all(monkeypatch: Any) -> None:
    monkeypatch.setattr(acks, "ACKS", ("all",))
    with three_brokers(free_mb=1000) as members:
        [run] = acks.measure(members)

    assert (run.acks, run.lost) == ("all", 0)
    assert run.acknowledged >= 2 * acks.BEFORE
