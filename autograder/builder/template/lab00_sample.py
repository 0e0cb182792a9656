"""Source of Lab 0, with the reference solutions. `./lab build` makes the student's notebook from it."""

# %% [markdown]
# # Lab 0 · Title of the lab
#
# ## 1 · What works after this lab
#
# | before | after |
# |---|---|
# | one partition is full and you do not know why | you know the keys that fill it, and how often each one occurs |
#
# ```text
#  keys ──▶ sample_hot_keys (task 1) ──▶ (key, count) of the hot ones ──▶ spread them (part 6)
# ```
#
# {minutes} minutes, {points} points. Nothing needs to be running.

# %% [markdown]
# ## 2 · The invariants
#
# These always hold. Tasks, checks and messages cite them by number.
#
# {invariants}
#
# ## 3 · Predict
#
# Ten records have the keys `a b a c a b a d a e`. Before you run anything, write down which keys are **hot**, that is,
# occur at least twice. Then cut the records into two halves of five, and do the same for each half. You will see the
# answer in part 7.

# %% role="given" name="setup"
from collections import Counter
from itertools import cycle
from zlib import crc32

from streamlab import bar_plot, check, table, zipf_lines

PARTITIONS = 4
LINES = zipf_lines("keys", lines=1000, words_per_line=10, vocabulary=5000)
KEYS = " ".join(LINES).split()

# %% [markdown]
# ## 4 · Tasks
#
# ### Task 1 · `sample_hot_keys`
#
# A log gives each key to one partition, so that the records of a key stay in order. If a few keys have most of the
# records, then a few partitions have most of the work. This is **skew**, and a key that causes it is a **hot key**.
# It occurs in every stream of payments, clicks or sensors: one shop, one page or one machine outgrows the others.
# The first step is to find the hot keys.
#
# **The rule.** Return the pair (key, count) of each key that occurs at least `at_least` times (invariant 1).
#
# - The order of the pairs is free, and each key has one pair.
# - Every string is a key, including the empty one. Keys that differ in case are different keys.
# - An empty list has no hot keys.
# - A threshold below 1 raises a `ValueError` with the invalid value in its message (invariant 2).

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

# %% role="show"
hot = sample_hot_keys(KEYS, at_least=len(KEYS) // 50)
records = sum(count for _, count in hot)
hot_keys = f"{len(hot)} of {len(set(KEYS)):,} keys are hot"
print(f"{hot_keys}: {records:,} of {len(KEYS):,} records")
print(table(sorted(hot, key=lambda pair: -pair[1]), ["hot key", "records"]))

# %% [markdown]
# Notice: very few keys have more than a third of all records.
#
# ```output
# 6 of 1,810 keys are hot: 3,693 of 10,000 records
# ```

# %% check="sample_hot_keys"
check("sample_hot_keys")

# %% [markdown]
# ## 5 · What the checks look at
#
# {checks}
#
# A check runs your function on inputs of many kinds and compares the results. It does not look at your code.
#
# ## 6 · Checkpoint
#
# The check passes. Now use the answer: give the records of hot keys to all partitions in turn, and leave the other keys
# where they are. Notice: the fullest partition gets smaller, and the order within a hot key is the price.

# %% role="show"
home = {key: crc32(key.encode()) % PARTITIONS for key in KEYS}
hot_names = {key for key, _ in sample_hot_keys(KEYS, len(KEYS) // 50)}
in_turn = cycle(range(PARTITIONS))
by_key = Counter(home[key] for key in KEYS)
spread = Counter(next(in_turn) if key in hot_names else home[key] for key in KEYS)

partitions = range(PARTITIONS)
rows = [(each, by_key[each], spread[each]) for each in partitions]
print(table(rows, ["partition", "by key (records)", "hot keys spread (records)"]))
bars = {f"partition {each}, by key": by_key[each] for each in partitions}
bars |= {f"partition {each}, spread": spread[each] for each in partitions}
in_words = ", ".join(f"{name} {count}" for name, count in bars.items())
alt_text = f"Bars, in records: {in_words}"
bar_plot(bars, x_label="records", title="Records of each partition", alt=alt_text)

# %% [markdown]
# ## 7 · Break it
#
# Invariant 1 counts *all of the input*. The next cell breaks it: it searches each half of the ten records of part 3
# separately, as two workers would if they did not communicate.

# %% role="show"
ten = list("abacabadae")
print("together:   ", sample_hot_keys(ten, 2))
for half in (ten[:5], ten[5:]):
    print("one half:   ", "".join(half), sample_hot_keys(half, 2))

# %% [markdown]
# ```output
# together:    [('a', 5), ('b', 2)]
# one half:    abaca [('a', 3)]
# one half:    badae [('a', 2)]
# ```
#
# Nothing failed, and `b` is missing. **How you would have noticed in production:** the list of hot keys changes with
# the number of workers. Add the counts of all workers first, and compare with the threshold last.
#
# ## 8 · Questions, and the next lab
#
# Say here what the next lab changes. One question is graded by hand.

# %% [markdown] written="sample_hot_key"
# **A hot key** ({points} points). A shop has a fifth of all orders, and its orders must be handled in the order in
# which they came. Why can you not spread its key over all partitions, and what would you do?
