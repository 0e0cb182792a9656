"""The oracles of Registry and Master against the examples in the docstrings."""

from autograder.stages.lab07_irm.messages import oracle


def test_the_registry_oracle_agrees_with_the_example_in_the_docstring() -> None:
    script = [["add_engine", "a", "i", 1], ["add_engine", "b", "i", 0], ["add_engine", "c", "i", 0]]
    script += [["take_engine", "i"]] * 4 + [["promise", name, "i"] for name in ("m1", "m2", "m3")]

    answers = oracle.answers({"limit": 2, "script": script})

    assert answers == [None, None, None, "c", "b", "a", None, True, True, False]


def test_the_master_oracle_agrees_with_the_example_in_the_docstring() -> None:
    script = [
        ["offer", "m1", "i"],
        ["offer", "m2", "i"],
        ["offer", "m3", "i"],
        ["stored", "m2"],
        ["idle", "e1", "i", 1],
    ]
    script += [["stored", "m1"], ["idle", "e2", "i", 0], ["done", "e1", "m2"], ["offer", "m3", "i"], ["leaving", "e1"]]
    script += [["lost", "e1"], ["done", "e1", "m3"]]

    orders = oracle.orders({"limit": 2, "script": script})

    found = [[(what, message or engine) for what, message, engine in each] for each in orders or []]
    first = [[("store", "m1")], [("store", "m2")], [("wait", "m3")], [], [("hand", "m2")], [], [("hand", "m1")]]
    assert found[:7] == first
    assert found[7:] == [[("forget", "m2")], [("push", "m3")], [("stay", "e1")], [("store", "m3")], [("forget", "m3")]]


def test_a_stored_message_of_a_lost_engine_goes_to_the_front() -> None:
    script = [["offer", "m1", "i"], ["offer", "m2", "i"], ["stored", "m1"], ["stored", "m2"], ["idle", "e1", "i", 0]]

    orders = oracle.orders({"script": [*script, ["lost", "e1"], ["idle", "e2", "i", 0]]})

    assert orders is not None
    assert orders[-1] == [["hand", "m1", "e2"]]
