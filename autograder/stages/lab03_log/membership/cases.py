"""Seeded cases of `Membership`: members join in the order of "members", and a watcher sees it."""

from autograder.checks import Case
from autograder.checks.seeds import random_for


def gone(seed: str) -> list[Case]:
    """Return a member that is killed; its session ends some time later."""
    first, second = _two_names(seed, "gone")
    return [{"kind": "killed", "members": [first, second], "kill": first}]


def leaving(seed: str) -> list[Case]:
    """Return a member that leaves, once with a watcher whose function returns False."""
    first, second = _two_names(seed, "leaving")
    again = {"kind": "left", "members": [first, second], "leave": second, "notify_returns": False}
    return [{"kind": "left", "members": [second, "m", first], "leave": "m"}, again]


def names(seed: str) -> list[Case]:
    """Return a name held by the member's own session, by a session that stays, and by one that ends."""
    name, _ = _two_names(seed, "names")
    kinds = {"own_session": 1.0, "freed": 10.0, "same_name": 0.6}
    return [{"kind": kind, "members": [name], "timeout_s": timeout_s} for kind, timeout_s in kinds.items()]


def _two_names(seed: str, name: str) -> list[str]:
    """Return a name that sorts before "m" and one that sorts after it."""
    number = random_for(seed, name).randint(1, 99)
    return [f"a{number}", f"z{number}"]


def commits(seed: str) -> list[Case]:
    """Return offsets of some partitions, one of them committed twice; one partition has no offset."""
    rng = random_for(seed, "commits")
    twice = [[0, rng.randint(1, 9)], [2, rng.randint(10**9, 10**12)], [0, rng.randint(10, 99)]]
    return [{"kind": "offsets", "members": ["a"], "commits": twice, "partitions": [0, 1, 2]}]
