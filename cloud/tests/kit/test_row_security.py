"""Row level security: without any filter PostgreSQL still shows a company no rows of another."""

import uuid
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from sqlalchemy import Table, delete, insert, select, text, update
from sqlalchemy.exc import DBAPIError, ProgrammingError
from sqlalchemy.orm import Session
from stempelwerk_cloud.kit.clock import SystemIds
from stempelwerk_cloud.kit.database.columns import Base
from stempelwerk_cloud.kit.database.postgres import SERVICE_ROLE
from stempelwerk_cloud.kit.database.row_security import TENANT, bypasses_of, company_column
from stempelwerk_cloud.kit.database.scopes import ADMIN, DEVICES, LOGIN, NOBODY, SYSTEM, Scope, of_company
from stempelwerk_cloud.kit.database.statements import Sql, Statement
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.http import request_life
from stempelwerk_cloud.kit.live.hub import Live
from stempelwerk_cloud.kit.live.relay import PostgresRelay
from stempelwerk_cloud.timekeeping.times import clock_people
from stempelwerk_tools.postgres import PostgresServer

from cloud.tests import plans
from cloud.tests.databases import ON_BOTH
from cloud.tests.kit.filling import TENANT_TABLES, fill, row_of

pytestmark = ON_BOTH

MINE, OTHERS = str(uuid.UUID(int=2)), str(uuid.UUID(int=3))
BYPASSES = [LOGIN, DEVICES, ADMIN, SYSTEM]
each_table = pytest.mark.parametrize("table", TENANT_TABLES, ids=lambda table: table.name)
each_bypass = pytest.mark.parametrize("bypass", BYPASSES, ids=lambda scope: scope.bypass)

RIGHTS = ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE")


@pytest.fixture(scope="module")
def filled_url(postgres_server: PostgresServer, postgres_template: str) -> Iterator[str]:
    """A database with a row of two companies in every table. A test that writes into it must roll back."""
    url = postgres_server.new_database(postgres_template)
    with Database(url, as_owner=True) as owner, owner.write(SYSTEM) as session:
        fill(session, [MINE, OTHERS])
    yield url
    postgres_server.drop_database(url)


@pytest.fixture(scope="module")
def filled(filled_url: str) -> Iterator[Database]:
    """A database with one connection, which every transaction shares."""
    with Database(filled_url, pool_size=1) as database:
        yield database


class Undo(Exception):
    """Ends a transaction without a commit."""


def _visible_companies(session: Session, table: Table) -> list[str]:
    """Returns the companies whose rows a query without a filter finds."""
    column = company_column(table)
    assert column is not None
    return sorted(str(row[column]) for row in session.execute(text(f"SELECT * FROM {table.name}")).mappings())


def _seen_by(database: Database, scope: Scope, table: Table) -> list[str]:
    with database.read(scope) as session:
        return _visible_companies(session, table)


def _all_touched(session: Session, table: Table) -> int:
    """Returns how many rows an update without a filter reaches; for append-only tables, how many it sees."""
    column = table.columns[company_column(table) or ""]
    try:
        with session.begin_nested():
            return session.execute(update(table).values({column: column})).rowcount  # type: ignore[attr-defined]
    except ProgrammingError:
        assert table.info["append_only"], table.name
        return len(_visible_companies(session, table))


@each_table
def test_a_query_without_a_filter_finds_the_companys_own_rows_alone(filled: Database, table: Table) -> None:
    assert _seen_by(filled, of_company(MINE), table) == [MINE]
    assert _seen_by(filled, of_company(OTHERS), table) == [OTHERS]


def test_the_orm_without_a_filter_finds_the_companys_own_rows_alone(filled: Database) -> None:
    with filled.read(of_company(MINE)) as session:
        for mapper in Base.registry.mappers:
            column = company_column(mapper.local_table)  # type: ignore[arg-type]
            if column is not None:
                assert [getattr(row, column) for row in session.scalars(select(mapper.class_))] == [MINE], mapper


@each_table
def test_no_scope_and_an_unknown_company_see_no_row(filled: Database, table: Table) -> None:
    for scope in (NOBODY, of_company(str(uuid.UUID(int=77))), Scope(bypass="back")):
        assert _seen_by(filled, scope, table) == []


def test_deleting_without_a_filter_leaves_another_companys_rows(filled: Database) -> None:
    def delete_all() -> None:
        with filled.write(of_company(MINE)) as session:
            for table in reversed(TENANT_TABLES):
                try:
                    with session.begin_nested():
                        session.execute(delete(table))
                except ProgrammingError:  # append-only: its rows are never deleted
                    assert table.info["append_only"], table.name
            session.execute(text("SET LOCAL stempelwerk.door = 'house'"))
            for table in TENANT_TABLES:
                assert OTHERS in _visible_companies(session, table), table.name
            raise Undo

    with pytest.raises(Undo):
        delete_all()


