"""How the answers of a log are compared with the oracle's, step by step, and how steps are told to a learner.

Rows may hold anything that JSON can; what has another form than expected is shown as it came.
Keeps out: what is right (`oracle_log`).
"""

import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from autograder.checks import Case, Mismatch, Rows, same_sequence, same_value
from autograder.checks.compare import shown
from autograder.stages.lab03_log.oracle_log import Answer, answers, bytes_of

FEW_STEPS = 6


def same_answers(case: Case, rows: Rows) -> Mismatch | None:
    """The first step of a script whose answer is another than the oracle's."""
    if "answers" not in rows:
        return no_log(case, rows)
    came = rows["answers"] if isinstance(rows["answers"], list) else []
    for at, expected in enumerate(answers(case)):
        got = came[at] if at < len(came) else None
        what = f"{on_progress(case['script'][at])} of {log_told(case)} after {steps_before(case['script'], at)}"
        wrong = _same_answer(what, expected, got)
        if wrong:
            return wrong
    return None


def no_log(case: Case, rows: Rows) -> Mismatch:
    """Rows without answers: there was no log to ask."""
    came = f"raises {rows['rejected']}" if "rejected" in rows else f"gives {shown(rows.get('returned', rows))}"
    return Mismatch(f"Expected {log_told(case)} to open; yours {came}.", "a PartitionLog", rows)


def log_told(case: Case) -> str:
    """Example: log_told({"segment_bytes": 99, "index_bytes": 9}) -> "PartitionLog(d, 99, 9)"."""
    return f"PartitionLog(d, {case['segment_bytes']}, {case['index_bytes']})"


def on_progress(step: Sequence[Any]) -> str:
    """Example: told(["append", [[None, "a", 0]]]) -> "append of 1 record (69 bytes)"."""
    verb, *arguments = step
    if verb == "damage":
        number, how, amount = arguments
        return f"opening with segment {number} damaged ({how}{f' {amount}' if amount else ''})"
    if verb in ("append", "append_broken", "disk_full"):
        how = {"append": "", "append_broken": f" made wrong ({arguments[0]})"}
        where = how.get(verb, f" on a disk with {arguments[0]} bytes left")
        count, size = len(arguments[-1]), len(bytes_of(arguments[-1]))
        return f"append of {count} record{'s' if count != 1 else ''} ({size} bytes){where}"
    return f"{verb}({', '.join(map(str, arguments))})"


def steps_before(script: Sequence[Sequence[Any]], at: int) -> str:
    """The steps before the one at position `at`; of many only the last few."""
    before = [on_progress(step) for step in script[:at]]
    hidden = len(before) - FEW_STEPS
    return ", ".join([f"{hidden} steps", *before[hidden:]] if hidden > 1 else before) or "nothing"


def _same_answer(what: str, expected: Answer, got: Any) -> Mismatch | None:
    if not isinstance(got, dict):
        return Mismatch(f"Expected {what} to answer; yours gives {shown(got)}.", expected, got)
    if "rejected" in expected:
        return _same_refusal(what, expected, got)
    if "rejected" in got:
        came = f"raises {got['rejected']}{_because(got)}"
        return Mismatch(f"Expected {what} to give {_short(expected)}; yours {came}.", expected, got)
    if "batches" in expected:
        return _same_batches(what, expected["batches"], got.get("batches"))
    if "files" in expected:
        return _same_files(what, expected, got)
    return _same_fields(what, expected, got)


def _because(got: Answer) -> str:
    return f": {str(got['text'])[:200]}" if got.get("text") else ""


def _short(answer: Answer) -> str:
    """An answer in a few words."""
    if "batches" in answer:
        return f"batches at {shown([batch[0] for batch in answer['batches']])}"
    return shown(answer["files"]) if "files" in answer else _fields(answer)


def _fields(answer: Answer) -> str:
    return ", ".join(f"{name} {shown(value)}" for name, value in answer.items())


def _same_fields(what: str, expected: Answer, got: Answer) -> Mismatch | None:
    for name, value in expected.items():
        if got.get(name) != value or isinstance(got.get(name), bool):
            sentence = f"Expected {what} to give {_fields(expected)}; yours gives {_fields(got)}."
            return Mismatch(sentence, expected, got)
    return None


# Refusals


def _same_refusal(what: str, expected: Answer, got: Answer) -> Mismatch | None:
    if got.get("rejected") != expected["rejected"]:
        came = f"raises {got['rejected']}{_because(got)}" if "rejected" in got else f"gives {_short_of(got)}"
        return Mismatch(f"Expected {what} to raise {expected['rejected']}; yours {came}.", expected, got)
    if "start" in expected:
        return _same_fields(f"OffsetOutOfRange of {what}", {k: expected[k] for k in ("start", "end")}, got)
    return _names_all(what, expected, str(got.get("text", "")), got)


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
