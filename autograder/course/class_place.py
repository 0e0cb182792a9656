"""Where the class of a kit lies: the sandbox must know it, too, to keep it out of sight."""

import os
from pathlib import Path


def class_folder(root: Path) -> Path:
    """What STREAMLAB_CLASS names, seen from where `./lab` was called; else `work/class` of the kit at `root`."""
    named = os.environ.get("STREAMLAB_CLASS")
    folder = Path(os.environ.get("STREAMLAB_CALLED_FROM", "."), named) if named else root / "work" / "class"
    return folder.absolute()