@each_table
def test_changing_without_a_filter_changes_the_companys_own_rows_alone(filled: Database, table: Table) -> None:
    def change_all() -> None:
        with filled.write(of_company(MINE)) as session:
            assert _all_touched(session, table) == 1
            raise Undo

    with pytest.raises(Undo):
        change_all()


@each_table
def test_a_row_of_another_company_is_not_accepted(filled: Database, table: Table) -> None:
    def smuggle() -> None:
        with filled.write(of_company(MINE)) as session:
            session.execute(insert(table).values(**row_of(table, 9, str(uuid.UUID(int=9)), {})))

    with pytest.raises(ProgrammingError, match="row-level security"):
        smuggle()


@each_table
def test_a_row_cannot_be_given_to_another_company(filled: Database, table: Table) -> None:
    def give_away() -> None:
        with filled.write(of_company(MINE)) as session:
            session.execute(update(table).values({company_column(table): OTHERS}))

    with pytest.raises(DBAPIError, match=r"row-level security|permission denied"):
        give_away()


@each_bypass
@each_table
def test_a_door_shows_what_the_table_declares_and_nothing_else(filled: Database, table: Table, bypass: Scope) -> None:
    reach = bypasses_of(table).get(bypass.bypass)
    assert _seen_by(filled, bypass, table) == ([MINE, OTHERS] if reach else [])

    def change_all() -> None:
        with filled.write(bypass) as session:
            assert _all_touched(session, table) == (2 if reach == "all" else 0)
            raise Undo

    with pytest.raises(Undo):
        change_all()


def test_secrets_are_not_behind_the_clocks_door() -> None:
    secrets = ("web_sessions", "tickets", "remembered_devices", "second_factors", "recovery_codes", "pending_logins")
    for name in secrets:
        assert DEVICES.bypass not in bypasses_of(Base.metadata.tables[name])
    assert bypasses_of(Base.metadata.tables["users"])[DEVICES.bypass] == "select"


def test_every_table_of_a_company_is_walled_as_it_declares(filled: Database) -> None:
    catalogue = text(
        "SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity,"
        " ARRAY(SELECT format('%s %s', polname, polcmd) FROM pg_policy WHERE polrelid = c.oid AND polpermissive)"
        " FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace"
        " AND (c.relname = 'companies'"
        " OR EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'company_id'))"
    )
    with filled.read(NOBODY) as session:
        policies_found = {name: (walled, set(policies)) for name, walled, policies in session.execute(catalogue)}
    command = {"select": "r", "all": "*"}
    assert policies_found == {
        table.name: (
            True,
            {f"{TENANT} *", *(f"{bypass} {command[reach]}" for bypass, reach in bypasses_of(table).items())},
        )
        for table in TENANT_TABLES
    }


def test_the_services_role_has_no_privileges_and_owns_nothing(filled: Database) -> None:
    with filled.read(NOBODY) as session:
        role = session.execute(
            text(
                "SELECT rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb, rolreplication,"
                " (SELECT count(*) FROM pg_auth_members m WHERE m.member = r.oid)"
                " + (SELECT count(*) FROM pg_shdepend d WHERE d.refobjid = r.oid AND d.deptype = 'o')"
                " FROM pg_roles r WHERE rolname = current_user"
            )
        ).one()
    assert tuple(role) == (False, False, False, False, False, False, 0)


def test_the_service_may_add_to_the_audit_log_and_do_nothing_else_to_it(filled: Database) -> None:
    with filled.read(SYSTEM) as tx:
        rights = "SELECT has_table_privilege(current_user, 'audit_entries', :right)"
        granted = [right for right in RIGHTS if tx.execute(text(rights), {"right": right}).scalar_one()]
    assert granted == ["SELECT", "INSERT"]


def test_connections_take_the_role_although_the_address_names_a_superuser(filled: Database) -> None:
    with filled.read(SYSTEM) as session:
        current, session_user = session.execute(text("SELECT current_user, session_user")).one()
    assert (current, session_user) == (SERVICE_ROLE, "postgres")


def test_the_connections_of_live_events_take_the_role_too(filled_url: str) -> None:
    relay = PostgresRelay(filled_url.replace("postgresql+psycopg", "postgresql"), Live(SystemIds()), "here")
    with relay._connect() as connection:
        assert connection.execute("SELECT current_user").fetchone() == (SERVICE_ROLE,)


