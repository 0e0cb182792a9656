"""Wrong versions of `start_job`. All checks judge the small job first, so none of these pays for a day."""

from autograder.checks.mutant_markers import mutant, reference

ALL = [
    "no_alert_is_lost_and_none_comes_twice",
    "the_sum_of_every_window_is_right",
    "every_dead_letter_is_written_once",
    "the_lag_is_zero_after_each_fault",
    "undecided_windows_are_decided_later",
]

reference("start_job")

mutant(
    "an_error_of_the_writer_is_swallowed",
    ALL,
    (
        "writer.write(number, batch.collect())",
        "try:\n            writer.write(number, batch.collect())\n        except RuntimeError:\n            pass",
    ),
)
