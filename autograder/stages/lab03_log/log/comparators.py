"""Compare the answers to a script with the oracle's, step by step, and describe the steps to a learner.

Rows may hold anything that JSON can; a value of an unexpected form is shown unchanged.
"""

import re
from collections.abc import Collection, Sequence
from itertools import groupby
from pathlib import PurePath
from typing import Any

from autograder.checks import Mismatch, Rows, same_sequence, same_value
from autograder.checks.compare import equal, shown
from autograder.stages.lab03_log.log.cases_batches import bytes_of

Answer = dict[str, Any]

FEW_STEPS = 6
STEPS = {
    "close": "close()",
    "cut_recover": "recover() after the file of the last segment lost its last {} bytes",
    "delete": "delete()",
    "files": "the files",
    "flipped": "opening again with a wrong bit in a value, at byte {},",
    "newest": "newest_ms()",
    "offsets": "start_offset and end_offset",
    "reopen": "opening again after close()",
    "reopen_closed": "opening again after close() without flush()",
    "reopen_at": "opening again after close(), where index.load returns ({}, {}),",
    "torn": "opening again with half a batch at the end",
}
BROKEN = {
    "short": "with only 40 of its bytes",
    "cut": "without its last byte",
    "length": "with an extra byte",
    "crc": "with a wrong CRC",
    "header": "whose header has one byte more in size_bytes",
    "count": "with a wrong number of records",
}
DAMAGE = {
    "cut": "lost its last {}",
    "flip": "got a wrong bit {} before its end",
    "tail": "got {} that are not a batch at its end",
    "log_gone": "lost its .log file",
    "index_gone": "lost its .index file",
    "index_longer": "got an index entry beyond the end of its log",
    "index_odd": "got half an entry at the end of its index",
    "index_falling": "got the entry (0, 0) at the end of its index",
}
NAMES = {  # of the fields of an answer
    "start": "start_offset",
    "end": "end_offset",
    "size": "size_bytes",
    "file_bytes": "file size",
    "cut": "bytes cut",
    "gone": "expired segments",
    "there": "segments [base offset, bytes, is open]",
    "deleted": "deleted segments",
    "files_left": "files left",
    "still_open": "files still open",
}
SPECIAL = ("rejected", "file", "position", "files", "most_bytes_read")  # of a rejection: not compared as values


def same_answers(
    opened: str, script: Sequence[Any], expected: Sequence[Answer], rows: Rows, verbs: Collection[str] = ()
) -> Mismatch | None:
    """Return the first step of a script whose answer differs from the oracle's; `opened` is the call that opened it.

    Only steps of these `verbs` are compared; without any, all steps.
    """
    if "answers" not in rows:
        return not_opened(opened, rows)
    answers = rows["answers"] if isinstance(rows["answers"], list) else []
    for at, answer in enumerate(expected):
        if verbs and script[at][0] not in verbs:
            continue
        got = answers[at] if at < len(answers) else None
        wrong = _same_answer(step_of(opened, script, at), answer, got)
        if wrong:
            return wrong
    return None


def not_opened(opened: str, rows: Rows) -> Mismatch:
    """Return the mismatch for rows without answers: the log did not open."""
    outcome = f"raises {rows['rejected']}{_because(rows)}" if "rejected" in rows else f"gives {shown(rows)}"
    return Mismatch(f"Expected {opened} to open; yours {outcome}.", opened, rows)


def step_of(opened: str, script: Sequence[Any], at: int) -> str:
    """Describe a step in words, with the steps before it."""
    runs = [(text, len(list(same))) for text, same in groupby(map(step_text, script[:at]))]
    before = [f"{number} times {text}" if number > 1 else text for text, number in runs]
    hidden = len(before) - FEW_STEPS
    earlier = ", ".join(["other steps", *before[hidden:]] if hidden > 1 else before)
    after = f" after {earlier}" if earlier else ""
    return f"{step_text(script[at])} in {opened}{after}"


def step_text(step: Sequence[Any]) -> str:
    """Describe a step. Example: step_text(["append", [[None, "a", 0]]]) -> "append of 1 record (69 bytes)"."""
    verb, *arguments = step
    if verb == "damage":
        number, how, amount = arguments
        which = "the last segment" if number == -1 else f"segment {number}"
        return f"opening after {which} {DAMAGE[how].format(counted(amount, 'byte'))}"
    if arguments and isinstance(arguments[-1], list):
        *how, records = arguments
        count, size = len(records), len(bytes_of(records))
        return f"append of {counted(count, 'record')} ({size} bytes){_circumstance(verb, how)}"
    if verb.startswith("append"):  # only sizes
        size, more = arguments
        return f"append of {size} bytes {f'with {more} records' if isinstance(more, int) else f'that raises {more}'}"
    return STEPS.get(verb, f"{verb}({', '.join(map(str, arguments))})").format(*arguments)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun. Example: counted(2, "byte") -> "2 bytes"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _circumstance(verb: str, how: list[Any]) -> str:
    return {
        "append": "",
        "append_broken": f" {BROKEN.get(how[0] if how else 'cut', '')}",
        "disk_full": f" to a disk with {how[0] if how else 0} bytes left",
        "no_room_for_a_segment": " that needs a new segment, to a full disk",
        "index_full": " without room for the index entry",
    }[verb]


