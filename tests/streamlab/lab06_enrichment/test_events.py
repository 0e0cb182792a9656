"""Known, unknown and no answer are three results; a key has three parts; an account's state survives a round trip."""

import pytest

from streamlab.lab06_enrichment import NO_ANSWER, AccountState, Key, Transaction, Version, enriched
from streamlab.lab06_enrichment.histories import EMPTY

PAYMENT = Transaction("t1", "ann", "shop", "phone", "Berlin", 100, 4999)


def test_the_keys_of_a_payment_are_its_recipient_device_and_location() -> None:
    assert PAYMENT.keys == (
        Key("recipient", "ann", "shop"),
        Key("device", "ann", "phone"),
        Key("location", "ann", "Berlin"),
    )


@pytest.mark.parametrize(
    ("answers", "rows", "flags"),
    [
        (("Shop", "", "B"), ("Shop", "", "B"), ()),  # an empty row is a row
        (("Shop", None, "B"), ("Shop", None, "B"), ("UNKNOWN_DEVICE",)),
        (("Shop", NO_ANSWER, "B"), ("Shop", None, "B"), ("NO_ANSWER_DEVICE",)),
        ((None, None, None), (None, None, None), ("UNKNOWN_RECIPIENT", "UNKNOWN_DEVICE", "UNKNOWN_LOCATION")),
        ((NO_ANSWER, "", None), (None, "", None), ("NO_ANSWER_RECIPIENT", "UNKNOWN_LOCATION")),
    ],
)
def test_each_answer_becomes_a_row_or_a_flag(answers: tuple, rows: tuple, flags: tuple) -> None:
    assert enriched(PAYMENT, answers) == (PAYMENT, rows, flags)


@pytest.mark.parametrize("count", [0, 2, 4])
def test_another_number_of_answers_is_rejected(count: int) -> None:
    with pytest.raises(ValueError, match=f"expected an answer for each of recipient, device, location, got {count}"):
        enriched(PAYMENT, [None] * count)


def test_a_state_survives_a_round_trip_through_text() -> None:
    versions = {Key("device", 'a","b', ""): [Version(10, 1, "ö"), Version(40, 2, None)], Key("x", "y", "z"): []}
    state = AccountState(versions, [Transaction("t", 'a","b', "r", "", "l", 5, -1)])

    assert AccountState.from_json(state.to_json()) == state
    assert AccountState.from_json(EMPTY.to_json()) == EMPTY
