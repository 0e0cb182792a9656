"""A mistake in course.yml is reported in one line with its line number."""

from pathlib import Path

import pytest

from autograder.course import CourseError, load_course

GOOD = """course: C
release: "1"
limits: {wall_s: 300, load_s: 20, case_s: 30, memory_mb: 2500, output_mb: 16, processes: 512}
labs:
  lab01_wordcount:
    title: Words
    minutes: 90
    points: 5
    tasks:
      words:
        checks: {a_claim: 2}
        throughput: {baseline: slides, threshold: 1.5, points: 2}
    written: {why: 1}
"""


def load(tmp_path: Path, text: str):
    (tmp_path / "course.yml").write_text(text)
    return load_course(tmp_path)


def test_a_good_course_has_its_labs_tasks_and_points(tmp_path: Path) -> None:
    lab = load(tmp_path, GOOD).labs["lab01_wordcount"]

    assert (lab.judged_points, lab.points, lab.tasks["words"].points) == (4, 5, 4)


def test_each_part_of_the_system_has_its_tasks_and_no_digest_has_the_part(tmp_path: Path) -> None:
    course = load(tmp_path, GOOD.replace("      words:", "      words:\n        part: log"))

    assert course.tasks_of_parts()["log"] == ["lab01_wordcount/words"]
    assert course.tasks_of_parts()["desk"] == []
    assert (
        course.labs["lab01_wordcount"].model_dump_json()
        == load(tmp_path, GOOD).labs["lab01_wordcount"].model_dump_json()
    )


def test_portfolios_are_on_unless_the_course_turns_them_off(tmp_path: Path) -> None:
    assert load(tmp_path, GOOD).portfolio
    assert not load(tmp_path, f"portfolio: false\n{GOOD}").portfolio
    with pytest.raises(CourseError, match="portfolio"):
        load(tmp_path, f"portfolio: never\n{GOOD}")


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("points: 5", "points: 6", 5, "give 5"),
        ("threshold: 1.5", "threshold: 0.9", 12, "greater than 1"),
        ("    minutes: 90", "\tminutes: 90", 7, "a tab"),
        ("minutes: 90", "minutes: soon", 7, "got 'soon'"),
        ("    title: Words", "    title: Words\n    title: Twice", 7, "second time"),
        ("    title: Words", "    titel: Words", 6, "titel"),
        ("a_claim: 2", "A Claim: 2", 11, "pattern"),
        ("a_claim: 2", "a_claim: -2", 11, "greater than 0"),
        *(
            ("why: 1", f"why: {points}", 13, "why")
            for points in ("1.125", "0.1", "0", ".nan", ".inf", "true", "'1'", "")
        ),
        ("points: 2}", "points: 1.125}", 12, "multiple of 0.25, got 1.125"),
        ("    points: 5", "    points: 5.1", 8, "multiple of 0.25"),
        ("minutes: 90", "minutes: '90'", 7, "got '90'"),
        ("threshold: 1.5", "threshold: .nan", 12, "got nan"),
        ("wall_s: 300", "wall_s: .inf", 3, "got inf"),
        ("title: Words", "title: [Words", 7, ""),
        ("      words:", "      words:\n        part: logs", 11, "expected one of sources, connector, log, job"),
        ("minutes: 90", "minutes: 90\n    builds_on: [lab00]", 4, "no such lab"),
        ("minutes: 90", "minutes: 90\n    builds_on: [lab01_wordcount]", 4, "must come before it"),
    ],
)
def test_a_mistake_is_one_line_with_its_line_number(
    tmp_path: Path, old: str, new: str, line: int, message: str
) -> None:
    with pytest.raises(CourseError) as mistake:
        load(tmp_path, GOOD.replace(old, new, 1))

    assert f"course.yml line {line}:" in str(mistake.value)
    assert message in str(mistake.value)
    assert "\n" not in str(mistake.value)


