"""policy.yml is read strictly: a mistake is one line with its position, what was expected, and what came."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from autograder.classroom.policy import Group, LateRule, Policy
from autograder.classroom.policy_file import FILE, PolicyError, policy_of
from tests.autograder.tiny_class import LAB, TinyClass

EVERYTHING = f"""
due: {{{LAB}: 2026-10-05 23:59 Europe/Berlin}}
late: {{grace_hours: 2, per_day: 10 %, floor: 50 %}}
students: {{s17: {{extend: {{{LAB}: 3 days}}}}, s20: {{excused: [{LAB}]}}}}
groups: {{{LAB}: [[s1, s2], [s3, s4]]}}
ungraded: [{LAB}/triple]
"""


def policy(tiny_class: TinyClass, text: str) -> Policy:
    tiny_class.classroom.folder.mkdir(exist_ok=True)
    (tiny_class.classroom.folder / FILE).write_text(text)
    return policy_of(tiny_class.classroom)


def test_a_class_without_a_policy_has_the_empty_one(tiny_class: TinyClass) -> None:
    assert policy_of(tiny_class.classroom) == Policy()
    assert policy(tiny_class, "# nothing yet\n") == Policy()
    assert policy(tiny_class, "due:\nlate: {per_day: 5 %}\n").late == LateRule(0.05)


def test_every_part_is_read(tiny_class: TinyClass) -> None:
    found = policy(tiny_class, EVERYTHING)

    assert found == Policy(
        due={LAB: datetime(2026, 10, 5, 23, 59, tzinfo=ZoneInfo("Europe/Berlin"))},
        late=LateRule(0.1, timedelta(hours=2), 0.5),
        extensions={("s17", LAB): timedelta(days=3)},
        excused=frozenset({("s20", LAB)}),
        groups={LAB: (Group(("s1", "s2")), Group(("s3", "s4")))},
        ungraded={"triple": frozenset({"three_times_the_number"})},
    )


def test_groups_may_have_the_names_that_the_site_shows(tiny_class: TinyClass) -> None:
    found = policy(tiny_class, f"groups: {{{LAB}: {{Team A: [s1, s2], Team B: [s3]}}}}")

    assert found.groups[LAB] == (Group(("s1", "s2"), "Team A"), Group(("s3",), "Team B"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("due: {lab00: x}", r"line 1: due: expected a lab \(lab99_tiny\), got 'lab00'"),
        (
            f"\ndue:\n  {LAB}: 2026-10-05",
            r"line 3: due.lab99_tiny: expected a date, a time, and a zone, .* got '2026-10",
        ),
        (f"due: {{{LAB}: 2026-10-05 23:59 Berlin}}", "line 1: due.lab99_tiny: expected a date, a time, and a zone"),
        (f"due: {{{LAB}: 2026-02-30 23:59 UTC}}", "line 1: due.lab99_tiny: expected a date"),
        ("late: {per_day: ten}", "line 1: late.per_day: expected a percentage such as 10 %, got 'ten'"),
        ("late: {per_day: 110 %}", "line 1: late.per_day: expected at most 100 %, got '110 %'"),
        ("late: {floor: 50 %}", "line 1: late: expected per_day: such as 10 %, got 'none'"),
        ("late: {per_day: 1 %, grace_hours: -1}", "line 1: late.grace_hours: expected a number of hours, got '-1'"),
        ("late: 10 %", r"line 1: late: expected a mapping \(key: value\), got '10 %'"),
        ("lates: {}", "line 1: expected one of due, late, students, groups, ungraded, got 'lates'"),
        ("students: {s1: {extra: 1}}", "line 1: students.s1: expected one of extend, excused, got 'extra'"),
        (f"students:\n  s1: {{extend: {{{LAB}: soon}}}}", "line 2: .*expected a time such as 3 days or 12 hours"),
        ("students: {s1: {excused: [lab00]}}", "line 1: students.s1.excused: expected a lab"),
        ("students: {a/b: {}}", "line 1: students.a/b: a student's id must not have '/'"),
        (
            f"groups: {{{LAB}: [[s1, s2],\n [s2]]}}",
            "line 2: groups.lab99_tiny: expected each student in one group, got",
        ),
        (f"groups: {{{LAB}: s1}}", "line 1: groups.lab99_tiny: expected a list in brackets"),
        ("ungraded: [tripel]", "line 1: ungraded: expected LAB/TASK or LAB/TASK/CHECK, got 'tripel'"),
        (f"ungraded: [{LAB}/triple/no]", "expected one of three_times_the_number after lab99_tiny/triple/, got"),
        ("due: {}\ndue: {}", "line 2: expected each key once, got 'due a second time'"),
        ("due: {\n", "line 2: "),
        ("\tdue: {}", "line 1: "),
        ("- due", r"line 1: expected a mapping \(key: value\), got 'a list or a mapping'"),
    ],
)
def test_a_mistake_is_one_line_with_its_position(tiny_class: TinyClass, text: str, message: str) -> None:
    with pytest.raises(PolicyError, match=rf"^policy\.yml .*{message}") as problem:
        policy(tiny_class, text)

    assert "\n" not in str(problem.value)


def test_a_penalty_class_in_nbgraders_configuration_next_to_late_is_an_error(tiny_class: TinyClass) -> None:
    config = tiny_class.classroom.root / "nbgrader_config.py"
    config.write_text("c = get_config()\n# c.LateSubmissionPlugin\nc.AssignLatePenalties.plugin_class = 'x.Y'\n")

    with pytest.raises(PolicyError, match=r"nbgrader_config\.py line 3: AssignLatePenalties, but policy\.yml has"):
        policy(tiny_class, "late: {per_day: 10 %}")
    assert policy(tiny_class, "due: {}") == Policy()
