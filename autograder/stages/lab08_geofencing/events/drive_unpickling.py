"""Reads a pickled state like another process that knows no class of the notebook."""

import io
import pickle
import sys
from typing import Any

GEO = "streamlab.lab08_geofencing.geo"


class NotPlain(TypeError):
    """The state holds something other than Python's own types and those of `streamlab.lab08_geofencing.geo`."""


def from_plain_data(content: bytes) -> Any:
    """Return the unpickled object. Raises NotPlain if it contains an object of another class."""
    return _PlainUnpickler(io.BytesIO(content)).load()


class _PlainUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if module.split(".")[0] in sys.stdlib_module_names or f"{module}.".startswith(f"{GEO}."):
            return super().find_class(module, name)
        if "drive_" in module:  # a stub, of which the learner knows nothing
            raise NotPlain("the state holds an object of another task")
        raise NotPlain(f"the state holds {name} of {'your notebook' if module == '__main__' else module}")