def test_points_come_in_quarters(tmp_path: Path) -> None:
    text = GOOD.replace("a_claim: 2", "a_claim: 1.25").replace("why: 1", "why: 1.75")

    assert load(tmp_path, text).labs["lab01_wordcount"].judged_points == 3.25


def test_a_missing_course_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="not found"):
        load_course(tmp_path)


@pytest.mark.parametrize("text", ["", "just words", "- a\n- b\n"])
def test_a_file_that_is_not_a_course_is_a_one_line_error(tmp_path: Path, text: str) -> None:
    with pytest.raises(CourseError, match="line 1"):
        load(tmp_path, text)


def test_a_lab_may_override_time_limits_and_keeps_the_other_limits(tmp_path: Path) -> None:
    patient = load(tmp_path, GOOD.replace("    points: 5", "    points: 5\n    wall_s: 600\n    case_s: 60"))
    course = load(tmp_path, GOOD)

    assert course.limits_of("lab01_wordcount") == course.limits
    assert patient.limits_of("lab01_wordcount") == course.limits.model_copy(update={"wall_s": 600, "case_s": 60})


MORE = GOOD.replace("points: 5", "points: 6").replace(
    "    written:",
    """      lines:
        checks: {right: 1}
    written:""",
)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("bonus: true", "points is 6, but checks, throughput checks and written questions give 5 without bonus tasks"),
        ("step_of: letters", "lines is a step of letters, which is no other task of this lab"),
        ("step_of: lines", "lines is a step of lines, which is no other task of this lab"),
        ("bonus: true\n        step_of: words", "both are bonus, or neither is"),
        ("bonus: true\n        throughput: {baseline: b, threshold: 2, points: 1}", "a bonus task has no throughput"),
        ("step_of: words\n        throughput: {baseline: b, threshold: 2, points: 1}", "belongs to the whole"),
    ],
)
def test_bonus_tasks_and_steps_follow_their_rules(tmp_path: Path, entry: str, message: str) -> None:
    checks = "        checks: {right: 1}\n"

    with pytest.raises(CourseError) as mistake:
        load(tmp_path, MORE.replace(checks, f"{checks}        {entry}\n"))

    assert message in str(mistake.value)


def test_a_step_of_a_step_is_an_error(tmp_path: Path) -> None:
    text = MORE.replace("        checks: {right: 1}\n", "        checks: {right: 1}\n        step_of: letters\n")
    letters = "      letters: {checks: {one: 1}, step_of: words}\n    written:"

    with pytest.raises(CourseError, match="which is itself a step of words"):
        load(tmp_path, text.replace("    written:", letters).replace("points: 6", "points: 7"))


def test_points_of_bonus_tasks_are_not_among_the_points(tmp_path: Path) -> None:
    text = MORE.replace("points: 6", "points: 5").replace("{right: 1}\n", "{right: 1}\n        bonus: true\n")
    course = load(tmp_path, text)
    lab = course.labs["lab01_wordcount"]

    assert (lab.judged_points, lab.bonus_points, list(lab.core), course.bonus) == (4, 1, ["words"], "information")


def test_a_lab_needs_a_task_that_is_no_bonus(tmp_path: Path) -> None:
    text = GOOD.replace("        throughput: {baseline: slides, threshold: 1.5, points: 2}\n", "        bonus: true\n")

    with pytest.raises(CourseError, match="lab01_wordcount has bonus tasks only"):
        load(tmp_path, text.replace("points: 5", "points: 1"))


@pytest.mark.parametrize(("measured", "stated"), [("", "~90"), ("\n    measured: true", "90")])
def test_minutes_that_nobody_measured_are_marked(tmp_path: Path, measured: str, stated: str) -> None:
    lab = load(tmp_path, GOOD.replace("minutes: 90", f"minutes: 90{measured}")).labs["lab01_wordcount"]

    assert lab.stated_minutes == stated
