"""What a sandbox's audit and seal report, in sentences for the report; and which of it costs the task its rows.

Kinds come from a fixed table, subjects are cut; a kind that is not in the table is no report.
"""

from typing import Any

FINDINGS_MAX = 20
SUBJECT_CHARS = 120
SAID = {
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
_MEASURING = ("autograder.", "streamlab.", "json", "py4j.", "pyspark.", "builtins")
_LYING_HOOKS = ("sys.settrace", "sys.setprofile")


def sentence_of(event: dict[str, Any]) -> str | None:
    """Example: {"what": "open", "subject": "/root/x", "during": "words"} -> "It tried to open /root/x (in words)."."""
    words = SAID.get(str(event.get("what")))
    if words is None:
        return None
    during = str(event.get("during", ""))[:SUBJECT_CHARS]
    when = f"in {during}" if during else "while the notebook was loaded"
    return f"It {words.format(str(event.get('subject', ''))[:SUBJECT_CHARS])} ({when})."


def what_may_lie(event: dict[str, Any]) -> str | None:
    """None, or what was noticed that can make a value that is measured in the sandbox a lie."""
    what, subject = str(event.get("what")), str(event.get("subject", ""))[:SUBJECT_CHARS]
    if event["event"] != "finding":
        return None
    if what == "scheduler":
        return "Spark's count of its jobs"
    by_code = what == "code" and subject.startswith(_MEASURING)
    return subject if by_code or (what == "hook" and subject in _LYING_HOOKS) else None


def names_changed(event: dict[str, Any]) -> str:
    """The names that a broken seal reports, in one line."""
    names = event.get("names")
    texts = [str(each)[:SUBJECT_CHARS] for each in names[:5]] if isinstance(names, list) else []
    return ", ".join(texts) or "what, it does not say"
