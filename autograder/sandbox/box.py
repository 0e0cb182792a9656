"""The box: a temporary folder that holds everything one sandbox may see of the kit.

kit/    copies of autograder.inside, the lab's drive*.py, streamlab's platform, and the library and data sets of the lab
        and of those that it builds on; no other lab's code, and private folders stay closed
data/   inputs that the judge places while the sandbox runs (throughput checks)
home/, tmp/   used by the `process` level only; the other levels have their own
"""

import shutil
import tempfile
from functools import cache
from pathlib import Path

from autograder.course import load_course

HOME = "/home/student"  # from here to ETC: for the levels with isolation
WRITABLE_MB = {"/tmp": 512, HOME: 512}
SHARED_MEMORY_MB = 64
ETC = {
    "passwd": f"root:x:0:0::/:/bin/sh\nstudent:x:{{uid}}:{{uid}}::{HOME}:/bin/sh\n",
    "group": "root:x:0:\nstudent:x:{uid}:\n",
    "hosts": "127.0.0.1 localhost sandbox\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
SEEN_BY_RUNNERS = ("autograder/__init__.py", "autograder/stages/__init__.py")


class Box:
    """One temporary folder; `close()` removes it."""

    def __init__(self, root: Path, lab: str) -> None:
        self.root, self.path = root, Path(tempfile.mkdtemp(prefix="streamlab-box-"))
        self.kit, self.data = self.path / "kit", self.path / "data"
        for name in ("kit", "data", "home", "tmp"):
            (self.path / name).mkdir()
        self._copy_kit(root, lab)
        _open_for_reading(self.path)

    def _copy_kit(self, root: Path, lab: str) -> None:
        labs = _with_earlier(root, lab)
        skip = shutil.ignore_patterns("__pycache__", *(each.name for each in _rooms(root) if each.name not in labs))
        shutil.copytree(root / "streamlab", self.kit / "streamlab", ignore=skip)
        for each in (f"datasets/{lab}" for lab in labs if (root / "datasets" / lab).is_dir()):
            shutil.copytree(root / each, self.kit / each, ignore=skip)
        shutil.copytree(root / "autograder/inside", self.kit / "autograder/inside", ignore=skip)
        stage = f"autograder/stages/{lab}"
        driven = {path.parent for path in (root / stage).glob("*/drive.py")}
        own = [path for group in driven for path in (group / "__init__.py", *group.glob("drive*.py"))]
        for path in (*(root / name for name in SEEN_BY_RUNNERS), root / stage / "__init__.py", *own):
            target = self.kit / path.relative_to(root)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)

    def place(self, name: str, content: bytes) -> None:
        """Put an input where the sandbox can read it; it appears there atomically."""
        target = self.data / name
        partial = target.with_suffix(".partial")
        partial.write_bytes(content)
        partial.chmod(0o644)
        partial.rename(target)

    def etc_files(self, uid: int) -> list[tuple[Path, str]]:
        """Write /etc files without users of this machine; return each with its path in the sandbox ("/etc/passwd")."""
        return [(self._write("etc", name, text.format(uid=uid)), f"/etc/{name}") for name, text in ETC.items()]

    def empty_file(self) -> Path:
        """Return an empty file, which the sandbox sees in place of one of this machine's files."""
        return self._write("etc", "empty", "")

    def _write(self, folder: str, name: str, text: str) -> Path:
        parent = self.path / folder
        parent.mkdir(exist_ok=True)
        parent.chmod(0o755)
        (parent / name).write_text(text)
        (parent / name).chmod(0o644)
        return parent / name

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.path, ignore_errors=True)


@cache
def _with_earlier(root: Path, lab: str) -> list[str]:
    return load_course(root).with_earlier(lab)


def _rooms(root: Path) -> list[Path]:
    """Return the folders of streamlab that belong to one lab."""
    return list((root / "streamlab").glob("lab[0-9][0-9]_*"))


def _open_for_reading(folder: Path) -> None:
    """Let the sandbox's user read everything in `folder`, independent of the judge's umask."""
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
