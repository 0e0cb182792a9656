"""A verification reports each kind of hole, saves its results, and repeats only a sample of unchanged parts."""

import json
import os
import textwrap
from pathlib import Path
from time import monotonic

import pytest

from autograder.course import load_course
from autograder.inside.patience import wait_until
from autograder.judge import answer_limits
from autograder.judge.reference_figures import measured
from autograder.judge.request import Request
from autograder.verify.report import Report
from autograder.verify.verification import Extent, _Verification, verify_lab
from tests.autograder.conftest import working_level
from tests.autograder.verify.small_lab import GROUP, LAB

STAGE = f"autograder/stages/{LAB}"


def verified(kit: Path, *, quick: bool = True, level: str = "process") -> Report:
    request = Request(kit, load_course(kit), workers=2, sandbox=level)
    return verify_lab(LAB, request, Extent(quick=quick), lambda text: None)


def replaced(path: Path, *changes: tuple[str, str]) -> None:
    text = path.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)


@pytest.fixture
def _no_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Verification, "_notebook", lambda self: ([], 0.0))
    monkeypatch.delenv("CI", raising=False)


@pytest.mark.usefixtures("_no_notebook")
def test_a_lab_without_holes_is_recorded_and_then_verified_by_a_sample(kit: Path) -> None:
    level = working_level("bubblewrap")
    first = verified(kit, quick=False, level=level)
    kept = json.loads((kit / STAGE / "verified.json").read_text())
    second = verified(kit, quick=False, level=level)

    assert first.holes == second.holes == []
    assert (kept["mutants"], kept["alternatives"], kept["null_stubs"]["points"]) == (3, 1, 0)
    automatic = kept["automatic"]
    assert automatic["driven"] == automatic["caught"] + automatic["listed"] > 20
    assert "unchanged" in [part.name for part in second.parts]
    assert len(second.rows) == 3
    assert "odd_is_valid" in (kit / STAGE / "messages.txt").read_text()


@pytest.mark.usefixtures("_no_notebook")
def test_answers_may_be_larger_than_those_of_the_last_verification(kit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_limits, "MORE_VALUES", 0)
    recorded = {"reference": measured({}, {"halve": 0, "quarter": 0})}
    (kit / STAGE / "verified.json").write_text(json.dumps(recorded))

    assert verified(kit).holes == []


@pytest.mark.usefixtures("_no_notebook")
def test_after_a_change_of_an_earlier_lab_only_the_seams_are_verified(kit: Path) -> None:
    level, record = working_level("bubblewrap"), kit / STAGE / "verified.json"
    verified(kit, quick=False, level=level)
    complete = json.loads(record.read_text())
    record.write_text(json.dumps(complete | {"earlier": "of other files"}))

    report = verified(kit, quick=False, level=level)

    assert report.holes == []
    assert [part.name for part in report.parts][-2:] == ["notebook", "seams"]
    assert json.loads(record.read_text()) == complete


@pytest.mark.usefixtures("_no_notebook")
def test_a_verification_without_isolation_is_not_recorded(kit: Path) -> None:
    assert verified(kit, quick=False, level="process").holes == []
    assert not (kit / STAGE / "verified.json").exists()


def test_each_kind_of_hole_is_reported(kit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    group = kit / GROUP
    replaced(
        group / "mutants.py",
        ('"a_half_is_half_of_the_number"', '"an_odd_number_is_rejected"'),
        ('"return number // 2", "return number / 2"', '"if number % 2:", "if not number % 2:"'),
    )
    replaced(group / "alternatives.py", ("number >> 1", "(number >> 1) % 4"))
    replaced(kit / f"labs/{LAB}/{LAB}.ipynb", ("raise NotImplementedError('quarter')", "return number - 6"))

    holes = sorted(verified(kit).holes)

    expected = [
        "halve: alternative halve__by_bits lost points in halve/a_half_is_half_of_the_number",
        "halve: mutant halve__eight_is_eight got full marks from an_odd_number_is_rejected, which must catch it",
        "halve: mutant halve__eight_is_eight lost points in a_half_is_half_of_the_number, which it does not declare",
        "halve: no check catches “return number // 2” → “return number / 2”; add a case that does, or list it: ",
        "halve: numbers/mutants.py line 22 lists “if number % 2:” → “if not number % 2:”, which a check catches; ",
        "the check a_half_is_half_of_the_number caught no mutant: nothing shows that it can fail",
        "the starter got points in quarter/a_quarter_is_half_of_a_half",
    ]
    assert [hole[: len(start)] for hole, start in zip(holes, expected, strict=True)] == expected


def test_messages_are_compared_but_not_written_in_ci(kit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    messages = kit / STAGE / "messages.txt"
    monkeypatch.setitem(os.environ, "CI", "true")

    holes = verified(kit).holes

    assert len(holes) > 0
    assert all("messages.txt is out of date" in hole for hole in holes)
    assert not messages.exists()


def test_ctrl_c_ends_the_notebook_instead_of_waiting_for_it(kit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    began = kit / "began"
    path = "\n".join(map(repr, textwrap.wrap(str(began), 60)))  # a line of a cell has at most 88 columns
    sleeps = f"import pathlib, time\nfrom streamlab import check\npathlib.Path(\n{path}\n).touch()\ntime.sleep(100)"
    replaced(kit / f"solutions/{LAB}/{LAB}.py", ("from streamlab import check", sleeps))

    def interrupted(verification: object) -> None:
        assert wait_until(began.exists, 60)
        interrupted_at.append(monotonic())
        raise KeyboardInterrupt

    interrupted_at: list[float] = []
    monkeypatch.setattr(_Verification, "starter_and_reference", interrupted)
    with pytest.raises(KeyboardInterrupt):
        verified(kit, quick=False)

    assert monotonic() - interrupted_at[0] < 20
