"""Jars are fetched once, checked, kept; each way to fail is told from the others. Real Ivy, a repository of our own."""

import shutil
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from streamlab.services import ivy, jars
from streamlab.services.jars import FetchFailed, JarSet, Module, fetched, folder_of, wrong_in
from streamlab.services.ports import free_ports
from tests.streamlab.services.maven import fill, refusing, served

THING = Module("org.example", "thing", "1.0")


@pytest.fixture
def thing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> JarSet:
    """A set of one jar, a repository that holds it in tmp_path/repository, an empty cache."""
    monkeypatch.setenv("STREAMLAB_CACHE", str(tmp_path / "cache"))
    manifest = tmp_path / "jars.sha256"
    manifest.write_text(f"# a comment\n{fill(tmp_path / 'repository')}  thing-1.0.jar\n")
    return JarSet("thing-1.0", (THING,), manifest)


def failure(jar_set: JarSet) -> FetchFailed:
    with pytest.raises(FetchFailed) as raised:
        fetched(jar_set)
    return raised.value


def left_in(cache: Path) -> list[str]:
    return sorted(path.name for path in cache.iterdir() if path.name not in ("javas.json", ".thing-1.0.lock"))


def test_jars_are_fetched_once_and_then_used_without_a_network(
    thing: JarSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path / "repository") as address:
        monkeypatch.setenv(ivy.REPOSITORY, address)
        first = fetched(thing)

    monkeypatch.setattr(jars, "retrieve", lambda *_, **__: pytest.fail("fetched a second time"))

    assert fetched(thing) == first == folder_of(thing)
    assert [path.name for path in first.iterdir()] == ["thing-1.0.jar"]
    assert left_in(tmp_path / "cache") == [first.name]


def test_two_at_once_fetch_once(thing: JarSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Path] = []
    fetches: list[Path] = []

    def counted(modules: Sequence[Module], folder: Path, *rest: Any, **named: Any) -> Path:
        fetches.append(folder)
        return ivy.retrieve(modules, folder, *rest, **named)

    monkeypatch.setattr(jars, "retrieve", counted)
    both = [threading.Thread(target=lambda: found.append(fetched(thing))) for _ in range(2)]
    with served(tmp_path / "repository") as address:
        monkeypatch.setenv(ivy.REPOSITORY, address)
        for each in both:
            each.start()
        for each in both:
            each.join()

    assert found == [folder_of(thing)] * 2
    assert len(fetches) == 1


