"""The groups of a lab: folders of `autograder/stages/LAB/`, each with the drive, cases and checks of a few tasks."""

import importlib
from pathlib import Path


def group_modules(lab: str, name: str) -> list[str]:
    """Return the modules of this name in the groups of a lab, ordered by group name.

    Example: group_modules("lab01_wordcount", "drive")[0] -> "autograder.stages.lab01_wordcount.counting.drive"
    """
    stage = importlib.import_module(f"autograder.stages.{lab}")
    paths = [path for folder in stage.__path__ for path in sorted(Path(folder).glob(f"*/{name}.py"))]
    return [f"{stage.__name__}.{path.parent.name}.{name}" for path in paths]
