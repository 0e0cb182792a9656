"""Turns the events of a sandbox's audit and seal into sentences, and decides which of them make a task's rows invalid.

The kinds of findings come from a fixed table, and subjects are cut. An event of any other kind is ignored.
"""

from typing import Any

from autograder.checks.compare import SHOWN_CHARS
from autograder.checks.cut_texts import cut

FINDINGS_MAX = 20
SUBJECT_CHARS = SHOWN_CHARS
SENTENCES = {
    "open": "tried to open {}",
    "list": "looked into the folder {}",
    "change": "tried to change {}",
    "process": "started another process: {}",
    "signal": "sent a signal to another process: {}",
    "connect": "tried to reach {}",
    "native": "called into C libraries (ctypes)",
    "hook": "looked into the interpreter that judges it: {}",
    "frames": "looked at the frames of the program that judges it",
    "code": "changed the code of {}",
    "import": "tried to import {}",
    "scheduler": "reached into Spark's scheduler, which counts the jobs that are graded",
}
_MEASURING_CODE = ("autograder.", "streamlab.", "json", "py4j.", "pyspark.", "builtins")
_TRACING_HOOKS = ("sys.settrace", "sys.setprofile")


def sentence_of(event: dict[str, Any]) -> str | None:
    """Return the sentence for a finding, or None if its kind is not in the table.

    Example: {"what": "open", "subject": "/root/x", "during": "words"} -> "It tried to open /root/x (in words)."
    """
    words = SENTENCES.get(str(event.get("what")))
    if words is None:
        return None
    during = cut(str(event.get("during", "")), SUBJECT_CHARS)
    when = f"in {during}" if during else "while the notebook was loaded"
    return f"It {words.format(cut(str(event.get('subject', '')), SUBJECT_CHARS))} ({when})."


def unreliable_value(event: dict[str, Any]) -> str | None:
    """Return the name of the code or count that a finding makes unreliable for measurements in the sandbox, or None."""
    what, subject = str(event.get("what")), str(event.get("subject", ""))[:SUBJECT_CHARS]
    if event["event"] != "finding":
        return None
    if what == "scheduler":
        return "Spark's count of its jobs"
    by_code = what == "code" and subject.startswith(_MEASURING_CODE)
    return subject if by_code or (what == "hook" and subject in _TRACING_HOOKS) else None


def changed_names(event: dict[str, Any]) -> str:
    """Return the names that a broken seal reports, in one line."""
    names = event.get("names")
    texts = [cut(str(each), SUBJECT_CHARS) for each in names[:5]] if isinstance(names, list) else []
    return ", ".join(texts) or "the names are not known"
