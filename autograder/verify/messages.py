"""messages.txt of a lab: for each mutant, the checks that catch it and the sentence that a learner reads.

The sentences are those of the public seed. What differs from run to run (temporary paths, ports, addresses in memory,
measured times) is replaced, so that the file changes only where the wording does.
"""

import difflib
import re
from collections.abc import Mapping
from pathlib import Path

from autograder.verify.matrix import Mark

HEAD = "What a learner reads, for each mutant and each check that catches it. `./lab verify` writes this file.\n"
VARYING = (
    (re.compile(r"0x[0-9a-f]{6,}"), "0x…"),
    (re.compile(r"/tmp/[^\s\"',:;)\]]+"), "/tmp/…"),
    (re.compile(r"(127\.0\.0\.1|localhost):\d+"), r"\1:…"),
    (re.compile(r"\b\d+(\.\d+)? (s|ms|seconds)\b"), r"… \2"),
)
SHOWN_MAX = 5


def written(marks: Mapping[str, list[Mark]], tasks: list[str]) -> str:
    """The text of the file, from the marks of each mutant by its name; mutants come by task, then by name."""
    parts = [HEAD]
    for task in tasks:
        for name in sorted(name for name in marks if name.partition("__")[0] == task):
            caught = sorted((each.check, each.sentence) for each in marks[name] if not each.is_full)
            if caught:
                lines = [f"    {check}\n        {steady(sentence)}\n" for check, sentence in caught]
                parts.append(f"{task} · {name.partition('__')[2]}\n{''.join(lines)}")
    return "\n".join(parts)


def steady(sentence: str) -> str:
    """The sentence without what differs from run to run, in one line."""
    for pattern, replacement in VARYING:
        sentence = pattern.sub(replacement, sentence)
    return " ".join(sentence.split())


def differences(path: Path, text: str) -> list[str]:
    """The first lines in which the file differs from `text`, as in a diff; none where it is up to date."""
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    changed = [
        line
        for line in difflib.unified_diff(before.splitlines(), text.splitlines(), lineterm="", n=0)
        if line[:1] in "+-" and not line.startswith(("+++", "---"))
    ]
    return changed[:SHOWN_MAX] + ([f"… and {len(changed) - SHOWN_MAX} lines more"] if len(changed) > SHOWN_MAX else [])
