"""Locates the class folder of a kit. The sandbox needs it, too, to hide it from submissions."""

import os
from pathlib import Path


def class_folder(root: Path) -> Path:
    """Return STREAMLAB_CLASS relative to where `./lab` was called, or `work/class` of the kit at `root` if unset."""
    setting = os.environ.get("STREAMLAB_CLASS")
    folder = Path(os.environ.get("STREAMLAB_CALLED_FROM", "."), setting) if setting else root / "work" / "class"
    return folder.absolute()
