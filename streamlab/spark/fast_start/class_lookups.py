"""Look up each Java class once: py4j would ask Java again at each use of its name.

Spark's Python code writes `jvm.PythonRDD` wherever it needs that class. py4j has no cache, so Java searches each
imported package for the class, and each search for a class that does not exist looks into all of its 171 jars. With
streams of small batches, these searches took half of Java's processor time (docs/speed.md).
"""

from collections.abc import Callable
from typing import Any

from py4j.java_gateway import JavaClass, JavaPackage, JVMView


def remember() -> None:
    """Have each package, and the root of all packages, keep the classes and packages that it has found."""
    for kind in (JVMView, JavaPackage):
        if not hasattr(kind.__getattr__, "remembers"):
            kind.__getattr__ = _remembering(kind.__getattr__)


def _remembering(look_up: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    def look_up_once(parent: Any, name: str) -> Any:
        """Return the member, and keep it as an attribute; Python calls this only for names that are no attributes."""
        found = look_up(parent, name)
        # A name with a capital that is no class yet may become one, when Java imports another package.
        if isinstance(found, JavaClass) or (isinstance(found, JavaPackage) and name.islower()):
            vars(parent)[name] = found
        return found

    look_up_once.remembers = True  # type: ignore[attr-defined]
    return look_up_once
