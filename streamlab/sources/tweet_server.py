"""`TweetServer`: the Twitter client of the slides, but for its source. It collects tweets, cleans and transmits them.

Slides: CS205, lecture C.3, https://harvard-iacs.github.io/2020-CS205/lectures/C3/
Keeps out: where tweets come from (`tweets`, `recorded_tweets`), how lines are played (`line_server`).
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from streamlab.sources.line_server import LineServer

LINE_BREAKS = re.compile(r"[\r\n]+")
HALF_PAIRS = re.compile("[\ud800-\udfff]")  # JSON can spell half of a surrogate pair, UTF-8 cannot hold it


class TweetServer(LineServer):
    """Play what `clean` makes of each tweet, to whoever connects, at `rate_per_s` lines sent a second.

    `clean` gets a line as it came and gives the text to transmit, or None for what is not to be sent: `tweet_text` of
    lab 2 is one. Without it, lines are sent as they are. A line break within a text becomes a blank, since one line is
    one tweet; a half surrogate pair becomes U+FFFD. `collected` and `discarded` count; the rest is LineServer's.
    Raises ValueError as LineServer does. What `clean` raises is raised again for whoever waits, with the line.

    Example:
        with TweetServer(tweets("demo", 600), rate_per_s=50, clean=tweet_text) as server:
            texts = ssc.socketTextStream(server.host, server.port)
    """

    def __init__(
        self,
        tweets: Iterable[str],
        rate_per_s: float | None = None,
        clean: Callable[[str], str | None] | None = None,
        **how: Any,
    ) -> None:
        if isinstance(tweets, str):
            raise ValueError("tweets is one string; pass lines: recorded_tweets(path), or tweets(seed, count)")
        if how.get("loop"):
            raise ValueError("loop is not for tweets: the same tweets would come again as if they were new")
        self.collected = 0
        self.discarded = 0
        super().__init__(self._cleaned(tweets, clean), rate_per_s, **how)

    def _cleaned(self, tweets: Iterable[str], clean: Callable[[str], str | None] | None) -> Iterator[str]:
        for line in tweets:
            self.collected += 1
            text = _called(clean, line) if clean else line
            if text is None:
                self.discarded += 1
            else:
                yield _one_line(text)


def _called(clean: Callable[[str], str | None], line: str) -> str | None:
    name = getattr(clean, "__name__", "clean")
    try:
        text = clean(line)
    except Exception as problem:
        problem.add_note(f"raised by {name} for the line {line!r:.200}")
        raise
    if text is not None and not isinstance(text, str):
        raise ValueError(f"{name} must give a text or None, got {text!r:.60} for the line {line!r:.200}")
    return text


def _one_line(text: str) -> str:
    """The text without line breaks. What is no text is left to LineServer, which refuses it."""
    return HALF_PAIRS.sub("\ufffd", LINE_BREAKS.sub(" ", text)) if isinstance(text, str) else text
