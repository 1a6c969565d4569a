"""A dry run writes to shadow tables, which its statements find first and which leave no trace."""

from datetime import date

import pytest
from sqlalchemy import delete, insert, select, text, update
from sqlalchemy.exc import DatabaseError, IntegrityError
from sqlalchemy.orm import Session
from stempelwerk_cloud.kit.database import transactions
from stempelwerk_cloud.kit.database.rows import upsert
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.shadows import TookTooLong
from stempelwerk_cloud.kit.database.statements import Sql, Statement
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.tables import Company, CompanySetting
from stempelwerk_cloud.timekeeping.ledger.tables import Counter

from cloud.tests.databases import ON_BOTH, ON_POSTGRESQL, ON_SQLITE
from cloud.tests.kit import probes
from cloud.tests.world import Firm

DAY = date(2026, 11, 2)
_COUNTED = Statement("SELECT count(*) FROM company_settings WHERE company_id = :company::uuid")
_SET = Statement("UPDATE company_settings SET value = :value WHERE company_id = :company::uuid")


@pytest.fixture
def database(platform: Platform) -> Database:
    return platform.database


def _row(firm: Firm, value: str = "1") -> dict[str, object]:
    return {
        "company_id": firm.id,
        "setting": "probe",
        "valid_from": DAY,
        "value": value,
        "set_at": firm.world.platform.clock.now(),
    }


def _values(session: Session) -> list[str]:
    query = select(CompanySetting.value).where(CompanySetting.setting == "probe")
    return list(session.scalars(query.order_by(CompanySetting.value)))


@ON_BOTH
def test_a_dry_run_reads_what_it_writes_and_leaves_nothing(database: Database, firm: Firm) -> None:
    with database.write(SYSTEM) as session:
        session.execute(insert(CompanySetting).values(_row(firm)))
    with database.dry_run(SYSTEM, firm.id) as session:
        new = upsert(session, CompanySetting).values(_row(firm, "2"))
        replaced = new.on_conflict_do_update(
            index_elements=["company_id", "setting", "valid_from"], set_={"value": new.excluded.value}
        )
        session.execute(replaced)
        assert _values(session) == ["2"]
        Sql(session).do(_SET, {"company": firm.id, "value": "3"})
        assert _values(session) == ["3"]
        session.execute(delete(CompanySetting))
        assert Sql(session).rows(_COUNTED, {"company": firm.id}) == [(0,)]
    with database.read(SYSTEM) as session:
        assert _values(session) == ["1"]


@ON_BOTH
def test_a_shadow_has_the_keys_of_its_table_and_the_rows_of_its_company_alone(database: Database, firm: Firm) -> None:
    other_firm = firm.world.firm("Andere GmbH")
    with database.write(SYSTEM) as session:
        session.execute(insert(CompanySetting), [_row(firm), _row(other_firm, "9")])
    with database.dry_run(SYSTEM, firm.id) as session:
        step = session.begin_nested()
        with pytest.raises(IntegrityError):
            session.execute(insert(CompanySetting).values(_row(firm)))
        step.rollback()
        assert _values(session) == ["1", "9"], "the shadow went with its savepoint"
        Sql(session).do(_SET, {"company": firm.id, "value": "2"})
        assert _values(session) == ["2"]


@ON_BOTH
def test_a_table_without_a_company_is_shadowed_as_a_whole(database: Database, firm: Firm) -> None:
    counters = select(Counter.kind, Counter.last).order_by(Counter.kind)
    with database.write(SYSTEM) as session:
        session.execute(insert(Counter), [{"kind": "probe", "last": 4}])
        rows_before = session.execute(counters).all()
    with database.dry_run(SYSTEM, firm.id) as session:
        session.execute(update(Counter).values(last=Counter.last + 1))
        assert [row.last for row in session.execute(counters)] == [row.last + 1 for row in rows_before]
    with database.read(SYSTEM) as session:
        assert session.execute(counters).all() == rows_before


@ON_BOTH
def test_a_row_that_a_dry_run_wants_to_lock_stays_free(database: Database, firm: Firm) -> None:
    with database.dry_run(SYSTEM, firm.id) as trying:
        trying.scalars(select(Company).with_for_update(key_share=True)).all()
        with database.write(SYSTEM) as session:
            session.scalars(select(Company).with_for_update(nowait=True)).all()
            session.execute(update(Company).where(Company.id == firm.id).values(name="Neu"))
        assert trying.scalar(select(Company.name).where(Company.id == firm.id)) == firm.name


@ON_BOTH
def test_a_dry_run_ends_at_its_deadline_and_its_connection_works_on(
    database: Database, firm: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    monkeypatch.setattr(transactions, "DRY_RUN_S", 0.3)
    with pytest.raises(TookTooLong), database.dry_run(SYSTEM, firm.id) as session:
        session.execute(text(endless))
    for _ in range(3):
        with database.write(SYSTEM) as session:
            session.execute(update(Company).values(name=Company.name))


@ON_POSTGRESQL
def test_a_statement_that_the_driver_had_prepared_means_the_shadow_too(database: Database, firm: Firm) -> None:
    for _ in range(8):  # the driver prepares a statement at its sixth use
        with database.write(SYSTEM) as session:
            assert _values(session) == []
    with database.dry_run(SYSTEM, firm.id) as session:
        session.execute(insert(CompanySetting).values(_row(firm)))
        assert [_values(session) for _ in range(8)] == [["1"]] * 8
    with database.write(SYSTEM) as session:
        assert _values(session) == []


@ON_SQLITE
def test_a_dry_run_cannot_write_to_the_file(database: Database, owner: Database, firm: Firm) -> None:
    probes.make(owner)
    with pytest.raises(DatabaseError, match="not authorized"), database.dry_run(SYSTEM, firm.id) as session:
        session.execute(text("INSERT INTO probes VALUES (1)"))
    with database.write(SYSTEM) as session:
        session.execute(text("INSERT INTO probes VALUES (2)"))
    assert probes.committed(database) == [2]