@pytest.mark.parametrize("first_scope", [of_company(MINE), *BYPASSES], ids=str)
def test_a_scope_ends_with_its_transaction_however_that_ends(filled: Database, first_scope: Scope) -> None:
    users = Base.metadata.tables["users"]

    def fail(statement: str) -> None:
        with filled.write(first_scope) as session:
            assert MINE in _visible_companies(session, users)
            session.execute(text(statement))
            raise Undo

    assert MINE in _seen_by(filled, first_scope, users)
    assert _seen_by(filled, NOBODY, users) == []
    for statement, error in (("SELECT 1", Undo), ("SELECT 1/0", DBAPIError)):
        with pytest.raises(error):
            fail(statement)
        assert _seen_by(filled, NOBODY, users) == []
    with filled.engine.connect() as bare:
        assert bare.execute(select(users.c.id)).all() == []


def test_a_scope_that_was_set_for_the_whole_connection_does_not_count(filled: Database) -> None:
    with filled.write(NOBODY) as session:
        session.execute(text("SET stempelwerk.door = 'house'"))
        session.execute(text(f"SET stempelwerk.company = '{OTHERS}'"))
    assert _seen_by(filled, NOBODY, Base.metadata.tables["users"]) == []
    assert _seen_by(filled, of_company(MINE), Base.metadata.tables["users"]) == [MINE]


@pytest.mark.parametrize(
    "scope",
    [
        of_company("x"),
        of_company(f"{MINE}'; SET LOCAL stempelwerk.door = 'house"),
        of_company(f"{MINE}\n"),
        of_company(MINE.upper().replace("0", "A")),
        Scope(bypass="house'; --"),
        Scope(bypass="SYSTEM"),
    ],
    ids=repr,
)
def test_an_invalid_scope_opens_no_transaction(filled: Database, scope: Scope) -> None:
    with pytest.raises(ValueError, match="no scope"), filled.read(scope) as session:
        session.execute(text("SELECT 1"))


def test_a_look_by_the_key_goes_by_the_key(filled: Database) -> None:
    month = (
        "SELECT * FROM entries WHERE company_id = :company AND person_no = 2 AND date BETWEEN '2026-01-01'"
        " AND '2026-01-31'"
    )
    with filled.read(of_company(MINE)) as session:
        session.execute(text("SET LOCAL enable_seqscan = off"))
        plan = "\n".join(session.scalars(text(f"EXPLAIN {month}"), {"company": MINE}))
    assert "Index Cond: ((company_id = " in plan
    assert "person_no = 2" in plan.split("Index Cond")[1].split("\n")[0]
    assert "date <= " in plan.split("Index Cond")[1].split("\n")[0]


def test_a_clocks_question_for_what_is_new_reads_only_the_newest(filled: Database) -> None:
    newest = clock_people.NEWEST.format(company=":company::uuid")
    explained = Statement(f"EXPLAIN (ANALYZE, VERBOSE, FORMAT JSON) SELECT {newest}")
    week = "SELECT :mine, g * 600000, gen_random_uuid(), '[]' FROM generate_series(1, 1000) g"

    def look() -> None:
        with filled.merge() as session:
            insertion = text(f"INSERT INTO people_changes (company_id, changed_at, id, people) {week}")
            session.execute(insertion, {"mine": MINE})
            query_plans.append(Sql(session).rows(explained, {"company": MINE})[0][0][0]["Plan"])
            raise Undo

    query_plans: list[plans.Plan] = []
    with pytest.raises(Undo):
        look()
    read = list(plans.rows_read(query_plans[0], "people_changes"))
    assert read
    assert max(read) == 1


def test_look_ups_see_what_the_clocks_bypass_shows(filled: Database) -> None:
    for table in TENANT_TABLES:
        statement = Statement(f"SELECT {company_column(table)}::text FROM {table.name}")
        companies_seen = [company for (company,) in filled.look_up(statement, {})]
        assert sorted(companies_seen) == sorted(_seen_by(filled, DEVICES, table)), table.name
    assert filled.look_up(Statement("SELECT current_user::text"), {}) == [(SERVICE_ROLE,)]


def test_the_caller_is_known_before_the_transaction_begins(app: FastAPI) -> None:
    calls = [route for route in app.routes if isinstance(route, APIRoute)]
    assert len(calls) > 20
    for call in calls:
        order = list(_order(call.dependant))
        if "transaction" in order:
            assert order.index("guard") < order.index("transaction"), call.path


def _order(dependant: Dependant) -> Iterator[str]:
    for part in dependant.dependencies:
        yield from _order(part)
    if getattr(dependant.call, "who", None) is not None:
        yield "guard"
    if dependant.call in (request_life._read_tx, request_life._write_tx):
        yield "transaction"
