"""The tasks of the complete system that run in its two forms. A task is written as "LAB/TASK".

Which part of the system a task belongs to, course.yml says.
"""

LAB = "lab09_system"

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
# The tasks that a page shows. Your log speaks Kafka's protocol in a check; a live system uses Kafka itself.
TASKS = tuple(dict.fromkeys((*LIVE_TASKS, *VIRTUAL_TASKS, f"{LAB}/size", "lab03_log/PartitionLog")))

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
LIVE_CALLED = {name: lab for name, lab in CALLED.items() if f"{lab}/{name}" in LIVE_TASKS}
