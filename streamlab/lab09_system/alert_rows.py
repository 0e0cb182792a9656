"""The rows that `alerts` returns: alerts, and the dead letters that pass through with them."""

import pickle
from collections.abc import Sequence
from typing import Any

from streamlab.lab09_system.words import Alert, Dead

ALERTS = "kind string, account string, subject string, time_ms long, cents long, record binary"
DEAD = "DEAD"


def dead_row(dead: Dead) -> tuple[Any, ...]:
    """Return the row of a dead letter: the account is its key, the subject its reason, `record` the pickled record."""
    record = dead.record
    return DEAD, (record.key or b"").decode(errors="replace"), dead.reason, record.time_ms, 0, pickle.dumps(record)


def frame_of(rows: Sequence[Alert | tuple[Any, ...]]) -> Any:
    """Return alerts and the rows of dead letters as a pandas.DataFrame with the columns `ALERTS`; there may be none."""
    import pandas as pd  # in the workers only

    names = [column.split()[0] for column in ALERTS.split(", ")]
    full = [(*row, None) if isinstance(row, Alert) else row for row in rows]
    return pd.DataFrame(full, columns=names, dtype=object)
