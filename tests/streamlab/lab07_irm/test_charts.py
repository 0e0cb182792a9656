"""Tables of the experiments."""

from streamlab.lab07_irm.charts import first_engines
from streamlab.lab07_irm.clock import Run, Second


def test_first_engines_are_listed_for_workers_that_get_one() -> None:
    loads = [[0, 0, 0], [125, 0, 0], [250, 125, 0], [0, 125, 0]]
    run = Run([Second(now_s, 0, 0, 1, 1, load, load) for now_s, load in enumerate(loads)])

    assert first_engines(run) == [(0, 1, [125, 0, 0]), (1, 2, [250, 125, 0])]
    assert run.over_time("on") == [(0, 1), (1, 1), (2, 1), (3, 1)]
