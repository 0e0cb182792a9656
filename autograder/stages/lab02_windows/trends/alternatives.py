"""Other correct solutions of `hashtags`, `trending`, `mentions`; each must get full marks."""

import heapq
import re
from collections import Counter, defaultdict
from itertools import islice
from statistics import fmean

from autograder.checks.mutant_markers import alternative


# Reads the text once, from left to right.
@alternative("reads_on")
def hashtags(text):
    found, at, before = [], 0, " "

    def is_link(at):
        return text[at : at + 8].lower().startswith(("http://", "https://"))

    while at < len(text):
        if is_link(at):
            while at < len(text) and not text[at].isspace():
                at += 1
            before = " "
            continue
        opens = text[at] == "#" and not (before.isalnum() or before in "_&/#")
        end = at + 1
        while opens and end < len(text) and (text[end].isalnum() or text[end] == "_") and not is_link(end):
            end += 1
        tag = text[at + 1 : end] if opens else ""
        if any(map(str.isalpha, tag)):
            found.append(tag.casefold())
        before, at = text[end - 1], end
    return found


# The workers read the texts; the few that mention the name go to the driver, which adds them up.
@alternative("collected")
def mentions(texts, name, window_s, slide_s):
    known = {word for word in lexicon() if word.isalpha()} - {name.casefold()}

    def facts(text):
        words = re.findall(r"[^\W_]+", text.casefold())
        return [([word for word in words if word in known], mood(text))] if name.casefold() in words else []

    def row(batch):
        found = batch.flatMap(facts).collect()
        counts = Counter(word for words, _ in found for word in words)
        ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        mean = fmean(score for _, score in found) if found else 0.0
        return batch.context.parallelize([(len(found), ordered, mean)], 1)

    return texts.window(window_s, slide_s).transform(row)


# Takes the first k from a heap.
@alternative("heap")
def trending(counts, k):
    totals = defaultdict(int)
    for tag, count in counts:
        totals[tag] += count
    shown = [(-count, tag) for tag, count in totals.items() if count > 0]
    return [(tag, -less) for less, tag in heapq.nsmallest(k, shown)]


# Sorted by tag, then by count: the second sort keeps the order of the first.
@alternative("sorted_twice")
def trending(counts, k):
    totals = Counter()
    for tag, count in counts:
        totals[tag] += count
    by_tag = sorted((+totals).items())
    return list(islice(sorted(by_tag, key=lambda pair: pair[1], reverse=True), k))