def _same_answer(what: str, expected: Answer, got: Any) -> Mismatch | None:
    if not isinstance(got, dict):
        return Mismatch(f"Expected {what} to answer; yours gives {shown(got)}.", expected, got)
    if "rejected" in expected:
        return _same_rejection(what, expected, got)
    if "rejected" in got:
        outcome = f"raises {got['rejected']}{_because(got)}"
        return Mismatch(f"Expected {what} to give {_short(expected)}; yours {outcome}.", expected, got)
    if "batches" in expected:
        return _same_batches(what, expected["batches"], got.get("batches", got.get("returned")))
    if "index" in expected:
        return _same_files(what, expected, got)
    return _same_fields(what, expected, got)


def _because(got: Answer) -> str:
    return f": {str(got['text'])[:200]}" if got.get("text") else ""


def _short(answer: Answer) -> str:
    """Return an answer in a few words."""
    if "batches" in answer:
        return f"batches at {shown([batch[0] for batch in answer['batches']])}"
    return shown(answer["files"]) if "index" in answer else _fields(answer)


def _fields(answer: Answer) -> str:
    return ", ".join(f"{NAMES.get(name, name)} {shown(value)}" for name, value in answer.items())


def _same_fields(what: str, expected: Answer, got: Answer) -> Mismatch | None:
    for name, value in expected.items():
        if not equal(value, got.get(name)):
            wrong = [each for each in expected if not equal(expected[each], got.get(each))]
            want, have = ({each: answer.get(each) for each in wrong} for answer in (expected, got))
            sentence = f"Expected {what} to give {_fields(want)}; yours gives {_fields(have)}."
            if name == "flushed":
                sentence = f"Expected flush() to sync the file (os.fdatasync, os.fsync) before {what}; yours does not."
            elif name == "saved":
                call, when = (what, "") if what.startswith("close()") else ("close()", f" before {what}")
                sentence = f"Expected {call} to flush the file (os.fdatasync, os.fsync){when}; yours does not."
            elif name == "named":
                rule = "flush() to sync the folder if a segment file is new (sync_folder)"
                sentence = f"Expected {rule} before {what}; yours does not."
            elif name == "left_open":
                sentence = f"Expected close() to leave no file open before {what}; yours leaves {shown(got.get(name))}."
            return Mismatch(sentence, expected, got)
    return None


# Rejections


def _same_rejection(what: str, expected: Answer, got: Answer) -> Mismatch | None:
    if got.get("rejected") != expected["rejected"]:
        outcome = f"raises {got['rejected']}{_because(got)}" if "rejected" in got else f"gives {_short_of(got)}"
        return Mismatch(f"Expected {what} to raise {expected['rejected']}; yours {outcome}.", expected, got)
    fields = {name: value for name, value in expected.items() if name not in SPECIAL}
    wrong = _same_fields(f"{expected['rejected']} of {what}", fields, {name: got.get(name) for name in fields})
    return wrong or _names_all(what, expected, str(got.get("text", "")), got)


def _short_of(got: Answer) -> str:
    try:
        return _short(got)
    except (TypeError, IndexError, KeyError):
        return shown(got)


def _names_all(what: str, expected: Answer, text: str, got: Answer) -> Mismatch | None:
    """Require that the text of a rejection names the files and the position."""
    names = [*expected.get("files", []), *([expected["file"]] if "file" in expected else [])]
    missing = [name for name in names if PurePath(name).stem not in text]
    numbers = re.findall(r"\d+", re.sub(r"\d{20}", " ", text))
    if "position" in expected and str(expected["position"]) not in numbers:
        missing.append(f"position {expected['position']}")
    if not missing:
        return None
    sentence = f"Expected {expected['rejected']} of {what} to name {' and '.join(missing)}; its text is: {text[:200]}"
    return Mismatch(sentence, expected, got)


# Reads and files


def _same_batches(what: str, expected: list[Any], got: Any) -> Mismatch | None:
    if not isinstance(got, list) or not all(isinstance(each, list) and len(each) == 4 for each in got):
        return Mismatch(f"Expected {what} to give a list of batches; yours gives {shown(got)}.", expected, got)
    offsets, given = [each[0] for each in expected], [each[0] for each in got]
    wrong = same_sequence(offsets, given, what=f"the offsets of the batches of {what}")
    for want, have in zip(expected, got, strict=False):
        where = f"the batch at {want[0]} of {what}"
        wrong = wrong or same_value(want[1], have[1], what=f"the records of {where}")
        wrong = wrong or same_value(want[2], have[2], what=f"the bytes of {where}")
        wrong = wrong or same_sequence(want[3], have[3], what=f"(offset, timestamp, key, value) in {where}")
    return wrong


def _same_files(what: str, expected: Answer, got: Answer) -> Mismatch | None:
    wrong = _same_names(what, expected["files"], got.get("files"))
    wrong = wrong or same_sequence(expected["files"], got.get("files"), what=what)
    index = got.get("index") if isinstance(got.get("index"), dict) else {}
    for name, entries in expected["index"].items():
        wrong = wrong or same_sequence(entries, (index or {}).get(name), what=f"the entries of {name} in {what}")
    return wrong


def _same_names(what: str, expected: list[Any], got: Any) -> Mismatch | None:
    """Return the first file that is missing or does not belong there."""
    if not isinstance(got, list) or not all(isinstance(each, list) and each for each in got):
        return None
    want, have = {name: size for name, size in expected}, [each[0] for each in got]
    for name, size in want.items():
        if name not in have:
            sentence = f"Expected {name} with {size} bytes among {what}; yours lack it."
            return Mismatch(sentence, expected, got)
    extra = next((name for name in have if name not in list(want)), None)
    return extra and Mismatch(f"Expected no file {extra} among {what}; yours have it.", expected, got)
