"""Reference rows as state in Spark: a pure step, called for each account with its new payments and changes.

Payments and changes are two streams, each with a watermark. The query's watermark is the smaller of the two, so a
payment waits until the change log has advanced as far. A change log without changes needs heartbeats (changes of a kind
that no payment looks up). The checkpoint holds the state and both streams; Python workers keep nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from streamlab.lab06_enrichment.events import Enriched, Key, Transaction
from streamlab.lab06_enrichment.histories import EMPTY, AccountState, Change, Version

TRANSACTION = (
    "id string, account string, recipient string, device string, location string, amount_cents long, at timestamp"
)
CHANGE = "kind string, account string, item string, row string, seq long, at timestamp"
ANSWER = f"{TRANSACTION}, recipient_row string, device_row string, location_row string, flags array<string>"
COLUMNS = [part.split()[0] for part in ANSWER.split(", ")]


Step = Callable[[AccountState, Sequence[Transaction | Change], int], tuple[AccountState, list[Enriched]]]


def enriched_by_state(step: Step, transactions: Any, changes: Any, watermark_s: int) -> Any:
    """Join two streams of the schemas TRANSACTION and CHANGE with `step`; return the streaming DataFrame of answers.

    `step(state, arrived, watermark_ms)` returns the next state of an account and its answers; rows have the schema
    ANSWER. `watermark_s` is how late payments and changes may arrive.
    """
    from pyspark.sql.streaming.state import GroupStateTimeout

    late = f"{watermark_s} seconds"
    both = transactions.withWatermark("at", late).unionByName(
        changes.withWatermark("at", late), allowMissingColumns=True
    )
    return both.groupBy("account").applyInPandasWithState(
        lambda _, frames, state: _answers(step, frames, state), ANSWER, "json string", "append",
        GroupStateTimeout.EventTimeTimeout,
    )  # fmt: skip


def _answers(step: Step, frames: Iterable[Any], state: Any) -> Iterator[Any]:
    import pandas as pd

    before = AccountState.from_json(state.get[0]) if state.exists else EMPTY
    watermark_ms = state.getCurrentWatermarkMs()
    after, answers = step(before, [_arrived(row) for frame in frames for row in frame.itertuples()], watermark_ms)
    if after.versions or after.waiting:
        state.update((after.to_json(),))
    elif state.exists:
        state.remove()
    if after.waiting:
        state.setTimeoutTimestamp(max(watermark_ms + 1, min(each.at_ms for each in after.waiting)))
    yield pd.DataFrame([_as_row(pd, answer) for answer in answers], columns=COLUMNS)


def _arrived(row: Any) -> Transaction | Change:
    at_ms = row.at.value // 1_000_000
    if row.id is not None:
        return Transaction(row.id, row.account, row.recipient, row.device, row.location, int(row.amount_cents), at_ms)
    return Change(Key(row.kind, row.account, row.item), Version(at_ms, int(row.seq), row.row))


def _as_row(pd: Any, answer: Enriched) -> list[Any]:
    *payment, at_ms = answer.transaction
    return [*payment, pd.Timestamp(at_ms, unit="ms"), *answer.rows, list(answer.flags)]
