"""Jars are downloaded once, checked and cached; each failure has its own cause. Real HTTP, our own repository."""

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from streamlab.java.download import BUNDLES, REPOSITORY, FetchFailed
from streamlab.java.jars import JarSet, fetched, folder_of, wrong_in
from streamlab.services import kafka
from streamlab.services.ports import free_ports
from streamlab.spark import kafka_connector
from tests.streamlab.java.maven import Repository, fill, served


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> JarSet:
    """Return a set of two jars, with an empty cache and a repository that has them; retries and reports do not wait."""
    monkeypatch.setenv("STREAMLAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("streamlab.java.download.PAUSE_S", 0.0)
    monkeypatch.setattr("streamlab.java.jars.REPORT_EVERY_S", 0.0)
    lines = [fill(tmp_path / "repository", name) for name in ("one", "two")]
    (tmp_path / "jars.sha256").write_text("# a comment\n" + "".join(lines))
    return JarSet("pair-1.0", tmp_path / "jars.sha256")


@pytest.fixture
def repository(pair: JarSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Repository]:
    with served(tmp_path / "repository") as (address, server):
        monkeypatch.setenv(REPOSITORY, address)
        yield server


def failure(jars: JarSet) -> FetchFailed:
    with pytest.raises(FetchFailed) as raised:
        fetched(jars)
    assert "\n" not in str(raised.value)
    return raised.value


def left_in(cache: Path) -> list[str]:
    files = (path for path in cache.rglob("*") if path.is_file() and path.suffix != ".lock")
    return sorted(str(path.relative_to(cache)) for path in files)


@pytest.mark.parametrize("jars", [kafka.JARS, kafka_connector.JARS])
def test_each_line_of_the_kits_lists_is_a_checksum_and_a_maven_path(jars: JarSet) -> None:
    for place, checksum in jars.places.items():
        *group, artifact, version, name = place.split("/")
        assert group
        assert name == f"{artifact}-{version}.jar"
        assert re.fullmatch("[0-9a-f]{64}", checksum)
    assert len(jars.expected) == len(jars.places), "two jars of the same name would overwrite each other"


def test_the_list_of_jars_has_the_version_of_the_broker() -> None:
    assert f"kafka_2.13-{kafka.VERSION}.jar" in kafka.JARS.expected


def test_jars_are_downloaded_once_and_then_used_without_a_network(
    pair: JarSet, repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = fetched(pair)
    monkeypatch.setenv(REPOSITORY, f"http://127.0.0.1:{free_ports(1)[0]}")

    assert fetched(pair) == first == folder_of(pair)
    assert sorted(repository.asked) == ["one-1.0.jar", "two-1.0.jar"]
    assert left_in(tmp_path / "cache") == [f"{first.name}/one-1.0.jar", f"{first.name}/two-1.0.jar"]


def test_other_users_can_read_the_jars_despite_a_strict_umask(pair: JarSet, repository: Repository) -> None:
    before = os.umask(0o077)
    folder = fetched(pair)
    os.umask(before)

    assert [path.stat().st_mode & 0o777 for path in [folder, *folder.iterdir()]] == [0o755, 0o644, 0o644]


def test_two_parallel_fetches_download_once(pair: JarSet, repository: Repository) -> None:
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(fetched, [pair, pair]))

    assert found == [folder_of(pair)] * 2
    assert len(repository.asked) == 2


def test_existing_jars_are_not_downloaded_again_if_others_are_missing(pair: JarSet, repository: Repository) -> None:
    (fetched(pair) / "two-1.0.jar").unlink()
    repository.codes[:] = [404]
    problem, folder = failure(pair), folder_of(pair)
    again = fetched(pair)

    assert problem.cause == "missing"
    assert "two-1.0.jar could not be fetched: the answer is 404" in str(problem)
    assert folder is None, "a part of the jars is no set of jars"
    assert sorted(repository.asked) == ["one-1.0.jar"] + ["two-1.0.jar"] * 3
    assert wrong_in(again, pair.expected) is None


def test_a_damaged_jar_is_not_used_but_downloaded_again(
    pair: JarSet, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages: list[str] = []
    jar = fetched(pair) / "one-1.0.jar"
    jar.write_bytes(jar.read_bytes()[:-1] + b"x")
    repository.asked.clear()
    with monkeypatch.context() as offline:
        offline.setenv(REPOSITORY, f"http://127.0.0.1:{free_ports(1)[0]}")
        without_a_network = failure(pair)
    again = fetched(pair, messages.append)

    assert without_a_network.cause == "network"
    assert "one-1.0.jar is damaged" in messages[0]
    assert "fetching pair-1.0: 1 of 1 jars" in messages
    assert repository.asked == ["one-1.0.jar"]
    assert wrong_in(again, pair.expected) is None


def test_an_unreachable_repository_is_reported_with_its_address(
    pair: JarSet, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    address = f"http://127.0.0.1:{free_ports(1)[0]}/"
    monkeypatch.setenv(REPOSITORY, address)
    problem = failure(pair)

    assert problem.cause == "network"
    assert re.match(rf"{address}org/example/.*jar could not be fetched: Connection refused; look at", str(problem))
    assert left_in(tmp_path / "cache") == []


def test_a_busy_repository_is_asked_again(pair: JarSet, repository: Repository) -> None:
    repository.codes[:] = [503, 429]

    assert wrong_in(fetched(pair), pair.expected) is None
    assert len(repository.asked) == 4


def test_a_brief_dns_failure_is_retried(pair: JarSet, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    look_up, failures = socket.getaddrinfo, [socket.gaierror(socket.EAI_AGAIN, "Temporary failure")] * 2

    def later(*arguments: Any, **more: Any) -> Any:
        if failures:
            raise failures.pop()
        return look_up(*arguments, **more)

    monkeypatch.setattr("socket.getaddrinfo", later)

    assert wrong_in(fetched(pair), pair.expected) is None
    assert not failures


@pytest.mark.parametrize(("code", "cause"), [(403, "rejected"), (503, "rejected"), (404, "missing"), (407, "proxy")])
def test_each_http_error_has_its_own_cause(pair: JarSet, repository: Repository, code: int, cause: str) -> None:
    repository.codes[:] = [code] * 6  # two files, with up to three tries each

    assert failure(pair).cause == cause


@pytest.mark.parametrize("address", ["no address", "ftp//host", "http://user:word@host:port/"])
def test_an_invalid_address_is_a_network_failure(pair: JarSet, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv(REPOSITORY, address)

    assert failure(pair).cause == "network"


def test_an_interrupted_transfer_is_retried(pair: JarSet, repository: Repository) -> None:
    repository.cut_next = True

    assert wrong_in(fetched(pair), pair.expected) is None
    assert len(repository.asked) == 3


def test_a_jar_with_another_checksum_is_not_kept(pair: JarSet, repository: Repository, tmp_path: Path) -> None:
    fill(tmp_path / "repository", "one", b"not what the kit was tried with")
    problem = failure(pair)

    assert problem.cause == "checksum"
    assert re.search(r"one-1.0.jar has the sha256 \w+…, and the kit expects \w+…; name another mirror", str(problem))
    assert not [name for name in left_in(tmp_path / "cache") if "one-1.0.jar" in name]


def test_an_unknown_certificate_authority_is_reported_and_trusted_if_it_is_named(
    pair: JarSet, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl here to make a certificate with")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    made += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(made, check=True, capture_output=True)
    (tmp_path / "both.pem").write_text(key.read_text() + certificate.read_text())
    for name in (*BUNDLES, "SSL_CERT_FILE"):
        monkeypatch.delenv(name, raising=False)

    with served(tmp_path / "repository", tmp_path / "both.pem") as (address, _):
        monkeypatch.setenv(REPOSITORY, address)
        problem = failure(pair)
        for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"):
            with monkeypatch.context() as trusting:
                trusting.setenv(name, str(certificate))
                shutil.rmtree(tmp_path / "cache")
                assert wrong_in(fetched(pair), pair.expected) is None

    assert problem.cause == "certificate"
    assert "certificate authority in SSL_CERT_FILE" in str(problem)


def test_a_full_disk_is_reported_as_such(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, small_disk: Path) -> None:
    (tmp_path / "jars.sha256").write_text(fill(tmp_path / "repository", "large", bytes(2_000_000)))
    monkeypatch.setenv("STREAMLAB_CACHE", str(small_disk))
    with served(tmp_path / "repository") as (address, _):
        monkeypatch.setenv(REPOSITORY, address)
        problem = failure(JarSet("large-1.0", tmp_path / "jars.sha256"))

    assert problem.cause == "disk"
    assert re.search(rf"the disk of {small_disk}\S* is full; make room there", str(problem))


def test_jars_are_downloaded_through_a_proxy(pair: JarSet, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "proxy" / "http:").mkdir(parents=True)
    (tmp_path / "repository").rename(tmp_path / "proxy" / "http:" / "maven.invalid")
    monkeypatch.setenv(REPOSITORY, "http://maven.invalid")
    with served(tmp_path / "proxy") as (address, _):
        monkeypatch.setenv("HTTP_PROXY", address)
        monkeypatch.setenv("http_proxy", address)

        assert wrong_in(fetched(pair), pair.expected) is None


def test_a_proxy_that_needs_a_password_is_reported_without_the_password(
    pair: JarSet, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.codes[:] = [407] * 2
    for name in ("HTTPS_PROXY", "https_proxy"):
        monkeypatch.setenv(name, f"http://me:secret@127.0.0.1:{repository.server_port}")
    monkeypatch.setenv(REPOSITORY, "https://maven.invalid")
    problem = failure(pair)

    assert problem.cause == "proxy"
    assert "secret" not in str(problem)


def test_other_checksums_need_another_folder_but_other_comments_do_not(pair: JarSet) -> None:
    before = pair.folder_name
    pair.pins.write_text(pair.pins.read_text().replace("# a comment", "# another"))
    same = pair.folder_name
    pair.pins.write_text(pair.pins.read_text().replace("one-1.0", "one-1.1"))

    assert same == before
    assert pair.folder_name != before
