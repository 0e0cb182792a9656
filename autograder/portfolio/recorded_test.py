"""The record of one test, which `recorded` makes and `tests_text` writes."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RecordedTest:
    """A test of one check's claim: its lines, and {name: module} of the classes that they name."""

    claim: str
    lines: list[str]
    classes: dict[str, str]
