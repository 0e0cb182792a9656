"""What a service's folder was made with: the server's version, and the ports it had last.

Keeps out: the data themselves.
"""

import json
from pathlib import Path
from typing import Any

from streamlab.services.process import ServiceError, write_whole


class FolderRecord:
    """The file `made.json`; without one, nothing is known."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @property
    def version(self) -> str | None:
        """The version that made the data, None for a new folder."""
        version = self._read().get("version")
        return version if isinstance(version, str) else None

    @property
    def ports(self) -> list[int]:
        """The ports of last time; none for a new folder."""
        ports = self._read().get("ports")
        return [port for port in ports if isinstance(port, int)] if isinstance(ports, list) else []

    def write(self, version: str, ports: list[int]) -> None:
        """Note what is about to use the folder."""
        write_whole(self._file, {"version": version, "ports": ports})

    def must_fit(self, name: str, version: str, advice: str) -> None:
        """Raise ServiceError for data that this version does not understand: of a newer one or another major one."""
        made = self.version
        if made is not None and not reads(made, version):
            raise ServiceError(f"the data in {self._file.parent} are {name} {made}'s, and this is {version}; {advice}")

    def _read(self) -> dict[str, Any]:
        try:
            stored = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return stored if isinstance(stored, dict) else {}


def reads(made: str, version: str) -> bool:
    """Whether a server of `version` reads what one of `made` wrote: servers go on from older data, never from newer.

    Example: reads("4.2.0", "4.3.1") -> True; reads("4.4.0", "4.3.1") -> False
    """
    old, new = _numbers(made), _numbers(version)
    return bool(old) and old[:1] == new[:1] and old <= new


def _numbers(version: str) -> list[int]:
    parts = version.split(".")
    return [int(part) for part in parts] if all(part.isdecimal() for part in parts) else []
