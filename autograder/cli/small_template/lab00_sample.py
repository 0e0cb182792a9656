"""Source of Lab 0, with the reference solution. `./lab build` makes the student's notebook from it."""

# %% [markdown]
# # Lab 0 · Title of the lab
#
# {minutes} minutes, {points} points. Nothing needs to be running.
#
# ## Task 1 · `sample_hot_keys`
#
# A log gives each key to one partition. If a few keys have most of the records, then a few partitions have most of the
# work. Such a key is a **hot key**, and the first step is to find it.
#
# **The rule.** Return the pair (key, count) of each key that occurs at least `at_least` times, in any order.
#
# - Every string is a key, including the empty one.
# - An empty list has no hot keys.

# %% role="given" name="setup"
from collections import Counter

from streamlab import check


# %% task="sample_hot_keys" todo="count all keys, keep those that reach the threshold"
def sample_hot_keys(keys: list[str], at_least: int) -> list[tuple[str, int]]:
    """Return a pair (key, count) for each key that occurs at least `at_least` times.

    Raises ValueError if `at_least` is below 1.
    Example: sample_hot_keys(["a", "b", "a"], at_least=2) -> [("a", 2)]
    """
    ### BEGIN SOLUTION
    if at_least < 1:
        raise ValueError(f"at_least must be 1 or more, got {at_least}")
    return [(key, count) for key, count in Counter(keys).items() if count >= at_least]
    ### END SOLUTION


# %% check="sample_hot_keys"
check("sample_hot_keys")
