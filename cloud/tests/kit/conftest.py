"""Fixtures for tests of real processes."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from stempelwerk_tools.postgres import PostgresServer

from cloud.tests.kit.services import Service


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Service]]:
    started: list[Service] = []

    def begin(url: str, *arguments: str) -> Service:
        started.append(Service(url, tmp_path, *arguments))
        return started[-1]

    yield begin
    for service in started:
        if service.process.poll() is None:
            service.process.kill()
            service.process.wait()


@pytest.fixture
def empty_postgres(postgres_server: PostgresServer, postgres_template: str) -> Iterator[str]:
    """Returns the address of a database with the whole schema and no rows."""
    url = postgres_server.new_database(postgres_template)
    yield url
    postgres_server.drop_database(url)
