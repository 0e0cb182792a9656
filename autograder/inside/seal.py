"""The seal: whether the judging code in this process is still what it was before the learner's cells ran.

Functions are compared by identity and by their code, registries and instances by what they hold.

What it guarantees: judging code that was replaced and stays replaced is found before the next rows are sent.
What it cannot: code in the same process may put everything back in time, or replace this module's own code (the
audit reports that) together with the audit's. So no point rests on the seal alone. Rows are judged outside, where a
forged row has to be right to earn anything; only values that are measured in here, such as the number of jobs that a
call started, are as true as this process is. Keeps out: what follows from a broken seal (autograder.judge).
"""

import builtins
import sys
import types

# Ours, whatever becomes of them later.
from builtins import callable, frozenset, isinstance, len, list, set, sorted, type, vars  # noqa: UP029
from collections.abc import Iterator, Mapping
from typing import Any

OURS = ("autograder.inside.", "autograder.stages.", "streamlab.notebooks.", "json", "json.decoder", "json.encoder")
SPARKS = (
    "py4j.clientserver",
    "py4j.java_gateway",
    "py4j.protocol",
    "pyspark.core.context",
    "pyspark.core.rdd",
    "pyspark.streaming.dstream",
)
PYSPARKS_OWN = {"pyspark.core.rdd.RDD.toDF", "py4j.java_gateway.get_return_value"}  # it sets these with its session
FREE_TO_CHANGE = {"builtins.input", "builtins._", *PYSPARKS_OWN}
PYTHONS_OWN = {"__warningregistry__"}
FOUND_MAX = 5

_ABSENT = object()
Space = Mapping[Any, Any]


class Held:
    """Names with what they stood for when they were closed."""

    def __init__(self) -> None:
        self._values: list[tuple[str, Space, Any, object]] = []
        self._codes: list[tuple[str, types.FunctionType, types.CodeType, object]] = []
        self._complete: list[tuple[str, Space, frozenset[Any]]] = []

    def close_module(self, name: str, module: types.ModuleType, *, complete: bool) -> None:
        """A module with its functions and classes; `complete`: no name may come to it either."""
        self._values.append((name, sys.modules, name, module))
        self.close(name, vars(module))
        if complete:
            self._complete.append((name, vars(module), frozenset(vars(module))))

    def close_instance(self, name: str, space: Space, keys: frozenset[str] | None = None) -> None:
        """All attributes of an object, or some of them."""
        self._values += [(f"{name}.{key}", space, key, each) for key, each in space.items() if not keys or key in keys]
        if keys is None:
            self._complete.append((name, space, frozenset(space)))

    def close(self, name: str, space: Space) -> None:
        """Whatever can be called in `space`, classes with their own methods."""
        for key, value in list(space.items()):
            full = f"{name}.{key}"
            if not callable(value) or full in FREE_TO_CHANGE:
                continue
            self._values.append((full, space, key, value))
            if isinstance(value, types.FunctionType):
                self._codes.append((full, value, value.__code__, value.__defaults__))
            elif isinstance(value, type) and value.__module__ == name:
                self.close(full, vars(value))

    def changes(self) -> Iterator[str]:
        """The names that stand for something else now."""
        for name, space, key, value in self._values:
            if space.get(key, _ABSENT) is not value:
                yield name
        for name, function, code, defaults in self._codes:
            if function.__code__ is not code or function.__defaults__ is not defaults:
                yield name
        for name, space, keys in self._complete:
            if len(space) != len(keys):
                yield from (f"{name}.{key}" for key in space.keys() - keys - PYTHONS_OWN)


class Seal:
    """Made before the learner's cells run; `broken()` names what was changed since."""

    def __init__(self, instances: Mapping[str, Space]) -> None:
        self._ours, self._sparks, self._context = Held(), Held(), None
        for name, module in _modules(OURS):
            self._ours.close_module(name, module, complete=not hasattr(module, "__path__"))
        for name, space in instances.items():
            self._ours.close_instance(name, space)
        self._ours.close("builtins", vars(builtins))
        for name, module in _modules(SPARKS):
            self._sparks.close_module(name, module, complete=False)

    def close_context(self, context: Any) -> None:
        """The doors to Spark's Java process, once there is a session; through them its jobs are counted."""
        if self._context is None:
            self._context = context
            self._sparks.close_instance("SparkContext", vars(context), frozenset(("_jsc", "_jvm", "_gateway")))
            java = vars(context._jsc)
            self._sparks.close_instance("SparkContext._jsc", java, frozenset(("_gateway_client", "_target_id")))

    def broken(self, *, spark: bool) -> list[str]:
        """The names of what was changed, at most a few; `spark`: of what talks to Spark, too."""
        found = set(self._ours.changes())
        if spark:
            found |= {*self._sparks.changes(), *self._doors_that_lie()}
        return sorted(found)[:FOUND_MAX]

    def _doors_that_lie(self) -> Iterator[str]:
        java: dict[str, Any] = vars(self._context._jsc) if self._context is not None else {}
        for name, member in {**java, **java.get("_methods", {})}.items():
            if callable(member) and type(member).__module__ != "py4j.java_gateway":
                yield f"SparkContext._jsc.{name}"


def _modules(starts: tuple[str, ...]) -> list[tuple[str, types.ModuleType]]:
    """Loaded modules by name; a name that ends with a point stands for all below it."""
    folders = tuple(each for each in starts if each.endswith("."))
    return [(name, each) for name, each in list(sys.modules.items()) if name in starts or name.startswith(folders)]
