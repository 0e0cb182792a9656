"""Limits what results show of a submission's answers, which could carry anything that its sandbox holds.

A sandbox may hold cells of the reference (the fallback), and a student reads the results. So a verdict shows at most
500 bytes of an answer, five values of 100, and a submission 2,000, its notes included. Sentences come before the
comparisons of expected and actual values.
"""

from collections.abc import Sequence, Set
from dataclasses import replace

from autograder.checks.compare import SHOWN_CHARS
from autograder.checks.cut_texts import cut, size_of
from autograder.judge.evidence import GOT_CHARS
from autograder.judge.quoted_words import WORD
from autograder.judge.verdicts import Verdict

SUBMISSION_CHARS = 2000
FINDINGS_CHARS = 8 * SHOWN_CHARS
SENTENCE_CHARS = 5 * SHOWN_CHARS - GOT_CHARS
GOT_CHARS_MIN = 30  # less of an answer does not help


def first_findings(findings: Sequence[str]) -> list[str]:
    """Return the findings that have room in a report, and the number of the others."""
    shown, left = list[str](), FINDINGS_CHARS
    for each in findings:
        if (left := left - size_of(each)) < 0:
            return [*shown, f"… and {len(findings) - len(shown)} more findings."]
        shown.append(each)
    return shown


class Quota:
    """Counts what the texts of one submission show of its answers, and cuts a text where its share ends."""

    def __init__(self, notes: Sequence[str]) -> None:
        self._left = max(0, SUBMISSION_CHARS - sum(map(size_of, notes)))

    def verdicts(self, verdicts: Sequence[Verdict]) -> list[Verdict]:
        """Return the verdicts with the sentences and answers for which there is room."""
        told = [replace(each, sentence=self.sentence(each.sentence, each.quoted)) for each in verdicts]
        return [replace(each, evidence=self._evidence(each.evidence)) for each in told]

    def sentence(self, sentence: str, quoted: Set[str]) -> str:
        """Return a sentence up to the first of its `quoted` words that has no room."""
        most = left = max(0, min(self._left, SENTENCE_CHARS))
        for word in WORD.finditer(sentence) if quoted else ():
            size = size_of(word[0]) + 1 if word[0] in quoted else 0  # with what separates it from the next one
            if size > left:
                sentence, left = f"{sentence[: word.start()]}{cut(word[0], left)}", 0
                break
            left -= size
        self._left -= most - left
        return sentence

    def _evidence(self, evidence: dict[str, str]) -> dict[str, str]:
        """Return the evidence; without a comparison if there is no room for the answer's side."""
        got = cut(evidence.get("got", ""), self._left)
        if size_of(got) < min(GOT_CHARS_MIN, size_of(evidence.get("got", ""))):
            return {name: text for name, text in evidence.items() if name not in ("expected", "got")}
        self._left -= size_of(got)
        return {**evidence, "got": got} if got else evidence
