"""The groups of `push` are counted from the rows of Spark's state."""

from typing import Any

import pytest

from autograder.stages.lab08_geofencing.push import cases
from autograder.stages.lab08_geofencing.push.checks import each_shard_is_one_group


@pytest.mark.parametrize(("groups", "passes"), [(3, True), (12, False), (2, False), (None, False), ("3", False)])
def test_a_state_of_one_row_for_each_shard_passes(groups: Any, passes: bool) -> None:
    (case,) = cases.killed("any")

    wrong = each_shard_is_one_group.judge(case, {"events": [], "groups": groups})

    assert (wrong is None) is passes
