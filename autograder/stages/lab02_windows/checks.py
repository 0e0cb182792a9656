"""What is claimed of each task of Lab 2, one claim a check. Points are in course.yml.

The claims stand in a module for each group of tasks; a stage's checks and throughput checks are what this module holds.
"""

from autograder.checks import Check, ThroughputCheck
from autograder.stages.lab02_windows import (
    checks_event_time,
    checks_sliding,
    checks_trends,
    checks_tweets,
    checks_windows,
)

globals().update(
    (claim.name, claim)
    for module in (checks_windows, checks_sliding, checks_tweets, checks_trends, checks_event_time)
    for claim in vars(module).values()
    if isinstance(claim, Check | ThroughputCheck)
)
