"""Seeded cases of `word_counts`, `local_master`, `on_word` and `standing_counts`, smallest first.

Texts are short lower-case words with single spaces, which the stub for `words` finds; only the last file has more.
"""

from autograder.checks import Case
from autograder.checks.seeds import VOCABULARY, random_for
from autograder.stages.lab01_wordcount.counting.cases import short_lines
from autograder.stages.lab01_wordcount.counting.drive import LONGEST_WORD

MANY_LINES = 3000


def batches(seed: str) -> list[Case]:
    """Return batches of a queue: one with an empty line, one without lines, and the first one again."""
    rng = random_for(seed, "batches")
    first = ["to be or not to be", "", *short_lines(rng, 4, 6)]
    return [{"batches": [first, [], first]}]


def over_a_socket(seed: str) -> list[Case]:
    """Return a small part and a large one; the server sends the second after an empty batch."""
    rng = random_for(seed, "socket")
    small = ["to be or not", *short_lines(rng, 5, 6)]
    return [{"parts": [small, short_lines(rng, MANY_LINES, 12)]}]


def files(seed: str) -> list[Case]:
    """Return three files that arrive one by one; the last one has upper case, punctuation and an empty line."""
    rng = random_for(seed, "files")
    plain = [["to be or not to be", "to be"], ["not to be", *short_lines(rng, 3, 6)]]
    short = [word for word in VOCABULARY if len(word) <= LONGEST_WORD]
    odd = ["To Be, or not.", "", f"{rng.choice(short).upper()}, {rng.choice(short).title()}."]
    return [{"files": [*plain, odd]}]


def machines(seed: str) -> list[Case]:
    """Return valid numbers of receivers and workers."""
    rng = random_for(seed, "machines")
    small = [(1, 1), (1, 2), (2, 1), (0, 1), (3, 2)]
    more = sorted((rng.randint(0, 9), rng.randint(1, 16)) for _ in range(10))
    return [_machine(*each) for each in [*small, *more, (100, 100)]]


def impossible_machines(seed: str) -> list[Case]:
    """Return numbers of receivers below 0 or workers below 1, then the smallest valid numbers."""
    rng = random_for(seed, "impossible machines")
    small = [(-1, 1), (1, 0), (1, -1), (0, 0), (-1, 2)]
    more = [(-rng.randint(1, 9), rng.randint(1, 9)), (rng.randint(0, 9), -rng.randint(0, 9))]
    return [_machine(*each) for each in [*small, *more, (0, 1)]]


def _machine(receivers: int, workers: int) -> Case:
    return {"receivers": receivers, "workers": workers}


def one_state(seed: str) -> list[Case]:
    """Return words to count with one new state. No two cases share a word, so cases are independent."""
    rng = random_for(seed, "one state")
    cases = []
    for number, count in enumerate([1, 2, 5, 12, 40]):
        own = [f"{word}{number}" for word in rng.sample(VOCABULARY, 6)]
        words = own[:1] * count if count < 3 else rng.choices(own, k=count)
        cases.append({"states": [{}], "events": [[0, word] for word in words]})
    return cases


def given_states(seed: str) -> list[Case]:
    """Return words for states that already hold counts, except the first one."""
    rng = random_for(seed, "given states")
    counts = {"seldom": 1, "often": rng.randint(2, 99)}
    return [
        {"states": [{}], "events": [[0, "new"]]},
        {"states": [{"held": 1}], "events": [[0, "held"]]},
        {"states": [counts], "events": [[0, word] for word in ["often", "never", "often", "never"]]},
    ]


def several_states(seed: str) -> list[Case]:
    """Return events for two or three states, some of which see the same words."""
    rng = random_for(seed, "several states")
    cases: list[Case] = [{"states": [{}, {}], "events": [[0, "both"], [1, "both"]]}]
    for number, count in enumerate([4, 10, 30]):
        own = [f"{word}-{number}" for word in rng.sample(VOCABULARY, 4)]
        first = [[state, own[0]] for state in (0, 1, 0)]
        more = [[rng.randrange(3), rng.choice(own)] for _ in range(count)]
        cases.append({"states": [{}, {}, {}], "events": [*first, *more]})
    return cases
