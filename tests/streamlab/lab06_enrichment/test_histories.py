"""The state of an account survives a round trip through text."""

from streamlab.lab06_enrichment import AccountState, Key, Transaction, Version
from streamlab.lab06_enrichment.histories import EMPTY


def test_a_state_survives_a_round_trip_through_text() -> None:
    versions = {Key("device", 'a","b', ""): [Version(10, 1, "ö"), Version(40, 2, None)], Key("x", "y", "z"): []}
    state = AccountState(versions, [Transaction("t", 'a","b', "r", "", "l", 5, -1)])

    assert AccountState.from_json(state.to_json()) == state
    assert AccountState.from_json(EMPTY.to_json()) == EMPTY
