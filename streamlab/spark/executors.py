"""The executors of an elastic session, which Spark's own calls start and stop one by one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pyspark import SparkContext


class Executor(NamedTuple):
    """A registered executor of Spark, and the number of tasks that run on it."""

    id: str
    tasks: int


class Executors:
    """The executors of a context; `session(name, elastic=(workers, cores))` begins with none."""

    def __init__(self, context: "SparkContext") -> None:
        java: Any = context._jvm
        self._context: Any = context._jsc.sc()  # type: ignore[attr-defined]
        self._nowhere = _object(java.scala.collection.immutable, "Map").empty()
        self._convert = _object(java.scala.jdk.javaapi, "CollectionConverters")
        self._new_list, self._tracker = java.java.util.ArrayList, context.statusTracker()

    def running(self) -> list[Executor]:
        """Return all registered executors in the order of their ids; Spark reports their tasks 0.1 s late."""
        ids = self._context.getExecutorIds()
        alive = {ids.apply(at) for at in range(ids.size())}
        known = self._context.statusStore().executorList(True)
        rows = [known.apply(at) for at in range(known.size())]
        found = [Executor(str(row.id()), int(row.activeTasks())) for row in rows if row.id() in alive]
        return sorted(found, key=lambda each: int(each.id))

    def tasks(self) -> int:
        """Return the number of tasks of running stages, done or not."""
        return sum(each.numTasks for each in self._stages())

    def waiting(self) -> int:
        """Return the number of tasks of running stages that no executor has begun."""
        return sum(max(0, each.numTasks - each.numCompletedTasks - each.numActiveTasks) for each in self._stages())

    def request(self, total: int) -> bool:
        """Ask for `total` executors, including running ones; return whether Spark accepts.

        A number below the running ones does not stop any.
        """
        return bool(self._context.requestTotalExecutors(total, 0, self._nowhere))

    def retire(self, ids: Sequence[str]) -> list[str]:
        """Stop those of `ids` that have no task, reduce the requested total by their number, and return their ids."""
        names = self._new_list()
        for each in ids:
            names.add(each)
        chosen = self._convert.asScala(names).toSeq()
        stopped = self._context.schedulerBackend().killExecutors(chosen, True, False, False)
        return [str(stopped.apply(at)) for at in range(stopped.size())]

    def _stages(self) -> list[Any]:
        found = (self._tracker.getStageInfo(each) for each in self._tracker.getActiveStageIds())
        return [each for each in found if each is not None]


def _object(package: Any, name: str) -> Any:
    """Return a Scala singleton object."""
    return getattr(getattr(package, f"{name}$"), "MODULE$")
