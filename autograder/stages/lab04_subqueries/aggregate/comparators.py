"""Compare the size of each state that an operator hands out with that of the rows that it still needs."""

from collections.abc import Sequence

from autograder.checks import Mismatch, Rows
from autograder.checks.compare import is_whole, shown

BYTES_BESIDE, BYTES_A_ROW = 200, 400  # right versions need up to 50 a row, or 200 with each row in all its windows


def largest_states(operator: str, rows: Rows, needed: Sequence[int]) -> Mismatch | None:
    """Return the mismatch for the first state that is larger than its rows allow, or for sizes that are missing.

    needed: for the state after each row, and for that after the end, the number of rows that a later result needs
    """
    empty, parts = rows.get("empty_bytes"), [rows.get(name, []) for name in ("first_state_bytes", "state_bytes")]
    sizes = [size for part in parts if isinstance(part, list) for size in part]
    if not is_whole(empty) or len(sizes) != len(needed) or not all(map(is_whole, sizes)):
        what = f"the size of the pickled state of {operator} after each of {len(needed) - 1} rows"
        return Mismatch(f"Expected {what}; yours are {shown(sizes)}.")
    for number, (size, count) in enumerate(zip(sizes, needed, strict=True), 1):
        most = empty + BYTES_BESIDE + BYTES_A_ROW * count
        if size > most:
            after = f"after row {number}" if number < len(needed) else "in the end"
            what = f"the pickled state of {operator} to have at most {most} bytes {after}"
            reason = f"{count} row{' is' if count == 1 else 's are'} still needed, and an empty state has {empty}"
            return Mismatch(f"Expected {what}, since {reason}; yours has {size}.", most, size)
    return None
