"""An attack's file declares its target, and the words with which the report must name it."""

from pathlib import Path

import pytest

from autograder.course import load_course
from autograder.hostile.attack import TWO_TASKS, BadAttack, read_attacks
from autograder.hostile.files import FILE_ATTACKS
from tests.autograder.stages.driven_reference import is_plain

ROOT = Path(__file__).resolve().parents[3]


def test_dozens_of_attacks_exist_and_each_declares_its_target_and_its_words_in_the_report() -> None:
    attacks = read_attacks()

    assert len(attacks) >= 40
    assert len(FILE_ATTACKS) >= 10
    for each in attacks:
        assert each.about.endswith((".", "?"))
        assert each.named
        assert set(each.costs) <= set(each.tasks)
        compile(each.code, each.name, "exec")


def test_every_lab_with_two_tasks_without_spark_is_attacked() -> None:
    labs = load_course(ROOT).labs
    plain = {lab: [task for task in entry.core if is_plain(lab, task)] for lab, entry in labs.items()}

    assert {each.lab for each in read_attacks()} == {lab for lab, tasks in plain.items() if len(tasks) >= 2}
    assert all(set(two) <= set(plain[lab]) for lab, two in TWO_TASKS.items())


def test_the_code_of_an_attack_follows_its_constants(tmp_path: Path) -> None:
    (tmp_path / "steals.py").write_text('"""The bank.\n\nMore."""\n\nNAMED = "theft"\nCOSTS = ["words"]\n\nX = 1\n')

    (attack,) = read_attacks(tmp_path)

    assert (attack.name, attack.about, attack.code) == ("steals", "The bank.", "X = 1\n")
    assert (attack.named, attack.costs, attack.throughput) == ("theft", ("words",), False)


def test_an_attack_on_every_lab_is_tried_on_two_tasks_of_each(tmp_path: Path) -> None:
    (tmp_path / "steals.py").write_text(
        '"""The bank."""\n\nNAMED = "theft"\nCOSTS = ["deliver"]\nEVERY_LAB = True\n\nX = TASK\n'
    )

    attacks = {each.name: each for each in read_attacks(tmp_path)}

    later = [lab for lab in TWO_TASKS if lab != "lab01_wordcount"]
    assert set(attacks) == {"steals", *(f"steals__{lab}" for lab in later)}
    assert attacks["steals__lab03_log"].tasks == ("partition_for", "assign")
    assert attacks["steals__lab03_log"].costs == ("assign",)


@pytest.mark.parametrize("text", ['NAMED = "x"\n', '"""About."""\nX = 1\n', '"""About."""\nNAMED = ""\nX = 1\n'])
def test_an_incomplete_attack_file_is_rejected_by_name(tmp_path: Path, text: str) -> None:
    (tmp_path / "steals.py").write_text(text)

    with pytest.raises(BadAttack, match=r"steals\.py"):
        read_attacks(tmp_path)
