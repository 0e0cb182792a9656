"""Drives `Desk` with batches of rows; in some cases a new desk resumes from the pickled state after each batch."""

import io
import json
import pickle
import sys
from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain, type_name
from autograder.stages.lab09_system.desk.drive_stubs import BoxWatch, ListAggregate, counted
from streamlab.lab09_system import Alert, Change, Payment, Position

Row = Change | Position | Payment


class NotPlain(TypeError):
    """The state holds something other than Python's own types and those of `streamlab`."""


@drive("Desk")
def desk(stage: Any, case: Any, earlier: Any) -> Rows:
    """Return the alerts of each batch, and which payment ids are in the last state."""
    parts = {"Watch": BoxWatch, "Aggregate": ListAggregate}
    if case["own"] == "Watch":
        parts["Watch"] = counted(earlier("lab08_geofencing").Watch, "move", "change")
    if case["own"] == "Aggregate":
        parts["Aggregate"] = counted(earlier("lab04_subqueries").Aggregate, "on_row")
    with stage.replaced(**parts):
        try:
            rows = _alerts(stage.Desk, case)
        except NotPlain as problem:
            return {"not_plain": str(problem)}
    return rows | {"calls": getattr(parts.get(case["own"]), "calls", {})}


def _alerts(new_desk: Any, case: Any) -> Rows:
    learner_desk, answers = new_desk(), []
    for batch in case["batches"]:
        found = learner_desk.run([row_of(each) for each in batch["rows"]], batch["watermark_ms"])
        if not isinstance(found, list | tuple):
            return {"returned": type_name(found)}
        answers.append([plain(list(each)) if isinstance(each, Alert | tuple) else type_name(each) for each in found])
        if case["resumes"]:
            learner_desk = new_desk(from_plain_data(pickled(learner_desk.state)))
    return {"alerts": answers, "ids": _ids_in(learner_desk.state, case) if case["resumes"] else []}


def row_of(fields: list[Any]) -> Row:
    """Return the row of a case: ["shop", …], ["phone", …] or ["pays", …]."""
    kind, name, time_ms, offset, *rest = fields
    if kind == "shop":
        return Change(name, time_ms, rest[0] and ((tuple(map(tuple, rest[0])),),), offset)
    if kind == "phone":
        return Position(name, time_ms, float(rest[0]), float(rest[1]), offset)
    one, cents, shop, limit_cents = rest
    return Payment(name, time_ms, one, cents, shop, offset, limit_cents)


def _ids_in(state: Any, case: Any) -> list[str]:
    """Return the ids of the case's payments that the pickled state contains."""
    content = pickle.dumps(state, protocol=4)
    ids = dict.fromkeys(row[4] for batch in case["batches"] for row in batch["rows"] if row[0] == "pays")
    return [each for each in ids if each.encode() in content]


def pickled(state: Any) -> bytes:
    """Return the pickled state. Raises NotPlain if it cannot be pickled."""
    try:
        return pickle.dumps(state)
    except Exception as problem:  # pickle raises errors of many classes
        raise NotPlain(f"the state cannot be pickled: {problem}"[:200]) from None


def from_plain_data(content: bytes) -> Any:
    """Return the unpickled object. Raises NotPlain if it contains an object of a notebook's class."""
    return _PlainUnpickler(io.BytesIO(content)).load()


class _PlainUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if module.split(".")[0] in (*sys.stdlib_module_names, "streamlab") and module != "__main__":
            return super().find_class(module, name)
        if "drive_" in module:  # a stub, of which the learner knows nothing
            raise NotPlain("the state holds an object of another task")
        raise NotPlain(f"the state holds {name} of {'your notebook' if module == '__main__' else module}")


@drive("Desk.throughput")
def desk_throughput(stage: Any, case: Any) -> Rows:
    """Run one turn: all batches of a file; after each, a new desk resumes from the pickled state, as on Spark."""
    batches, found, state = json.loads(Path(case["path"]).read_bytes()), list[Any](), None
    with stage.replaced(Watch=BoxWatch, Aggregate=ListAggregate):
        for rows, watermark_ms in batches:
            learner_desk = stage.Desk(state)
            found += learner_desk.run([row_of(each) for each in rows], watermark_ms)
            state = pickle.loads(pickle.dumps(learner_desk.state))
    return {"alerts": [plain(each) for each in found]}
