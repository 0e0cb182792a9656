"""Invalid arguments: drives give {"rejected": error class, "text": its text} (`or_rejected`), compared here."""

from autograder.checks.compare import shown
from autograder.checks.registry import Mismatch, Rows


def must_reject(call: str, rows: Rows, error: str = "ValueError") -> Mismatch | None:
    """The call has an invalid argument, so the task raises `error`."""
    if rows.get("rejected") == error:
        return None
    came = f"raises {rows['rejected']}" if "rejected" in rows else f"gives {shown(next(iter(rows.values()), None))}"
    return Mismatch(f"Expected {call} to raise {error}; yours {came}.", error, rows)


def must_answer(call: str, kind: str, rows: Rows) -> Mismatch | None:
    """The arguments are valid, so the task gives a `kind` ("a DStream") and raises nothing."""
    if "rejected" in rows:
        came = f"raises {rows['rejected']}: {rows.get('text', '')}"
        return Mismatch(f"Expected {call} to return {kind}; yours {came}.", kind)
    if "returned" in rows:
        return Mismatch(f"Expected {call} to return {kind}; yours returns {rows['returned']}.", kind, rows["returned"])
    return None
