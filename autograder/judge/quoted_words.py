"""Finds the words of a sentence that an answer may have put there."""

import json
import re
from typing import Any

LONGEST_OF_JUDGE = 30  # a longer word is part of one that a check has cut
WORD = re.compile(r"\w+…?")
_ESCAPE = re.compile(r"\\(?:u[0-9a-f]{4}|.)")


def words_from(answer: Any, sentence: str) -> frozenset[str]:
    """Return the words of a sentence that may come from an answer: those that it has, that were cut, or that are long.

    Example: words_from({"n": "secret"}, "Expected 3; yours is secret.") -> {"secret"}
    """
    text = json.dumps(answer, ensure_ascii=False)
    known = {*WORD.findall(text), *WORD.findall(_ESCAPE.sub(" ", text))}
    found = WORD.findall(sentence)
    return frozenset(each for each in found if each in known or each.endswith("…") or len(each) > LONGEST_OF_JUDGE)
