"""Compare the files of the hub's image with those of the student's kit; they must be the same, so no solution is there.

Usage: .venv/bin/python docker/ci/hub_files.py IMAGE. Another file, or one with other contents, ends it with code 1.
"""

import hashlib
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from autograder.cli.context import ROOT, course
from autograder.pack.archive import students_files

INSTALLED = r"-path ./.venv -o -path ./.cache -o -name __pycache__"
LIST = rf"cd /opt/streamlab && find . \( {INSTALLED} \) -prune -o -type f -print0 | xargs -0 sha256sum"
RECORDED = "/oracle.json"
ELSEWHERE = "find / -xdev -path /proc -prune -o -path '*/solutions/lab*' -print"


def digest(name: str, content: bytes) -> str:
    """Return the digest of a file's content; recorded answers differ from machine to machine, so their name counts."""
    return RECORDED if name.endswith(RECORDED) else hashlib.sha256(content).hexdigest()


def inside(image: str, command: str) -> list[str]:
    """Return the lines that a command prints in a container of the image, as root."""
    run = ["docker", "run", "--rm", "--network", "none", "--user", "0", image, "sh", "-c", command]
    return subprocess.run(run, check=True, capture_output=True, text=True).stdout.splitlines()


def main(image: str) -> None:
    """Print how many files were compared; exit with one line for the first difference."""
    kit = {file.name: digest(file.name, file.content) for file in students_files(ROOT, course())}
    lines = [line.split("  ./", 1) for line in inside(image, LIST)]
    found = {name: RECORDED if name.endswith(RECORDED) else content for content, name in lines}
    differences = sorted(name for name, _ in kit.items() ^ found.items()) + inside(image, ELSEWHERE)
    if differences:
        sys.exit(f"hub: expected the student's kit in the image, got other files: {', '.join(differences[:5])}")
    print(f"the image holds the {len(kit)} files of the student's kit, and no others of the clone")


if __name__ == "__main__":
    main(sys.argv[1])
