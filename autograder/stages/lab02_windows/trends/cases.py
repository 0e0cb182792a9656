"""Seeded cases of `hashtags`, `trending` and `mentions`, smallest first.

Each function tests one rule: tags are lower case, ordered and different except in `tags_again`; counts differ, are
positive and occur once, unless a function says otherwise.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import VOCABULARY, random_for

TAGS = ["boston", "café", "flow", "go_sox", "harvard", "kafka", "lag", "node2", "spark", "stream", "über", "流处理"]
MANY = 20
KINDLY = ["great", "good", "love", "happy", "nice", "brilliant"]
UNKINDLY = ["bad", "sad", "terrible", "hate", "boring", "awful"]


# hashtags


def _texts(first: list[str], more: list[str]) -> list[Case]:
    return [{"text": text} for text in [*first, *sorted(more, key=len)]]


def _some(rng: random.Random, most: int = 4) -> list[str]:
    return sorted(rng.sample(TAGS, rng.randint(1, most)))


def runs(seed: str) -> list[Case]:
    """Return tags between words and punctuation; each ends where its run of characters ends."""
    rng = random_for(seed, "runs")
    first = ["", "#a", "a", "# a", "#", "#a!", "(#a)", "#a-b", "#a.b", "#a's", "'#a'", "@#a", "😀#a", "#a😀", "#a,#b"]
    marks = [" ", ", ", ". ", "! ", " - ", "\n", "… ", " 😀", ") ("]
    more = ["".join(f"#{tag}{rng.choice(marks)}" for tag in _some(rng)) for _ in range(MANY)]
    return _texts(first, more)


def urls(seed: str) -> list[Case]:
    """Return texts with a # inside a URL, which ends a tag and ends with the next white space, or in what is no URL."""
    rng = random_for(seed, "urls")
    plain = ["http://x.y/-#a", "https://x.y/#a #b", "HTTP://x.y/-#a", "see:https://x.y/?q=(#a)"]
    plain += ["#ahttp://x", "#ahttp:// #b", "www.x.y/-#a", "ftp://x.y/-#a"]
    first = [*plain, "http://x.y/-#a\n#b", "http://x.y/-#a\u00a0#b", "http:/-#a", "xhttp://y/-#a"]
    more = [
        f"#{tag} {rng.choice(['http://', 'https://', 'Https://'])}{tag}.org/{rng.choice(['', '?a=', '(', '-'])}#z"
        for tag in rng.choices(TAGS, k=MANY)
    ]
    return _texts(first, more)


def inside_words(seed: str) -> list[Case]:
    """Return texts with a # after a letter, a digit, an underscore, an ampersand, a slash or another #."""
    rng = random_for(seed, "inside words")
    first = ["a#b", "1#b", "_#b", "&#39;", "/#b", "##b", "#a#b", "é#b", "&#35;a", "&amp;#a", "it&#x27;s #a"]
    first += ["#a_#b", "###", "流#b"]
    glue = ["a", "7", "_", "&", "/", "#", "é", "ß"]
    more = [" ".join(f"{rng.choice(glue)}#z{tag} #{tag}" for tag in _some(rng, 2)) for _ in range(MANY)]
    return _texts(first, more)


def numbers(seed: str) -> list[Case]:
    """Return runs without a letter, and some with one."""
    rng = random_for(seed, "numbers")
    first = ["#1", "#_", "#1a", "#a1", "#2026", "#__1", "#_a", "#一", "#٣", "#²", "#Ⅷ", "#1_000", "#1st"]
    more = [f"#{rng.randint(0, 9999)} #{rng.randint(0, 99)}{tag}" for tag in rng.choices(TAGS, k=MANY)]
    return _texts(first, more)


def tags_again(seed: str) -> list[Case]:
    """Return tags in upper and lower case, with repeats, in an order that no sorting produces."""
    rng = random_for(seed, "tags again")
    first = ["#A", "#b #a", "#a #a", "#b #A #B", "#İstanbul", "#Straße #STRASSE", "#ÉTÉ", "#流处理 #Café"]
    more = []
    for _ in range(MANY):
        tags = rng.choices(TAGS, k=rng.randint(2, 6))
        more.append(" ".join(f"#{rng.choice([str.upper, str.title, str.lower])(tag)}" for tag in tags))
    return _texts(first, more)


# trending


