"""Wrong versions of pin, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

THREADS = "all_threads_of_the_process_are_pinned"
ANSWER = "pin_returns_the_cores_that_proc_reports"
UNAVAILABLE = "unavailable_cores_raise_value_error_and_change_nothing"

reference("pin")

mutant(
    "main_thread_only",
    [THREADS, UNAVAILABLE],
    ('new := set(os.listdir(f"/proc/{pid}/task")) - pinned', "new := {str(pid)} - pinned"),
)
mutant(
    "a_single_pass",
    THREADS,
    (
        '    while new := set(os.listdir(f"/proc/{pid}/task")) - pinned:',
        '    for new in [set(os.listdir(f"/proc/{pid}/task"))]:',
    ),
)
mutant("as_asked", ANSWER, ("return cpus(", "return list(cores) or cpus("))
mutant("left_to_the_kernel", UNAVAILABLE, ("if not cores or unavailable:", "if not cores:"))

survivor(
    "pin",
    "unavailable = set(cores) - os.sched_getaffinity(0)",
    "unavailable = set(cores) - os.sched_getaffinity( 1)",
    reason="equivalent here: the sandbox's first process may use the same cores",
)
survivor(
    "pin",
    'while new := set(os.listdir(f"/proc/{pid}/task")) - pinned:',
    'while new := set(os.listdir(f"/proc/{pid}/task")) ^ pinned:',
    reason="equivalent as long as no thread ends",
)
