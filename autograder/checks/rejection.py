"""Compares answers to invalid arguments: drives return {"rejected": error class, "text": message} (`or_rejected`)."""

from autograder.checks.compare import shown
from autograder.checks.registry import Mismatch, Rows


def must_reject(call: str, rows: Rows, error: str = "ValueError") -> Mismatch | None:
    """Require that the call raises `error`, since it has an invalid argument."""
    if rows.get("rejected") == error:
        return None
    if "rejected" in rows:
        actual = f"raises {rows['rejected']}"
    elif "returned" in rows:
        actual = f"returns {rows['returned']}"
    else:
        actual = f"gives {shown(next(iter(rows.values()), None))}"
    return Mismatch(f"Expected {call} to raise {error}; yours {actual}.", error, rows)


def must_answer(call: str, kind: str, rows: Rows) -> Mismatch | None:
    """Require that the call returns a `kind` ("a DStream") and does not raise, since its arguments are valid."""
    if "rejected" in rows:
        actual = f"raises {rows['rejected']}: {rows.get('text', '')}"
        return Mismatch(f"Expected {call} to return {kind}; yours {actual}.", kind)
    if "returned" in rows:
        return Mismatch(f"Expected {call} to return {kind}; yours returns {rows['returned']}.", kind, rows["returned"])
    return None
