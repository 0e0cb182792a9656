"""A Java class is looked up once, however often Python uses its name; these tests do not run Java."""

from types import SimpleNamespace
from typing import Any

import pytest
from py4j import protocol
from py4j.java_gateway import JVMView

from streamlab.spark.fast_start import class_lookups

CLASSES = {"PythonRDD": "org.apache.spark.api.python.PythonRDD", "java.util.ArrayList": "java.util.ArrayList"}
LOOK_UP = protocol.REFLECTION_COMMAND_NAME + protocol.REFL_GET_UNKNOWN_SUB_COMMAND_NAME


class Java:
    """Answers look-ups as Java does: each name is a class or else a package."""

    gateway_property = SimpleNamespace(pool=None)
    converters = None

    def __init__(self) -> None:
        self.classes, self.asked = dict(CLASSES), list[str]()

    def send_command(self, command: str, *_: Any) -> str:
        name = command.removeprefix(LOOK_UP).split("\n")[0]
        self.asked.append(name)
        found = self.classes.get(name)
        return protocol.SUCCESS_CLASS + found if found else protocol.SUCCESS_PACKAGE


@pytest.fixture
def java() -> Java:
    class_lookups.remember()
    return Java()


@pytest.fixture
def jvm(java: Java) -> Any:
    return JVMView(java, jvm_name="test", id="o1")


def test_a_class_is_looked_up_once(java: Java, jvm: Any) -> None:
    first, second = jvm.PythonRDD, jvm.PythonRDD

    assert first is second
    assert java.asked == ["PythonRDD"]


def test_packages_and_their_classes_are_looked_up_once(java: Java, jvm: Any) -> None:
    assert jvm.java.util.ArrayList is jvm.java.util.ArrayList
    assert java.asked == ["java", "java.util", "java.util.ArrayList"]


def test_a_class_that_an_import_adds_later_is_found(java: Java, jvm: Any) -> None:
    before = jvm.Imported
    java.classes["Imported"] = "org.example.Imported"
    after = jvm.Imported

    assert (type(before).__name__, type(after).__name__) == ("JavaPackage", "JavaClass")


def test_two_javas_share_no_classes(java: Java, jvm: Any) -> None:
    another = JVMView(Java(), jvm_name="test", id="o1")

    assert jvm.PythonRDD is not another.PythonRDD


def test_remembering_twice_changes_nothing(java: Java, jvm: Any) -> None:
    look_up = JVMView.__getattr__
    class_lookups.remember()

    assert JVMView.__getattr__ is look_up
