"""Wrong versions of `Autoscaler`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

NEED = "instances_follow_load_and_lag"
QUIET = "it_scales_down_after_a_quiet_time"
WORKERS = "whole_workers_become_free"
LOST = "lost_instances_are_replaced"
DAY = "the_virtual_day_meets_its_levels"
PEAK = "your_own_lab_2_remembers_the_peak"
FIT = "your_own_lab_7_packs_the_instances"
MACHINE = "your_own_lab_5_moves_a_dead_machines_workers"
WAIT = "your_own_lab_1_says_how_long_sources_wait"
ALL = [NEED, QUIET, WORKERS, LOST, DAY, PEAK, FIT, MACHINE, WAIT]

reference("Autoscaler")

mutant("no_reserve", ALL, ("max(steady, drain)", "drain"))
mutant(
    "floats",
    NEED,
    (
        "-(-100 * offered_per_s // (rules.busy_percent * per_instance_per_s))",
        "math.ceil(offered_per_s / (rules.busy_percent / 100 * per_instance_per_s))",
    ),
)
mutant("at_least_one", NEED, ("max(rules.least, min", "max(rules.least or 1, min"))
mutant("stops_the_oldest", [WORKERS, LOST, DAY, FIT, MACHINE], ("last = max(", "last = min("))
mutant(
    "stops_a_name_twice",
    LOST,
    ("in self._where.keys() & set(gone):", "in [each for each in gone if each in self._where]:"),
)
mutant("counts_workers_with_instances", [LOST], ("self._fit.used)", "len(set(self._where.values())))"))

survivor(
    "Autoscaler",
    "while len(self._where) < wanted:",
    "while len(self._where) != wanted:",
    reason="equivalent: the loop before it has stopped all that are too many",
)
