"""Texts are read where they are; the few that mention the name come to the driver, which adds them up."""

import re
from collections import Counter
from statistics import fmean


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
