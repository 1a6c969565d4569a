"""All that is measured under load, up and running at once, and what of it could not be had."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from stempelwerk_tools.bench.goals import EMBEDDED, PRODUCT, TWO_WORKERS
from stempelwerk_tools.bench.installation import Installation, installation
from stempelwerk_tools.bench.sides.limits import Composed, RawPostgres
from stempelwerk_tools.bench.sides.peers import PouchDb, TimeTagger
from stempelwerk_tools.bench.sides.product import Product
from stempelwerk_tools.bench.sides.side import NotMeasured, Side
from stempelwerk_tools.postgres import PostgresServer, database_name, temporary_server

_SETTINGS = {"max_wal_size": "4GB", "checkpoint_timeout": "30min"}  # no checkpoint falls into one side's turn
Say = Callable[[str], None]


@dataclass
class Field:
    """`postgres` and the product on it are always there; the rest is started when it is asked for."""

    folder: Path
    installed: Path
    postgres: PostgresServer
    say: Say
    running: contextlib.ExitStack
    missing: dict[str, str] = field(default_factory=dict)
    _products: dict[str, tuple[Product, Installation]] = field(default_factory=dict)
    _others: list[Side] | None = None

    def product(self, name: str = PRODUCT) -> tuple[Product, Installation]:
        """The product under a name of its own, on PostgreSQL unless it is the embedded one."""
        if name not in self._products:
            self.say(f"starting: {name}")
            data = self.folder / f"product{len(self._products)}"
            url = f"sqlite:///{data / 'bench.db'}" if name == EMBEDDED else self.postgres.new_database()
            workers = 2 if name == TWO_WORKERS else 1
            made = self.running.enter_context(installation(url, data, workers=workers))
            product = self.running.enter_context(contextlib.closing(Product(name, made)))
            self._products[name] = product, made
        return self._products[name]

    def sides(self) -> list[Side]:
        """The products, the limits and the peers that can be had; `missing` says why another is not here."""
        if self._others is None:
            self._others = [*self._limits(), *self._peers()]
        products = [self.product(name)[0] for name in (PRODUCT, TWO_WORKERS, EMBEDDED)]
        return [*products, *self._others]

    def _limits(self) -> Iterator[Side]:
        url = self.postgres.new_database()
        dsn = self.postgres.dsn(database_name(url))
        yield self.running.enter_context(Composed.running(url, dsn, self.folder))
        yield RawPostgres(self.postgres.dsn(database_name(self.postgres.new_database())))

    def _peers(self) -> Iterator[Side]:
        for peer, folder in ((TimeTagger, "timetagger"), (PouchDb, "pouchdb")):
            self.say(f"starting: {peer.name}")
            try:
                yield self.running.enter_context(peer.running(self.installed / folder, self.folder))
            except NotMeasured as reason:
                self.missing[peer.name] = str(reason)
                self.say(f"not measured: {peer.name}: {reason}")


@contextlib.contextmanager
def open_field(installed: Path, say: Say) -> Iterator[Field]:
    """A durable PostgreSQL and a folder for everything; `installed` keeps the peers' programs from run to run."""
    with (
        tempfile.TemporaryDirectory(prefix="stempelwerk-bench-", ignore_cleanup_errors=True) as folder,
        temporary_server(durable=True, settings=_SETTINGS) as postgres,
        contextlib.ExitStack() as running,
    ):
        yield Field(Path(folder), installed, postgres, say, running)
