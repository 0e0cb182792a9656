"""The parts of the complete system in the order of the data flow, and the tasks that each of them runs.

A task is written as "LAB/TASK". Boxes without tasks are given. Who wrote the part that runs is an owner: YOURS if the
learner's own task passes its checks, REFERENCE if the kit's solution takes its place, NOT_YET if nothing does.
"""

from typing import Literal, NamedTuple

Owner = Literal["yours", "reference", "not yet"]
YOURS: Owner = "yours"
REFERENCE: Owner = "reference"
NOT_YET: Owner = "not yet"

LAB = "lab09_system"


class Part(NamedTuple):
    """A box of the map. `inside` names the box that surrounds it."""

    box: str
    title: str
    tasks: tuple[str, ...] = ()
    inside: str = ""


PARTS = (
    Part("sources", "Phones, tills", ("lab01_wordcount/deliver",)),
    Part("connector", "Connector", (f"{LAB}/admit",)),
    Part("log", "Log", ("lab03_log/PartitionLog",)),
    Part("job", "Spark job", (f"{LAB}/alerts", f"{LAB}/start_job")),
    Part("route", "Route", (f"{LAB}/route", "lab08_geofencing/read_record"), "job"),
    Part("split", "Split", ("lab04_subqueries/bucket_of",), "job"),
    Part("desk", "Desk", (f"{LAB}/Desk", "lab04_subqueries/Aggregate", "lab08_geofencing/Watch"), "job"),
    Part("store", "Limits", ("lab06_enrichment/LruCache", f"{LAB}/GuardedStore")),
    Part("alerts", "Alerts", (f"{LAB}/AlertWriter", f"{LAB}/repair")),
    Part("dead", "Dead letters"),
    Part("leader", "Leader", (f"{LAB}/Supervisor",)),
    Part(
        "scaler",
        "Autoscaler",
        (
            f"{LAB}/Autoscaler",
            "lab02_windows/SlidingMax",
            "lab07_irm/FirstFit",
            "lab05_placement/heal",
            f"{LAB}/size",
        ),
    ),
    Part("levels", "Service levels", (f"{LAB}/service_levels", f"{LAB}/post_mortem")),
)
TASKS = tuple(task for part in PARTS for task in part.tasks)
# The tasks that decide in virtual time; the other parts are simulated there.
VIRTUAL_TASKS = (
    *(f"{LAB}/{name}" for name in ("admit", "Supervisor", "Autoscaler", "GuardedStore", "repair")),
    *(f"{LAB}/{name}" for name in ("service_levels", "post_mortem")),
    *("lab06_enrichment/LruCache", "lab05_placement/heal", "lab01_wordcount/deliver"),
    *("lab02_windows/SlidingMax", "lab07_irm/FirstFit"),  # the Autoscaler calls them
)
# The tasks that run live; the neighbours of a task that runs come with it.
LIVE_TASKS = (
    *(f"{LAB}/{name}" for name in ("route", "Desk", "alerts", "start_job", "AlertWriter", "GuardedStore", "repair")),
    *(f"{LAB}/{name}" for name in ("Supervisor", "service_levels", "post_mortem")),
    *("lab08_geofencing/read_record", "lab08_geofencing/Watch", "lab06_enrichment/LruCache"),
    *("lab04_subqueries/bucket_of", "lab04_subqueries/Aggregate"),
)

CALLS = {f"{LAB}/Autoscaler": ("lab02_windows/SlidingMax", "lab07_irm/FirstFit")}  # of the virtual tasks
# Tasks of earlier labs whose names the cells of Lab 9 mention.
CALLED = {
    "SlidingMax": "lab02_windows",
    "Aggregate": "lab04_subqueries",
    "bucket_of": "lab04_subqueries",
    "FirstFit": "lab07_irm",
    "Watch": "lab08_geofencing",
    "read_record": "lab08_geofencing",
}


def lab_number(task: str) -> int:
    """Return the number of a task's lab.

    Example: lab_number("lab03_log/PartitionLog") -> 3
    """
    return int(task[3:5])


def name_of(task: str) -> str:
    """Return a task's name without its lab.

    Example: name_of("lab03_log/PartitionLog") -> "PartitionLog"
    """
    return task.partition("/")[2]
