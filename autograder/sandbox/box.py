"""The box: a temporary folder with all that one sandbox may see of the kit.

kit/    streamlab, autograder.inside the lab's drive*.py, copied (so that no private folder has to be opened)
data/   inputs that the judge places while the sandbox runs (throughput checks)
home/, tmp/   for the `process` level; the other levels have their own
"""

import shutil
import tempfile
from pathlib import Path

HOME = "/home/student"  # what follows is for levels with isolation
WRITABLE_MB = {"/tmp": 512, HOME: 512}
SHARED_MEMORY_MB = 64
ETC = {
    "passwd": f"root:x:0:0::/:/bin/sh\nstudent:x:{{uid}}:{{uid}}::{HOME}:/bin/sh\n",
    "group": "root:x:0:\nstudent:x:{uid}:\n",
    "hosts": "127.0.0.1 localhost sandbox\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
MODELS = "datasets/log_models"  # a few kB; streamlab.enrichment.log_models reads them
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
        skip = shutil.ignore_patterns("__pycache__")
        shutil.copytree(root / "streamlab", self.kit / "streamlab", ignore=skip)
        shutil.copytree(root / "autograder/inside", self.kit / "autograder/inside", ignore=skip)
        stage = f"autograder/stages/{lab}"
        driven = {path.parent for path in (root / stage).glob("*/drive.py")}
        own = [path for group in driven for path in (group / "__init__.py", *group.glob("drive*.py"))]
        models = (root / MODELS).glob("*.onnx")
        for path in (*(root / name for name in SEEN_BY_RUNNERS), root / stage / "__init__.py", *own, *models):
            target = self.kit / path.relative_to(root)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)

    def place(self, name: str, content: bytes) -> None:
        """Put an input where the sandbox can read it, whole at once."""
        target = self.data / name
        partial = target.with_suffix(".partial")
        partial.write_bytes(content)
        partial.chmod(0o644)
        partial.rename(target)

    def made_up_etc(self, uid: int) -> list[tuple[Path, str]]:
        """Files that name nobody of this machine, each with the place where the sandbox sees it ("/etc/passwd")."""
        return [(self._write("etc", name, text.format(uid=uid)), f"/etc/{name}") for name, text in ETC.items()]

    def empty_file(self) -> Path:
        """A file with nothing in it, to be shown in place of one of this machine."""
        return self._write("etc", "empty", "")

    def _write(self, folder: str, name: str, text: str) -> Path:
        place = self.path / folder
        place.mkdir(exist_ok=True)
        place.chmod(0o755)
        (place / name).write_text(text)
        (place / name).chmod(0o644)
        return place / name

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.path, ignore_errors=True)


def _open_for_reading(folder: Path) -> None:
    """Whatever the umask was, the sandbox's user may read (and in home/ and tmp/ of the box, write)."""
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
