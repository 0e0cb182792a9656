"""Holds course.yml as objects: labs, tasks, checks with points, thresholds of throughput checks, limits."""

from autograder.course.load import CourseError, load_course
from autograder.course.model import Course, Lab, Limits, Task, ThroughputRule

__all__ = ["Course", "CourseError", "Lab", "Limits", "Task", "ThroughputRule", "load_course"]