def test_a_jar_that_was_damaged_later_is_not_used_but_fetched_again(
    thing: JarSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    with served(tmp_path / "repository") as address:
        monkeypatch.setenv(ivy.REPOSITORY, address)
        jar = fetched(thing) / "thing-1.0.jar"
        jar.write_bytes(jar.read_bytes()[:-1] + b"x")
        monkeypatch.setenv(ivy.REPOSITORY, f"http://127.0.0.1:{free_ports(1)[0]}")
        without_a_network = failure(thing)
        monkeypatch.setenv(ivy.REPOSITORY, address)
        again = fetched(thing, told.append)

    assert without_a_network.cause == "network"
    assert wrong_in(again, thing.expected) is None
    assert "thing-1.0.jar is damaged" in told[0]


def test_a_repository_that_nobody_reaches(thing: JarSet, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with served(tmp_path / "repository") as address:
        monkeypatch.setenv(ivy.REPOSITORY, address)  # closed again when the block ends

    problem = failure(thing)

    assert problem.cause == "network"
    assert f"{address} cannot be reached" in str(problem)
    assert left_in(tmp_path / "cache") == []


def test_a_mirror_without_the_module(thing: JarSet, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with served(tmp_path / "empty") as address:
        monkeypatch.setenv(ivy.REPOSITORY, address)
        problem = failure(thing)

    assert problem.cause == "module"
    assert "does not hold thing 1.0 of org.example" in str(problem)


def test_a_certificate_of_an_authority_that_java_does_not_know(
    thing: JarSet, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl here to make a certificate with")
    certificate = tmp_path / "own.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    made += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(certificate), "-out", str(tmp_path / "cert.pem")]
    subprocess.run(made, check=True, capture_output=True)
    certificate.write_text(certificate.read_text() + (tmp_path / "cert.pem").read_text())
    with served(tmp_path / "repository", certificate) as address:
        monkeypatch.setenv(ivy.REPOSITORY, address)
        problem = failure(thing)

    assert problem.cause == "certificate"
    assert "javax.net.ssl.trustStore" in str(problem)


def test_a_repository_with_another_jar_of_that_name(
    thing: JarSet, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fill(tmp_path / "other", jar=b"not what the kit was tried with")
    with served(tmp_path / "other") as address:
        monkeypatch.setenv(ivy.REPOSITORY, address)
        problem = failure(thing)

    assert problem.cause == "checksum"
    assert "thing-1.0.jar is damaged: expected sha256" in str(problem)
    assert left_in(tmp_path / "cache") == []


def test_a_file_that_changed_on_its_way(thing: JarSet, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "repository" / "org" / "example" / "thing" / "1.0" / "thing-1.0.jar").write_bytes(b"damaged")
    with served(tmp_path / "repository") as address:
        monkeypatch.setenv(ivy.REPOSITORY, address)
        problem = failure(thing)

    assert problem.cause == "checksum"
    assert "does not match its own checksum" in str(problem)


def test_a_full_disk_is_not_taken_for_a_bad_network(
    thing: JarSet, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, small_disk: Path
) -> None:
    shutil.rmtree(tmp_path / "repository")
    fill(tmp_path / "repository", jar=bytes(2_000_000))
    monkeypatch.setenv("STREAMLAB_CACHE", str(small_disk))
    with served(tmp_path / "repository") as address:
        monkeypatch.setenv(ivy.REPOSITORY, address)
        problem = failure(thing)

    assert problem.cause == "disk"
    assert f"the disk of {small_disk} is full" in str(problem)


def test_a_repository_that_is_reached_by_a_proxy_only(
    thing: JarSet, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fill(tmp_path / "proxy" / "http:" / "maven.invalid")
    monkeypatch.setenv(ivy.REPOSITORY, "http://maven.invalid")
    with served(tmp_path / "proxy") as address:
        monkeypatch.setenv("HTTP_PROXY", address)
        monkeypatch.setenv("http_proxy", address)
        folder = fetched(thing)

    assert wrong_in(folder, thing.expected) is None


def test_a_proxy_that_wants_a_password(thing: JarSet, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(ivy.REPOSITORY, "https://maven.invalid")
    with served(tmp_path, handler=refusing(407)) as address:
        monkeypatch.setenv("HTTPS_PROXY", address)
        monkeypatch.setenv("https_proxy", address)
        problem = failure(thing)

    assert problem.cause == "proxy"
    assert "the proxy refuses Java" in str(problem)


@pytest.mark.parametrize("code", [403, 503])
def test_a_repository_that_refuses_is_not_taken_for_one_without_the_module(
    thing: JarSet, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: int
) -> None:
    with served(tmp_path, handler=refusing(code)) as address:
        monkeypatch.setenv(ivy.REPOSITORY, address)
        problem = failure(thing)

    assert problem.cause == "refused"


def test_another_list_of_checksums_is_another_folder(thing: JarSet) -> None:
    before = thing.folder_name
    thing.manifest.write_text(thing.manifest.read_text().replace("thing-1.0", "thing-1.1"))

    assert thing.folder_name != before


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"HTTPS_PROXY": "http://proxy.example:3128"}, ["-Dhttps.proxyHost=proxy.example", "-Dhttps.proxyPort=3128"]),
        ({"https_proxy": "http://me:secret@proxy.example:80"}, ["-Dhttps.proxyHost=proxy.example"]),
        ({"HTTP_PROXY": "http://a:1", "NO_PROXY": "b.org, .c.org"}, ["-Dhttp.nonProxyHosts=b.org|*.c.org"]),
    ],
)
def test_java_is_told_of_the_environments_proxies(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], expected: list[str]
) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    options = ivy.options_for_java()

    assert set(expected) <= set(options)
    assert "secret" not in " ".join(options)


def test_a_certificate_store_that_the_user_named_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "cacerts").write_text("")
    monkeypatch.setattr(ivy, "COMPANY_CERTIFICATES", tmp_path / "cacerts")
    monkeypatch.delenv("JAVA_TOOL_OPTIONS", raising=False)
    option = f"-Djavax.net.ssl.trustStore={tmp_path / 'cacerts'}"
    before = ivy.options_for_java()
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Djavax.net.ssl.trustStore=mine")

    assert option in before
    assert option not in ivy.options_for_java()
