"""The system assigns free ports, and an error for a port in use has the id of its process."""

import os
import socket

import pytest

from streamlab.services.ports import HOST, free_ports, why_not_free


def test_free_ports_are_free_and_unique() -> None:
    ports = free_ports(20)

    assert len(set(ports)) == 20
    assert [why_not_free(port) for port in ports] == [None] * 20


@pytest.mark.parametrize("host", [HOST, ""])
def test_a_port_in_use_is_reported_with_its_process(host: str) -> None:
    with socket.create_server((host, 0)) as server:
        port = server.getsockname()[1]

        problem = why_not_free(port)

    assert problem is not None
    assert f"port {port} is taken by pid {os.getpid()}" in problem


def test_a_port_with_recently_closed_connections_is_free() -> None:
    with socket.create_server((HOST, 0)) as server:
        port = server.getsockname()[1]
        client = socket.create_connection((HOST, port))
        served, _ = server.accept()
        served.close()  # the side that closes first keeps the socket in TIME_WAIT
        client.close()

    assert why_not_free(port) is None
