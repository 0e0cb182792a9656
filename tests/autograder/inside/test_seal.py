"""The seal finds and names judging code that was replaced, and reports nothing otherwise."""

import builtins
import importlib
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autograder.inside import deferred_spark, drives
from autograder.inside.seal import Seal


def other() -> None:
    """A function that replaces another one."""


def patched(place: object, name: str) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda monkeypatch: monkeypatch.setattr(place, name, other)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (patched(drives, "drive"), "autograder.inside.drives.drive"),
        (patched(drives.Drive, "__call__"), "autograder.inside.drives.Drive.__call__"),
        (patched(deferred_spark.SparkLater, "get"), "autograder.inside.deferred_spark.SparkLater.get"),
        (patched(builtins, "isinstance"), "builtins.isinstance"),
        (lambda monkeypatch: monkeypatch.setattr("json.dumps", other), "json.dumps"),
        (lambda monkeypatch: monkeypatch.setattr(drives, "sorted", other, raising=False), "drives.sorted"),
        (
            lambda monkeypatch: monkeypatch.setitem(__import__("sys").modules, drives.__name__, types.ModuleType("x")),
            "autograder.inside.drives",
        ),
    ],
)
def test_replaced_code_is_named(
    change: Callable[[pytest.MonkeyPatch], None], named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seal = Seal({})

    with monkeypatch.context() as patch:
        change(patch)
        found = seal.broken(spark=False)

    assert any(named in each for each in found)


def test_a_replaced_code_object_is_found() -> None:
    seal, before = Seal({}), drives.drive.__code__

    drives.drive.__code__ = other.__code__
    try:
        found = seal.broken(spark=False)
    finally:
        drives.drive.__code__ = before

    assert "autograder.inside.drives.drive" in found  # and every module that imported it


def test_a_registry_entry_that_is_added_or_changed_is_found() -> None:
    registry: dict[str, object] = {"words": 1}
    seal = Seal({"the registry": registry})

    registry["more"] = 2
    more = seal.broken(spark=False)
    del registry["more"]
    registry["words"] = 2

    assert more == ["the registry.more"]
    assert seal.broken(spark=False) == ["the registry.words"]


def test_without_a_change_nothing_is_reported() -> None:
    seal = Seal({"the registry": {"words": 1}})

    assert seal.broken(spark=True) == []


ENRICHMENT = "autograder.stages.lab06_enrichment.clients.drive"


@pytest.fixture(scope="module")
def seal_of_enrichment() -> Seal:
    return Seal({}, {"enrich_async": ENRICHMENT})


@pytest.mark.parametrize(
    "name",
    [
        "asyncio.run",  # this and the next two: nest_asyncio
        "asyncio.get_event_loop",
        "asyncio.BaseEventLoop.run_until_complete",
        "builtins.print",
        "builtins.input",
        "warnings.warn",
        "warnings.showwarning",
        "sys.displayhook",
        "sys.excepthook",
        "random.random",
        "logging.basicConfig",
    ],
)
def test_what_honest_notebooks_patch_is_not_reported(
    seal_of_enrichment: Seal, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(name, other)
        found = seal_of_enrichment.broken("enrich_async", spark=False)

    assert found == []


def test_a_library_that_the_patched_drive_calls_is_reported(
    seal_of_enrichment: Seal, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("streamlab.lab06_enrichment.virtual_time.VirtualLoop.time", other)
        found = seal_of_enrichment.broken("enrich_async", spark=False)

    assert found == ["streamlab.lab06_enrichment.virtual_time.VirtualLoop.time"]


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Two drives of a stage: one imports a library in a function, which calls a function by its module."""
    sources = {"near": "def run():\n    from autograder.stages.sealed import library\n    return library.cores()\n"}
    library = "import asyncio, os\ndef cores():\n    return os.sched_getaffinity(0), asyncio.run\n"
    sources |= {"far": "", "library": library}
    for name, source in sources.items():
        (tmp_path / f"{name}.py").write_text(source)
    package = types.ModuleType("autograder.stages.sealed")
    package.__path__ = [str(tmp_path)]
    monkeypatch.setitem(sys.modules, package.__name__, package)
    yield {task: f"autograder.stages.sealed.{task}" for task in ("near", "far")}
    for name in sources:
        sys.modules.pop(f"autograder.stages.sealed.{name}", None)


@pytest.mark.parametrize(("place", "found"), [("os.sched_getaffinity", ["os.sched_getaffinity"]), ("asyncio.run", [])])
def test_a_replaced_function_counts_for_the_drives_that_call_it(
    modules: dict[str, str], monkeypatch: pytest.MonkeyPatch, place: str, found: list[str]
) -> None:
    seal = Seal({}, modules)

    with monkeypatch.context() as patch:
        patch.setattr(place, other)
        assert seal.broken("near", spark=False) == found
        assert seal.broken("far", spark=False) == []


def test_a_library_that_a_drive_imports_later_is_sealed_before(
    modules: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seal = Seal({}, modules)
    library = importlib.import_module("autograder.stages.sealed.library")

    with monkeypatch.context() as patch:
        patch.setattr(library, "cores", other)
        assert seal.broken("near", spark=False) == ["autograder.stages.sealed.library.cores"]
