"""pip's settings apply to uv, too: the registry, the links, the certificates and the proxy."""

import ssl
import sys
from pathlib import Path

import pytest

from autograder.cli.installation import ALWAYS, Environment, uv_settings

VARIABLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "UV_SYSTEM_CERTS", "UV_DEFAULT_INDEX")


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: ssl.DefaultVerifyPaths(*6 * [None]))  # type: ignore


@pytest.mark.parametrize(
    ("of_pip", "of_uv"),
    [
        ({}, {}),
        ({"index-url": "https://a/simple"}, {"UV_DEFAULT_INDEX": "https://a/simple"}),
        ({"extra-index-url": "https://b\nhttps://c"}, {"UV_INDEX": "https://b https://c"}),
        ({"find-links": "/wheels\n/more"}, {"UV_FIND_LINKS": "/wheels,/more"}),
        ({"trusted-host": "a b"}, {"UV_INSECURE_HOST": "a b"}),
        ({"cert": "/a file.pem"}, {"SSL_CERT_FILE": "/a file.pem"}),
        ({"proxy": "user:word@proxy:3128"}, {"ALL_PROXY": "http://user:word@proxy:3128"}),
        ({"proxy": "https://proxy"}, {"ALL_PROXY": "https://proxy"}),
        ({"default-timeout": "60", "timeout": "180"}, {"UV_HTTP_TIMEOUT": "180"}),
        ({"disable-pip-version-check": "1"}, {}),
    ],
)
def test_settings_of_pip_become_variables_of_uv(of_pip: dict[str, str], of_uv: dict[str, str]) -> None:
    settings, flags = uv_settings(of_pip)

    assert {name: value for name, value in settings.items() if name not in ALWAYS} == of_uv
    assert flags == []


@pytest.mark.parametrize(("value", "flags"), [("1", ["--no-index"]), ("true", ["--no-index"]), ("0", []), ("", [])])
def test_uv_uses_no_index_if_pip_uses_none(value: str, flags: list[str]) -> None:
    assert uv_settings({"no-index": value})[1] == flags


def test_a_variable_of_uv_overrides_a_setting_of_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://mine")

    assert uv_settings({"index-url": "https://pips"})[0]["UV_DEFAULT_INDEX"] == "https://mine"


def test_uv_trusts_the_certificates_that_pip_trusts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: ssl.DefaultVerifyPaths("/ca", *5 * [None]))  # type: ignore
    system = uv_settings({})[0]
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/bundle")
    requests = uv_settings({})[0]
    named = uv_settings({"cert": "/named"})[0]

    assert (system.get("UV_SYSTEM_CERTS"), system.get("SSL_CERT_FILE")) == ("1", None)
    assert (requests.get("UV_SYSTEM_CERTS"), requests.get("SSL_CERT_FILE")) == (None, "/bundle")
    assert named["SSL_CERT_FILE"] == "/named"


def test_a_variable_overrides_a_file_and_the_install_section_overrides_the_global_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pip.conf").write_text(
        "[global]\nproxy = a\ntimeout = 1\ncert = c\n[install]\nproxy = b\ntimeout = 2\n"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    monkeypatch.setenv("PIP_TIMEOUT", "3")
    monkeypatch.delenv("PIP_CERT", raising=False)
    environment = Environment(tmp_path)
    environment.python = Path(sys.executable)

    settings = environment.pip_settings()

    assert {name: settings[name] for name in ("cert", "proxy", "timeout")} == {
        "cert": "c",
        "proxy": "b",
        "timeout": "3",
    }
