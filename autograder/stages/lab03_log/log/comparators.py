"""How the answers to a script are compared with the oracle's, step by step, and how steps are told to a learner.

Rows may hold anything that JSON can; what has another form than expected is shown as it came.
"""

import re
from collections.abc import Collection, Sequence
from pathlib import PurePath
from typing import Any

from autograder.checks import Mismatch, Rows, same_sequence, same_value
from autograder.checks.compare import shown
from autograder.stages.lab03_log.log.oracle import Answer, bytes_of

FEW_STEPS = 6
SPECIAL = ("rejected", "file", "position", "files", "most_bytes_read")  # of a rejection: not compared as they are


def same_answers(
    opened: str, script: Sequence[Any], expected: Sequence[Answer], rows: Rows, verbs: Collection[str] = ()
) -> Mismatch | None:
    """The first step of a script whose answer is another than the oracle's; `opened` is the call that began it.

    Only steps of these `verbs` are compared; without any, all steps.
    """
    if "answers" not in rows:
        return not_opened(opened, rows)
    came = rows["answers"] if isinstance(rows["answers"], list) else []
    for at, answer in enumerate(expected):
        if verbs and script[at][0] not in verbs:
            continue
        got = came[at] if at < len(came) else None
        wrong = _same_answer(step_of(opened, script, at), answer, got)
        if wrong:
            return wrong
    return None


def not_opened(opened: str, rows: Rows) -> Mismatch:
    """Rows without answers: there was nothing to ask."""
    came = f"raises {rows['rejected']}{_because(rows)}" if "rejected" in rows else f"gives {shown(rows)}"
    return Mismatch(f"Expected {opened} to open; yours {came}.", opened, rows)


def step_of(opened: str, script: Sequence[Any], at: int) -> str:
    """A step as words: what is asked of what, and after which steps."""
    before = [step_text(step) for step in script[:at]]
    hidden = len(before) - FEW_STEPS
    after = ", ".join([f"{hidden} steps", *before[hidden:]] if hidden > 1 else before) or "nothing"
    return f"{step_text(script[at])} of {opened} after {after}"


def step_text(step: Sequence[Any]) -> str:
    """Example: step_text(["append", [[None, "a", 0]]]) -> "append of 1 record (69 bytes)"."""
    verb, *arguments = step
    if verb == "damage":
        number, how, amount = arguments
        return f"opening with segment {number} damaged ({how}{f' {amount}' if amount else ''})"
    if arguments and isinstance(arguments[-1], list):
        *how, records = arguments
        count, size = len(records), len(bytes_of(records))
        return f"append of {count} record{'s' if count != 1 else ''} ({size} bytes){_circumstance(verb, how)}"
    return f"{verb}({', '.join(map(str, arguments))})"


def _circumstance(verb: str, how: list[Any]) -> str:
    return {
        "append": "",
        "append_broken": f" made wrong ({how[0] if how else 'cut'})",
        "disk_full": f" on a disk with {how[0] if how else 0} bytes left",
        "no_room_for_a_segment": " in a new segment on a full disk",
        "index_full": " where the index has no room",
    }[verb]


def _same_answer(what: str, expected: Answer, got: Any) -> Mismatch | None:
    if not isinstance(got, dict):
        return Mismatch(f"Expected {what} to answer; yours gives {shown(got)}.", expected, got)
    if "rejected" in expected:
        return _same_rejection(what, expected, got)
    if "rejected" in got:
        came = f"raises {got['rejected']}{_because(got)}"
        return Mismatch(f"Expected {what} to give {_short(expected)}; yours {came}.", expected, got)
    if "batches" in expected:
        return _same_batches(what, expected["batches"], got.get("batches", got.get("returned")))
    if "index" in expected:
        return _same_files(what, expected, got)
    return _same_fields(what, expected, got)


def _because(got: Answer) -> str:
    return f": {str(got['text'])[:200]}" if got.get("text") else ""


def _short(answer: Answer) -> str:
    """An answer in a few words."""
    if "batches" in answer:
        return f"batches at {shown([batch[0] for batch in answer['batches']])}"
    return shown(answer["files"]) if "index" in answer else _fields(answer)


def _fields(answer: Answer) -> str:
    return ", ".join(f"{name} {shown(value)}" for name, value in answer.items())


def _same_fields(what: str, expected: Answer, got: Answer) -> Mismatch | None:
    for name, value in expected.items():
        if got.get(name) != value or isinstance(got.get(name), bool) != isinstance(value, bool):
            sentence = f"Expected {what} to give {_fields(expected)}; yours gives {_fields(got)}."
            return Mismatch(sentence, expected, got)
    return None


# Rejections


def _same_rejection(what: str, expected: Answer, got: Answer) -> Mismatch | None:
    if got.get("rejected") != expected["rejected"]:
        came = f"raises {got['rejected']}{_because(got)}" if "rejected" in got else f"gives {_short_of(got)}"
        return Mismatch(f"Expected {what} to raise {expected['rejected']}; yours {came}.", expected, got)
    fields = {name: value for name, value in expected.items() if name not in SPECIAL}
    wrong = _same_fields(f"{expected['rejected']} of {what}", fields, {name: got.get(name) for name in fields})
    return wrong or _names_all(what, expected, str(got.get("text", "")), got)


def _short_of(got: Answer) -> str:
    try:
        return _short(got)
    except (TypeError, IndexError, KeyError):
        return shown(got)


def _names_all(what: str, expected: Answer, text: str, got: Answer) -> Mismatch | None:
    """Whether a rejection names the files, and the position, that it has to."""
    names = [*expected.get("files", []), *([expected["file"]] if "file" in expected else [])]
    missing = [name for name in names if PurePath(name).stem not in text]
    numbers = re.findall(r"\d+", re.sub(r"\d{20}", " ", text))
    if "position" in expected and str(expected["position"]) not in numbers:
        missing.append(f"position {expected['position']}")
    if not missing:
        return None
    sentence = f"Expected {expected['rejected']} of {what} to name {' and '.join(missing)}; yours says: {text[:200]}"
    return Mismatch(sentence, expected, got)


# Reads and files


def _same_batches(what: str, expected: list[Any], got: Any) -> Mismatch | None:
    if not isinstance(got, list) or not all(isinstance(each, list) and len(each) == 4 for each in got):
        return Mismatch(f"Expected {what} to give a list of batches; yours gives {shown(got)}.", expected, got)
    wrong = same_sequence([each[0] for each in expected], [each[0] for each in got], what=f"{what} to give batches at")
    for want, have in zip(expected, got, strict=False):
        where = f"the batch at {want[0]} of {what}"
        wrong = wrong or same_value(want[1], have[1], what=f"records of {where}")
        wrong = wrong or same_value(want[2], have[2], what=f"bytes of {where}")
        wrong = wrong or same_sequence(want[3], have[3], what=f"(offset, timestamp, key, value) in {where} to be")
    return wrong


def _same_files(what: str, expected: Answer, got: Answer) -> Mismatch | None:
    wrong = same_sequence(expected["files"], got.get("files"), what=f"{what} to be")
    index = got.get("index") if isinstance(got.get("index"), dict) else {}
    for name, entries in expected["index"].items():
        wrong = wrong or same_sequence(entries, (index or {}).get(name), what=f"entries of {name} in {what} to be")
    return wrong
