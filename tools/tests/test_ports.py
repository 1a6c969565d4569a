"""A reserved port: its owner may listen there again and again, and no other process can."""

import socket

import pytest
from stempelwerk_tools.ports import HOST, reserved_port


def test_a_server_comes_and_goes_and_comes_again_and_only_one_at_a_time() -> None:
    first = reserved_port(3)
    for port in (first, first + 1, first + 2):
        for _ in range(3):
            with (
                socket.create_server((HOST, port)) as server,
                socket.create_connection((HOST, port)) as client,
                server.accept()[0] as connection,
            ):
                connection.sendall(b"here")
                assert client.recv(4) == b"here"
                with pytest.raises(OSError, match="in use"), socket.create_server((HOST, port)):
                    pass


def test_while_nobody_serves_it_calls_are_refused_and_nobody_else_is_given_it() -> None:
    port = reserved_port()
    with pytest.raises(ConnectionRefusedError), socket.create_connection((HOST, port)):
        pass
    with socket.socket() as second_socket, pytest.raises(OSError, match="in use"):
        second_socket.bind((HOST, port))
    assert port not in {reserved_port() for _ in range(3)}
