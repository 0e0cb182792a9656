"""The right answers of HiBench's workloads, from the whole list of visits."""

from typing import Any

WINDOW_MS = 30_000
Visit = dict[str, Any]
Window = dict[str, Any]


def running_counts(visits: list[Visit]) -> list[dict[str, Any]]:
    """Return for each visit its word, the number of visits with this word up to it, and its time."""
    words = [visit["word"] for visit in visits]
    return [
        {"word": visit["word"], "count": words[: at + 1].count(visit["word"]), "t": visit["t"]}
        for at, visit in enumerate(visits)
    ]


def word_totals(visits: list[Visit]) -> dict[str, int]:
    """Return word -> number of visits."""
    words = [visit["word"] for visit in visits]
    return {word: words.count(word) for word in words}


def windows(visits: list[Visit]) -> list[Window]:
    """Return (ip, count, first, last, end) of each ip and window with visits; times are in ms."""
    found = []
    for ip in sorted({visit["ip"] for visit in visits}):
        times = sorted(visit["t"] for visit in visits if visit["ip"] == ip)
        for end in sorted({(t // WINDOW_MS + 1) * WINDOW_MS for t in times}):
            inside = [t for t in times if end - WINDOW_MS <= t < end]
            found.append({"ip": ip, "count": len(inside), "first": inside[0], "last": inside[-1], "end": end})
    return found
