"""The right answers of `local_master` and `on_word`, written from the definitions in the notebook."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence


def local_master(receivers: int, workers: int) -> str | None:
    """Return the master with a thread for each receiver and each worker; None for invalid numbers."""
    if receivers < 0 or workers < 1:
        return None
    return f"local[{receivers + workers}]"


def occurrences(states: Sequence[Mapping[str, int]], events: Iterable[tuple[int, str]]) -> list[tuple[str, int]]:
    """Return (word, how often its state has now seen the word) for each event (state, word).

    Example: occurrences([{"to": 1}, {}], [(0, "to"), (1, "to")]) -> [("to", 2), ("to", 1)]
    """
    seen = [Counter(state) for state in states]
    answers = []
    for number, word in events:
        seen[number][word] += 1
        answers.append((word, seen[number][word]))
    return answers
