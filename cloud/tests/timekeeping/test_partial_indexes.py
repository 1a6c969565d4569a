"""An index over few rows of a large table is taken by the query that it was made for, on both databases."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import insert, text
from sqlalchemy.orm import Session
from stempelwerk_cloud.device_api.delivery import gaps
from stempelwerk_cloud.domain.instants import from_ms, ms_of
from stempelwerk_cloud.kit.database.scopes import SYSTEM, of_company
from stempelwerk_cloud.kit.database.statements import Sql
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.timekeeping.ledger.intake import queries
from stempelwerk_cloud.timekeeping.ledger.tables import Boot, Epoch, Stamp, Stream, TagNumber
from stempelwerk_cloud.timekeeping.times.held import waiting
from stempelwerk_cloud.timekeeping.tx import Tx

from cloud.tests.databases import ON_BOTH
from cloud.tests.settable_clock import START, SettableClock
from cloud.tests.stamping import enrolled
from cloud.tests.world import Firm

pytestmark = [ON_BOTH, pytest.mark.usefixtures("unused_database")]  # plans depend on what a table has held before

ROWS = 6000
FEW = 12
DAY_MS = 86_400_000


def _stamps(company_id: str) -> list[dict[str, Any]]:
    """One in `ROWS / FEW` waits, and as many are unsettled."""
    return [
        {
            "company_id": company_id,
            "tag_no": n % 30,
            "stream_no": n % 4 + 1,
            "at": from_ms(ms_of(START) - n * 3_600_000),
            "id": str(uuid.UUID(int=n)),
            "boottime_ms": n,
            "seq": n,
            "received_at": START,
            "reported_bits": 0,
            "status": 0 if n % (ROWS // FEW) else 8,
            "waits": n % (ROWS // FEW) == 0,
            "unsettled": n % (ROWS // FEW) == 1,
        }
        for n in range(ROWS)
    ]


def _epochs() -> list[dict[str, Any]]:
    epoch_values = {"received": "[[1,9]]", "gone": "[]", "last_seq": 9, "asked": "[]"}
    return [epoch_values | {"device_no": 1, "epoch": str(uuid.UUID(int=n)), "gaps": n % 900 == 0} for n in range(2000)]


@pytest.fixture
def years(firm: Firm, platform: Platform, owner: Database, clock: SettableClock) -> Firm:
    """A firm whose tables are large, and known to be so."""
    enrolled(firm.world, clock, "SW-T-1", 1)
    streams = [{"no": n, "device_no": 1, "boot_no": 1, "epoch": str(uuid.UUID(int=n))} for n in range(1, 5)]
    with platform.database.write(SYSTEM) as tx:
        tx.execute(insert(TagNumber), [{"company_id": firm.id, "tag": f"04{n:06}", "no": n} for n in range(30)])
        tx.execute(insert(Boot), [{"no": 1, "device_no": 1, "boot": str(uuid.UUID(int=1)), "unsettled": True}])
        tx.execute(insert(Stream), streams)
        tx.execute(insert(Stamp), _stamps(firm.id))
        tx.execute(insert(Epoch), _epochs())
    with owner.engine.begin() as connection:
        connection.execute(text("ANALYZE"))
    return firm


@contextmanager
def plans(session: Session) -> Iterator[Callable[[], str]]:
    """Collects what the database reports about the session's statements: the plans of SQLite, the used indexes of
    PostgreSQL.
    """
    if session.get_bind().dialect.name == "postgresql":
        used = text("SELECT relname FROM pg_class WHERE relkind = 'i' AND pg_stat_get_xact_numscans(oid) > 0")
        yield lambda: " ".join(session.execute(used).scalars())
        return
    driver: Any = session.connection().connection.driver_connection
    statements: list[str] = []
    driver.set_trace_callback(statements.append)

    def explained() -> str:
        driver.set_trace_callback(None)
        steps = [row for line in statements for row in driver.execute(f"EXPLAIN QUERY PLAN {line}")]
        return "\n".join(step[3] for step in steps)

    yield explained
    driver.set_trace_callback(None)


Ask = Callable[[Session, Platform, str], Any]
QUERIES: dict[str, tuple[str, Ask]] = {
    "a company's held stamps": ("ix_stamps_waits", lambda tx, _, firm: waiting.of_company(tx, firm).rows),
    "a page of them": ("ix_stamps_waits", lambda tx, _, firm: waiting.of_company(tx, firm, limit=3).rows),
    "how many wait": ("ix_stamps_waits", lambda tx, *_: waiting.count(tx)),
    "what an anchor may move": (
        "ix_stamps_unsettled",
        lambda tx, platform, _: queries.unsettled_of(Tx(tx, platform), 1, 0, ROWS),
    ),
    "what a clock is to send again": ("ix_epochs_gaps", lambda tx, *_: gaps.read(Sql(tx), 1)),
}


@pytest.mark.parametrize(("index", "ask"), QUERIES.values(), ids=QUERIES.keys())
def test_a_query_for_few_of_many_rows_takes_their_own_index(
    years: Firm, platform: Platform, index: str, ask: Ask
) -> None:
    with platform.database.read(SYSTEM) as tx, plans(tx) as told_by:
        assert ask(tx, platform, years.id)
        plan_lines = told_by()
    assert index in plan_lines


def test_a_companys_page_of_held_stamps_is_found_in_its_order(years: Firm, platform: Platform) -> None:
    with platform.database.read(of_company(years.id)) as tx, plans(tx) as told_by:
        assert len(waiting.of_company(tx, years.id).rows) == FEW
        plan_lines = told_by()
    assert "ix_stamps_waits" in plan_lines
    assert "TEMP B-TREE FOR ORDER BY" not in plan_lines
