"""What is claimed of each task of Lab 3, one claim a check. Points are in course.yml.

The claims stand in a module for each group of tasks; a stage's checks and throughput checks are what this module holds.
Keeps out: points (course.yml), cases and oracles.
"""

from autograder.checks import Check, ThroughputCheck
from autograder.stages.lab03_log import (
    checks_delivery,
    checks_log,
    checks_partitions,
    checks_rates,
    checks_services,
    checks_streams,
)

globals().update(
    (claim.name, claim)
    for module in (checks_log, checks_partitions, checks_delivery, checks_services, checks_streams, checks_rates)
    for claim in vars(module).values()
    if isinstance(claim, Check | ThroughputCheck)
)
