"""The groups of a lab: folders of `autograder/stages/LAB/`, each with what is special to a few tasks."""

from pathlib import Path

STAGES = Path(__file__).resolve().parents[1] / "stages"


def group_modules(lab: str, name: str) -> list[str]:
    """The modules of this name in the groups of a lab, in the order of the groups' names.

    Example: group_modules("lab01_wordcount", "drive")[0] -> "autograder.stages.lab01_wordcount.counting.drive"
    """
    paths = sorted((STAGES / lab).glob(f"*/{name}.py"))
    return [f"autograder.stages.{lab}.{path.parent.name}.{name}" for path in paths]