def _board(counts: list[Any], k: int) -> Case:
    return {"counts": [list(pair) for pair in counts], "k": k}


def ranked(seed: str) -> list[Case]:
    """Return different counts, more and fewer than k of them."""
    rng = random_for(seed, "ranked")
    first = [_board([], 3), _board([("a", 1)], 1), _board([("a", 1), ("b", 2)], 1), _board([("a", 1), ("b", 2)], 0)]
    more = []
    for size in (3, 5, 8, 12):
        counts = list(zip(rng.sample(TAGS, size), rng.sample(range(1, 100), size), strict=True))
        more += [_board(counts, size // 2), _board(counts, size + 2)]
    return [*first, _board([("a", 2), ("b", 10)], 2), *more]


def ties(seed: str) -> list[Case]:
    """Return equal counts, some of them where the list is cut off, with code points from several planes."""
    rng = random_for(seed, "ties")
    first = [
        _board([("b", 1), ("a", 1)], 2),
        _board([("b", 1), ("a", 1)], 1),
        _board([("b", 2), ("c", 5), ("a", 2)], 2),
        _board([("é", 1), ("z", 1), ("Z", 1)], 3),
        _board([("ａ", 1), ("😀", 1), ("ab", 1), ("a", 1)], 4),
    ]
    more = []
    for size in (5, 9, 12):
        tags = sorted(TAGS, reverse=True)[:size]
        more.append(_board([(tag, rng.randint(1, 2)) for tag in tags], rng.randint(2, size)))
    return [*first, *more]


def in_pieces(seed: str) -> list[Case]:
    """Return tags whose count is split over several pairs, in any order."""
    rng = random_for(seed, "in pieces")
    first = [_board([("a", 1), ("a", 1)], 1), _board([("a", 3), ("b", 2), ("b", 2)], 1)]
    more = []
    for size in (3, 6, 9):
        tags = rng.sample(TAGS, size)
        pairs = [(tag, 1) for rank, tag in enumerate(tags) for _ in range(2 * rank)] + [(tags[0], 1), (tags[1], 5)]
        rng.shuffle(pairs)
        more.append(_board(pairs, size))
    return [*first, *more]


def nothing_to_show(seed: str) -> list[Case]:
    """Return counts of zero or less, in one pair or as a sum."""
    rng = random_for(seed, "nothing to show")
    first = [_board([("a", 0)], 1), _board([("a", -1), ("b", 1)], 2), _board([("a", 1), ("a", -1), ("b", 2)], 3)]
    many = [(tag, number) for number, tag in enumerate(TAGS, -rng.randint(2, 9))]
    again = [("up", -1), ("up", rng.randint(50, 99)), ("down", 5), ("down", -5), ("b", 1)]
    return [*first, _board(again, 5), _board(many, len(many))]


# mentions: batches of texts. vaderSentiment decides what each word means, so a case holds whole sentences. Windows have
# 2 to 4 batches, as the drive's stub of `windowed_counts` needs.


def conversations(seed: str) -> list[Case]:
    """Return talks about a name: one great text and then silence, a name that is a describing word, a longer talk."""
    rng = random_for(seed, "conversations")
    short = [["Harvard is great"], ["so sad"], [], []]
    hope = [
        ["Hope is a gr8 and nice, NICE college", "I am hopeful and happy", "hopes are bad"],
        ["we at Hope love HOPE's terrible food", "all is awful"],
        ["no_hope but good"],
        [],
    ]
    longer = [[_sentence(rng) for _ in range(rng.randint(1, 3))] for _ in range(4)]
    return [_talk(short, "Harvard", 2, 1), _talk(hope, "Hope", 2, 2), _talk(longer, "Yale", 3, 1)]


def _talk(batches: list[list[str]], name: str, window: int, slide: int) -> Case:
    return {"name": name, "window_batches": window, "slide_batches": slide, "batches": batches}


def _sentence(rng: random.Random) -> str:
    """Return a sentence about Yale, about a place with a similar name, or about neither."""
    name = rng.choice(["Yale", "yale", "#Yale", "YALE's", "Yaleville", "somewhere"])
    word, other = rng.choice(KINDLY + UNKINDLY), rng.choice(KINDLY + UNKINDLY)
    return f"{name} is {word} and {other}, {rng.choice([word, 'not ' + other, rng.choice(VOCABULARY)])}!"
