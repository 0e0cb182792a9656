"""Experiments of Lab 9 in virtual seconds: each takes the policies, shows a plot and prints its numbers as a table."""

from streamlab.lab09_system.experiments.fairness import hot_key
from streamlab.lab09_system.experiments.one_less import policy_less
from streamlab.lab09_system.experiments.p99_that_lied import the_p99_that_lied
from streamlab.lab09_system.experiments.timeline import ten_faults

__all__ = ["hot_key", "policy_less", "ten_faults", "the_p99_that_lied"]
