"""Falsifies a value that is measured in the sandbox: the drive's function that counts Spark's jobs always returns 0."""

NAMED = "jobs_so_far"
TASKS = ["count_words"]
COSTS = ["count_words"]

from autograder.stages.lab01_wordcount.counting import drive

drive.jobs_so_far = lambda spark: 0
