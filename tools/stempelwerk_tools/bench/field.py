"""The systems under measurement, which run at the same time."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from stempelwerk_tools.bench.goals import EMBEDDED, PRODUCT, TWO_WORKERS
from stempelwerk_tools.bench.installation import Installation, installation
from stempelwerk_tools.bench.sides.limits import Composed
from stempelwerk_tools.bench.sides.product import Product
from stempelwerk_tools.bench.sides.side import Side
from stempelwerk_tools.postgres import PostgresServer, database_name, temporary_server

_SETTINGS = {"max_wal_size": "4GB", "checkpoint_timeout": "30min"}  # no checkpoint falls into one side's turn
Say = Callable[[str], None]
Made = TypeVar("Made")


@dataclass
class Field:
    """The running systems of a benchmark. A PostgreSQL server runs from the start; each product and the limit are
    started at the first request for them.
    """

    folder: Path
    postgres: PostgresServer
    say: Say
    running: contextlib.ExitStack
    _products: dict[str, tuple[Product, Installation]] = field(default_factory=dict)
    _shared: dict[str, Any] = field(default_factory=dict)
    _limit: Composed | None = None

    def product(self, name: str = PRODUCT) -> tuple[Product, Installation]:
        """Returns the product under a name of its own, with its installation; on PostgreSQL, but on SQLite under
        `EMBEDDED`.
        """
        if name not in self._products:
            self.say(f"starting: {name}")
            data = self.folder / f"product{len(self._products)}"
            url = f"sqlite:///{data / 'bench.db'}" if name == EMBEDDED else self.postgres.new_database()
            workers = 2 if name == TWO_WORKERS else 1
            installed = self.running.enter_context(installation(url, data, workers=workers))
            product = self.running.enter_context(contextlib.closing(Product(name, installed)))
            self._products[name] = product, installed
        return self._products[name]

    def once(self, name: str, begin: Callable[[], contextlib.AbstractContextManager[Made]]) -> Made:
        """Returns something that runs until the end, started at the first request for its name."""
        if name not in self._shared:
            self._shared[name] = self.running.enter_context(begin())
        value: Made = self._shared[name]
        return value

    def sides(self) -> list[Side]:
        """Returns all sides to compare: the product in its three forms, and the limit."""
        if self._limit is None:
            url = self.postgres.new_database()
            dsn = self.postgres.dsn(database_name(url))
            self._limit = self.running.enter_context(Composed.running(url, dsn, self.folder))
        return [*(self.product(name)[0] for name in (PRODUCT, TWO_WORKERS, EMBEDDED)), self._limit]


@contextlib.contextmanager
def open_field(say: Say) -> Iterator[Field]:
    """Yields a field with a durable PostgreSQL server and a temporary folder; stops everything at the end."""
    with (
        tempfile.TemporaryDirectory(prefix="stempelwerk-bench-", ignore_cleanup_errors=True) as folder,
        temporary_server(durable=True, settings=_SETTINGS) as postgres,
        contextlib.ExitStack() as running,
    ):
        yield Field(Path(folder), postgres, say, running)
