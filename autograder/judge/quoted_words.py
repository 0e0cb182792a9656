"""Finds the words of a sentence that an answer may have put there."""

import json
import re
from typing import Any

WORD = re.compile(r"\w+…?")
_ESCAPE = re.compile(r"\\(?:u[0-9a-f]{4}|.)")


def words_from(answer: Any, sentence: str) -> frozenset[str]:
    """Return the words of a sentence that may come from an answer: those that it has, and those that were cut.

    Example: words_from({"n": "secret"}, "Expected 3; yours is secret.") -> {"secret"}
    """
    text = json.dumps(answer, ensure_ascii=False)
    known = {*WORD.findall(text), *WORD.findall(_ESCAPE.sub(" ", text))}
    return frozenset(word for word in WORD.findall(sentence) if word in known or word.endswith("…"))
