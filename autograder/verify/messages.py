"""A lab's messages.txt: for each mutant, the checks that catch it and the sentences that a learner reads.

The sentences are those for the public seed. Text that differs from run to run (temporary paths, ports, memory
addresses, measured times, how far a killed run got) is replaced, and a sentence that differs from the file's only in
numbers keeps the file's form. So the file changes only if the wording does.
"""

import difflib
import re
from collections.abc import Mapping

from autograder.verify.matrix import Mark

HEAD = "What a learner reads, for each mutant and each check that catches it. `./lab verify` writes this file.\n"
VARYING = (
    (re.compile(r"0x[0-9a-f]{6,}"), "0x…"),
    (re.compile(r"/tmp/[^\s\"',:;)\]]+"), "/tmp/…"),
    (re.compile(r"(127\.0\.0\.1|localhost):\d+"), r"\1:…"),
    (re.compile(r"\b\d+(\.\d+)? (s|ms|seconds)\b"), r"… \2"),
    (re.compile(r"(/consumers/g-)[0-9a-f]+"), r"\1…"),
    (re.compile(r"( killed after .+ restarted) (lack|have) .+\."), r"\1 …"),
)
NUMBER = re.compile(r"\d+")
SHOWN_MAX = 5


def written(marks: Mapping[str, list[Mark]], tasks: list[str]) -> str:
    """Return the text of the file from the marks of each mutant by name; mutants are sorted by task, then by name."""
    parts = [HEAD]
    for task in tasks:
        for name in sorted(name for name in marks if name.partition("__")[0] == task):
            caught = sorted((each.check, each.sentence) for each in marks[name] if not each.is_full)
            if caught:
                lines = [f"    {check}\n        {steady(sentence)}\n" for check, sentence in caught]
                parts.append(f"{task} · {name.partition('__')[2]}\n{''.join(lines)}")
    return "\n".join(parts)


def steady(sentence: str) -> str:
    """Return the sentence in one line, with the text that differs from run to run replaced."""
    for pattern, replacement in VARYING:
        sentence = pattern.sub(replacement, sentence)
    return " ".join(sentence.split())


def settled(before: str, text: str) -> str:
    """Return the text, but with the lines of `before` where only numbers differ."""
    old, new = before.splitlines(keepends=True), text.splitlines(keepends=True)
    blind_old, blind_new = ([NUMBER.sub("0", line) for line in lines] for lines in (old, new))
    for block in difflib.SequenceMatcher(None, blind_old, blind_new, autojunk=False).get_matching_blocks():
        new[block.b : block.b + block.size] = old[block.a : block.a + block.size]
    return "".join(new)


def differences(before: str, text: str) -> list[str]:
    """Return the first lines in which the two differ, as in a diff; empty if the file is up to date."""
    changed = [
        line
        for line in difflib.unified_diff(before.splitlines(), text.splitlines(), lineterm="", n=0)
        if line[:1] in "+-" and not line.startswith(("+++", "---"))
    ]
    return changed[:SHOWN_MAX] + ([f"… and {len(changed) - SHOWN_MAX} more lines"] if len(changed) > SHOWN_MAX else [])
