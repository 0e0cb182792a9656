"""Wrong versions of `cell_counts` and `SparkScaler`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

COUNTED = "each_image_has_one_row_with_its_cells"
UNREADABLE = "an_unreadable_image_costs_one_row"
NO_JOB = "calling_cell_counts_starts_no_job"
REQUESTED = "executors_are_requested_as_the_predictor_says"
RETIRED = "only_idle_executors_are_retired_and_only_while_no_task_waits"
MAXIMUM = "never_more_executors_than_the_maximum"
CLUSTER = "executors_of_a_real_cluster_follow_the_scaler"

reference("cell_counts")

mutant("areas_summed", [COUNTED, UNREADABLE], ("sum(areas) / len(areas) if areas", "sum(areas) if areas"))
mutant(
    "collects",
    NO_JOB,
    (
        '    found = pictures.select(image, features("content")',
        "    if not pictures.isStreaming:\n        pictures.sparkSession.range(1, numPartitions=1).collect()\n"
        '    found = pictures.select(image, features("content")',
    ),
)

reference("SparkScaler")

mutant("coming_is_forgotten", [REQUESTED, RETIRED], ("waiting, total - stay)", "waiting, 0)"))
mutant("seen_at_0_s_is_never_seen", RETIRED, ("each.id not in self._busy_s:", "not self._busy_s.get(each.id):"))
mutant("retired_by_name", RETIRED, ("for each in executors if waiting", "for each in sorted(executors) if waiting"))
mutant(
    "nobody_is_retired",
    [RETIRED, CLUSTER, MAXIMUM],
    (
        "        retire = [name for name in idle if now_s - self._busy_s[name] >= self._idle_s]",
        "        retire = list[str]()",
    ),
)

survivor("SparkScaler", "self._total = 0", "self._total = -1", reason="equivalent: the executors there are 0 or more")
survivor(
    "SparkScaler",
    "stay = len(executors) - len(retire)",
    "stay = len(executors) >> len(retire)",
    reason="equivalent: nothing is requested while no task waits, and nobody retires while one does",
)
survivor(
    "SparkScaler",
    "idle = [each.id for each in executors if waiting == 0 and each.tasks == 0]",
    "idle = [each.id for each in executors if waiting <= 0 and each.tasks == 0]",
    reason="equivalent: a number of tasks is 0 or more",
)
survivor(
    "SparkScaler",
    "idle = [each.id for each in executors if waiting == 0 and each.tasks == 0]",
    "idle = [each.id for each in executors if waiting == 0 and each.tasks <= 0]",
    reason="equivalent: a number of tasks is 0 or more",
)
