"""The place of the page that is printed is one that a browser can open, also in a JupyterHub."""

import pytest

from streamlab.lab09_system.page.running import Running

IN_HUB = {"JUPYTERHUB_SERVICE_PREFIX": "/user/ada/"}


@pytest.mark.parametrize(
    ("environment", "place"),
    [
        ({}, "http://127.0.0.1:8765/t0ken/"),
        (IN_HUB, "your hub's address, followed by /user/ada/proxy/8765/t0ken/"),
        (
            IN_HUB | {"JUPYTERHUB_PUBLIC_URL": "https://hub.example/user/ada/"},
            "https://hub.example/user/ada/proxy/8765/t0ken/",
        ),
    ],
)
def test_in_a_hub_the_page_is_below_the_path_of_its_users_server(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], place: str
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert Running(1, 0.0, 8765, "t0ken").place == place
