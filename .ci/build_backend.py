"""The build backend of `pyproject.toml`: it explains why `pip install .` cannot install the kit, and ends pip.

The packages need files next to them that no wheel holds: course.yml, labs/, solutions/, datasets/, and the lock files,
whose packages have exact versions.
"""

raise SystemExit(
    "streamlab runs from a clone: call ./lab there, which installs what it needs into .venv at first use; "
    "to import streamlab from your own program, run it with PYTHONPATH=CLONE and CLONE/.venv/bin/python"
)
