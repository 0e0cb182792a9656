"""The journal of marks: journal.jsonl in the class folder, one JSON object in each line. The kit only appends to it.

It has every change of a mark in nbgrader's gradebook, whichever program makes it (`./lab grade`, the form grader), and
every change of the policy. The first result of a submission is no change.
"""

import fcntl
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from nbgrader.api import Grade, SubmittedNotebook
from sqlalchemy import event
from sqlalchemy.orm import Session, object_session

from autograder.classroom.folder import Classroom
from autograder.classroom.policy_file import FILE as POLICY
from autograder.record.gradebook_file import user_name

FILE = "journal.jsonl"
BECAUSE = "STREAMLAB_BECAUSE"  # holds the reason for all changes of one process
PENDING = "streamlab_journal"
MANUAL, JUDGED, EXTRA, LATE = "manual grade", "judged points", "extra credit", "late penalty"


@dataclass(frozen=True)
class Entry:
    """One change: `who` changed `what` from `before` to `after`, in points, or the text of the policy.

    `cell` is nbgrader's name of the task or question; `when` is a time in UTC in the format of ISO 8601.
    """

    what: str
    before: float | str | None
    after: float | str | None
    student: str = ""
    lab: str = ""
    cell: str = ""
    who: str = ""
    when: str = ""
    because: str = ""


def entries(classroom: Classroom) -> Iterator[Entry]:
    """Yield the entries, the oldest first; raises ValueError with the number of a line that is damaged."""
    path = classroom.folder / FILE
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for number, line in enumerate(lines, 1):
        try:
            yield Entry(**json.loads(line))
        except (ValueError, TypeError):
            raise ValueError(f"{path} line {number} is damaged; restore the file from a backup") from None


def append(classroom: Classroom, changes: Iterable[Entry]) -> None:
    """Append entries, each with the present time, the user of this process, and the reason that was given."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    about = {"who": user_name(), "when": now, "because": os.environ.get(BECAUSE, "")}
    text = "".join(json.dumps(asdict(each) | about, ensure_ascii=False) + "\n" for each in changes)
    mode = 0o660 if classroom.is_shared else 0o600
    descriptor = os.open(classroom.folder / FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, mode)
    with open(descriptor, "a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(text)
        if os.fstat(descriptor).st_uid == os.geteuid():
            os.fchmod(descriptor, mode)  # whatever the umask of the form grader is


def note_policy(classroom: Classroom) -> None:
    """Append the policy if it has changed since it was last noted."""
    path = classroom.folder / POLICY
    now = path.read_text(encoding="utf-8") if path.exists() else ""
    before = next((str(each.after) for each in reversed(list(entries(classroom))) if each.what == POLICY), "")
    if now != before:
        append(classroom, [Entry(POLICY, before, now)])


def watch_marks() -> None:
    """Note every change of a mark in a gradebook that this process opens, once it is committed."""
    if event.contains(Session, "after_commit", _write_pending):
        return
    for column, what in ((Grade.manual_score, MANUAL), (Grade.auto_score, JUDGED), (Grade.extra_credit, EXTRA)):
        event.listen(column, "set", _noting(what), active_history=True)
    event.listen(SubmittedNotebook.late_submission_penalty, "set", _noting(LATE), active_history=True)
    event.listen(Session, "after_commit", _write_pending)
    event.listen(Session, "after_rollback", lambda session: session.info.pop(PENDING, None))


def _noting(what: str) -> Any:
    def note(changed: Any, after: float | None, before: Any, _: Any) -> None:
        session, before = object_session(changed), before if isinstance(before, int | float) else None
        is_first = before is None and (what == JUDGED or (what != MANUAL and not after))
        if session is None or before == after or is_first:
            return
        work, cell = (changed, "") if what == LATE else (changed.notebook, changed.name)
        entry = Entry(what, before, after, work.assignment.student_id, work.assignment.name, cell)
        session.info.setdefault(PENDING, []).append(entry)

    return note


def _write_pending(session: Session) -> None:
    if changes := session.info.pop(PENDING, None):
        append(Classroom.of_this_kit(), changes)
