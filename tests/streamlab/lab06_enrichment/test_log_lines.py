"""Log lines are the same for equal seeds, and each label has its share."""

from collections import Counter

import pytest

from streamlab.lab06_enrichment.log_lines import LABELS, SERVICES, log_lines


def test_equal_seeds_give_equal_lines_and_other_seeds_other_lines() -> None:
    assert log_lines("a", 50) == log_lines("a", 50) != log_lines("b", 50)


def test_every_service_writes_lines_and_labels_have_their_shares() -> None:
    lines = log_lines("shares", 10_000)

    labels = Counter(line.label for line in lines)
    assert {line.service for line in lines} == set(SERVICES)
    assert [labels[label] / 10_000 for label in LABELS] == pytest.approx([0.80, 0.08, 0.12], abs=0.02)
    assert not any("{" in line.content for line in lines)
