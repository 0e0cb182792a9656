"""Arrivals of an account reach the step, and its state and answers go back to Spark."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from streamlab.lab06_enrichment import AccountState, Change, Enriched, Key, Transaction, Version, enriched
from streamlab.lab06_enrichment.embedded_state import COLUMNS, _answers
from streamlab.lab06_enrichment.histories import EMPTY

pd = pytest.importorskip("pandas", reason="pandas is in requirements-databases.lock")
PAYMENT = Transaction("t1", "ann", "shop", "phone", "Berlin", 100, 1500)
CHANGE = Change(Key("device", "ann", "phone"), Version(1000, 7, "row"))
AT = [pd.Timestamp(1500, unit="ms"), pd.Timestamp(1000, unit="ms")]
FRAME = pd.DataFrame(
    {
        "id": ["t1", None], "account": ["ann", "ann"], "recipient": ["shop", None], "device": ["phone", None],
        "location": ["Berlin", None], "amount_cents": [100, None], "at": AT, "kind": [None, "device"],
        "item": [None, "phone"], "row": [None, "row"], "seq": [None, 7],
    }
)  # fmt: skip


class StubState:
    """A test double for Spark's GroupState, with the methods in use."""

    def __init__(self, text: str | None = None, watermark_ms: int = 500) -> None:
        self.exists, self.get, self._watermark_ms = text is not None, (text,), watermark_ms
        self.timeout_ms: int | None = None

    def getCurrentWatermarkMs(self) -> int:
        return self._watermark_ms

    def update(self, value: tuple[str]) -> None:
        self.exists, self.get = True, value

    def remove(self) -> None:
        self.exists = False

    def setTimeoutTimestamp(self, at_ms: int) -> None:
        self.timeout_ms = at_ms


class Step:
    """Records its arguments and returns the arguments state and answers."""

    def __init__(self, after: AccountState, answers: Sequence[Enriched] = ()) -> None:
        self._after, self._answers = after, list(answers)
        self.arguments: list[Any] = []

    def __call__(self, state: AccountState, arrived: Sequence[Any], watermark_ms: int) -> Any:
        self.arguments = [state, list(arrived), watermark_ms]
        return self._after, self._answers


def run(step: Step, state: StubState, *frames: Any) -> Any:
    (answers,) = _answers(step, iter(frames), state)
    return answers


def test_rows_become_payments_and_changes_and_a_waiting_payment_sets_a_timeout() -> None:
    step, state = Step(AccountState({}, [PAYMENT])), StubState()
    answers = run(step, state, FRAME)

    assert step.arguments == [EMPTY, [PAYMENT, CHANGE], 500]
    assert AccountState.from_json(state.get[0] or "").waiting == [PAYMENT]
    assert (state.timeout_ms, len(answers)) == (1500, 0)


def test_a_waiting_payment_older_than_the_watermark_sets_the_next_possible_timeout() -> None:
    state = StubState(watermark_ms=2000)
    run(Step(AccountState({}, [PAYMENT])), state)

    assert state.timeout_ms == 2001


def test_an_answer_becomes_a_row_and_an_empty_state_is_removed() -> None:
    state = StubState(AccountState({}, [PAYMENT]).to_json(), watermark_ms=2000)
    step = Step(EMPTY, [enriched(PAYMENT, ["Shop", None, "B"])])
    (answer,) = run(step, state).to_dict("records")

    assert step.arguments == [AccountState({}, [PAYMENT]), [], 2000]
    assert state.exists is False
    expected = ["t1", "ann", "shop", "phone", "Berlin", 100, AT[0], "Shop", None, "B", ["UNKNOWN_DEVICE"]]
    assert [answer[column] for column in COLUMNS] == expected


@pytest.fixture(autouse=True)
def _no_output(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    yield
    assert capfd.readouterr().err == ""
