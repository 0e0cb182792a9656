"""The record of a service's folder: the version of the server that created its data, and its previous ports."""

import json
from pathlib import Path
from typing import Any

from streamlab.services.process import ServiceError, write_whole


class FolderRecord:
    """The file `made.json`; a folder without one is new."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @property
    def version(self) -> str | None:
        """The version that created the data, or None for a new folder."""
        version = self._read().get("version")
        return version if isinstance(version, str) else None

    @property
    def ports(self) -> list[int]:
        """The previous ports; empty for a new folder."""
        ports = self._read().get("ports")
        return [port for port in ports if isinstance(port, int)] if isinstance(ports, list) else []

    def write(self, version: str, ports: list[int]) -> None:
        """Record the server that is about to use the folder."""
        write_whole(self._file, {"version": version, "ports": ports})

    def must_fit(self, name: str, version: str, advice: str) -> None:
        """Raise ServiceError for data that this version cannot read: data of a newer or another major version."""
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
    """Return whether a server of `version` reads data of version `made`: servers read older data, never newer.

    Example: reads("4.2.0", "4.3.1") -> True; reads("4.4.0", "4.3.1") -> False
    """
    old, new = _numbers(made), _numbers(version)
    return bool(old) and old[:1] == new[:1] and old <= new


def _numbers(version: str) -> list[int]:
    parts = version.split(".")
    return [int(part) for part in parts] if all(part.isdecimal() for part in parts) else []
