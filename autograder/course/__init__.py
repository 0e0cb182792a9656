"""course.yml as objects: labs, tasks, checks with points, bars of races, limits."""

from autograder.course.load import CourseError, load_course
from autograder.course.model import Course, Lab, Limits, RaceRule, Task

__all__ = ["Course", "CourseError", "Lab", "Limits", "RaceRule", "Task", "load_course"]
