"""Real servers without docker: Kafka, ZooKeeper, Valkey, PostgreSQL, Cassandra as plain processes of the user.

`running("kafka")` starts a temporary server for a `with` block; `service("kafka")` returns the one that
`./lab services up` started. Names are loaded at first use.
"""

import importlib
from typing import Any

__all__ = ["ServiceError", "running", "service"]
_HOME_OF = {"ServiceError": "process", "running": "catalogue", "service": "catalogue"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"streamlab.services has no {name!r}; it has {', '.join(__all__)}")
    return getattr(importlib.import_module(f"streamlab.services.{_HOME_OF[name]}"), name)
