"""Finds the words of a sentence that an answer may have put there."""

import json
import re
from typing import Any

LONGEST_OF_JUDGE = 30  # a longer word is part of one that a check has cut
WORD = re.compile(r"\w+…?|[^\w\s]{4,}")
_OWN_WORD = re.compile(rf"\w{{1,{LONGEST_OF_JUDGE}}}")  # not cut, not long, and no row of signs
_ESCAPE = re.compile(r"\\(?:u[0-9a-f]{4}|.)")


def words_from(answer: Any, sentence: str) -> frozenset[str]:
    """Return the words of a sentence that may come from an answer: those that it has, and those of no usual form.

    Example: words_from({"n": "secret"}, "Expected 3; yours is secret.") -> {"secret"}
    """
    text = json.dumps(answer, ensure_ascii=False)
    known = {*WORD.findall(text), *WORD.findall(_ESCAPE.sub(" ", text))}
    return frozenset(each for each in WORD.findall(sentence) if each in known or not _OWN_WORD.fullmatch(each))
