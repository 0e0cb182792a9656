"""The judge does not believe a sandbox: forged events earn nothing, and what a sandbox sends stays within limits."""

import json

import pytest

from tests.autograder.judge.tiny_kit import RIGHT, Kit, sentence, verdicts

# The attacks try hostile notebooks in a container (`./lab verify --attacks --sandbox container`).
pytestmark = pytest.mark.parametrize("level", ["bubblewrap", "process"], indirect=True)
FIND_THE_CHANNEL = (
    "import gc, os\nchannel = next(o for o in gc.get_objects() if type(o).__name__ == 'Channel')\n"
    "def write(line): os.write(channel._events.fileno(), line.encode() + b'\\n')\n"
)
ROWS = '{"event": "rows", "task": "double", "case": 0, "rows": {"got": 2}, "seconds": %s}'


@pytest.mark.parametrize(
    "line",
    [ROWS % 0, ROWS % ("1" + "0" * 400), ROWS % "1e999", "no event at all", '{"event": "done"}', '{"event": "gone"}'],
    ids=["rows", "a number too large", "infinite", "no event", "done", "gone"],
)
def test_events_that_the_runner_did_not_write_are_ignored_and_noted_once(kit: Kit, line: str) -> None:
    source = f"{FIND_THE_CHANNEL}for _ in range(3): write({line!r})\ndef double(x):\n    write({line!r})\n    return 7"

    results = kit.judge(source, RIGHT["triple"])

    assert verdicts(results) == {"double": "fail", "triple": "pass"}
    notes = results["streamlab"]["notes"]
    assert sum("wrote to the result channel" in note for note in notes) == 1


def test_rows_with_the_token_earn_nothing_unless_they_are_right(kit: Kit) -> None:
    forged = "channel.send('rows', task='double', case=case, rows={'got': 7}, seconds=0.0)"
    source = f"{FIND_THE_CHANNEL}def double(x):\n    for case in range(9): {forged}\n    return 7"

    results = kit.judge(source, RIGHT["triple"])

    assert verdicts(results) == {"double": "fail", "triple": "pass"}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("[[[[[[[[[[[[[[[[[[[[[[[[[[2 * x]]]]]]]]]]]]]]]]]]]]]]]]]]", "nested over 18"),
        ("[[] for _ in range(250_000)]", "250,002 lists, dicts and brackets"),
        ("'[' * 250_000", "250,001 lists, dicts and brackets"),
        ("float('nan')", "cannot be written as JSON"),
    ],
    ids=["deep", "many lists", "many brackets", "no number"],
)
def test_an_answer_that_is_too_deep_or_too_large_is_an_error_without_a_note(
    kit: Kit, answer: str, message: str
) -> None:
    results = kit.judge(f"def double(x):\n    return {answer}", RIGHT["triple"])

    assert (results["score"], verdicts(results)) == (2, {"double": "error", "triple": "pass"})
    assert message in sentence(results, "double")
    assert results["streamlab"]["notes"] == []


def test_texts_from_a_sandbox_are_shortened_in_the_report(kit: Kit) -> None:
    carries = [f"raise ValueError('{number:03}-' + 'secret ' * 100)" for number in range(30)]
    floods = "def double(x):\n    open('/nowhere/' + 'secret ' * 100)"
    answers = "def triple(x):\n    return 'secret ' * 1_000"

    results = kit.judge(*carries, floods, answers)

    assert "… and 25 more cells stopped with an error." in results["streamlab"]["notes"]
    assert json.dumps(results).count("secret") < 600


def test_events_cannot_extend_the_time_of_an_endless_task(kit: Kit) -> None:
    source = (
        f"{FIND_THE_CHANNEL}import time\ndef double(x):\n"
        "    while True: time.sleep(0.1); channel.send('finding', what='open', subject=str(time.time()), during='')"
    )

    results = kit.with_limits(case_s=2).judge(source, RIGHT["triple"])

    assert verdicts(results) == {"double": "timeout", "triple": "pass"}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("import json\nhonest = json.dumps\njson.dumps = lambda *a, **k: honest(*a, **k)", "json.dumps"),
        ("from autograder.inside import DRIVES\nDRIVES['double'] = DRIVES['triple']", "DRIVES.double"),
        ("import builtins\nhonest = isinstance\nbuiltins.isinstance = lambda *a: honest(*a)", "builtins.isinstance"),
        ("import sys\nsys.settrace(lambda *a: None)", "sys.settrace"),
    ],
)
def test_rows_of_a_sandbox_with_changed_judging_code_do_not_count(kit: Kit, change: str, named: str) -> None:
    results = kit.judge(change, *RIGHT.values())

    assert verdicts(results) == {"double": "error", "triple": "error"}
    assert "changed the judging code in its sandbox" in sentence(results, "double")
    assert any(named in note for note in results["streamlab"]["notes"])


def test_a_task_that_changes_judging_code_fails_with_the_tasks_after_it(kit: Kit) -> None:
    wrap = "json.dumps = (lambda f: lambda *a, **k: f(*a, **k))(json.dumps)"
    change = f"import json\ndef triple(x):\n    {wrap}\n    return 3 * x"

    results = kit.judge(RIGHT["double"], change)

    assert verdicts(results) == {"double": "pass", "triple": "error"}
