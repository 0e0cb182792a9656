"""Ports are asked of the system; one that is taken is named with who has it."""

import os
import socket

import pytest

from streamlab.services.ports import HOST, free_ports, why_not_free


def test_free_ports_are_free_and_all_different() -> None:
    ports = free_ports(20)

    assert len(set(ports)) == 20
    assert [why_not_free(port) for port in ports] == [None] * 20


@pytest.mark.parametrize("host", [HOST, ""])
def test_a_port_that_is_taken_is_named_with_who_has_it(host: str) -> None:
    with socket.create_server((host, 0)) as server:
        port = server.getsockname()[1]

        problem = why_not_free(port)

    assert problem is not None
    assert f"port {port} is taken by pid {os.getpid()}" in problem


def test_a_port_whose_connections_were_closed_a_moment_ago_is_free() -> None:
    with socket.create_server((HOST, 0)) as server:
        port = server.getsockname()[1]
        client = socket.create_connection((HOST, port))
        served, _ = server.accept()
        served.close()  # the side that closes first keeps the remains
        client.close()

    assert why_not_free(port) is None
