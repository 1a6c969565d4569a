"""Row level security: PostgreSQL itself separates the companies' rows, even if a query lacks the condition.

The service works in a role that owns nothing. In its transactions a table with `company_id` shows only the rows of the
company in the transaction's scope (policy `tenant`). It shows more only by a bypass that the table declares (a policy
with the bypass's name). Without a scope it shows no rows. Row level security is forced, so it also applies to the
tables' owner, who uses the bypass `SYSTEM`.

`make_role` and `build` follow every migration and every restore, and may be repeated: policies that the catalogue
already has are not rebuilt, because that locks every table. Deliberately absent: policies for tables of the
installation itself (devices, receipts, boots), and between the people of a company.
"""

import hashlib
from collections.abc import Iterator

from psycopg import errors
from sqlalchemy import Connection, Table, text
from sqlalchemy.exc import ProgrammingError

from stempelwerk_cloud.kit.database.columns import Base
from stempelwerk_cloud.kit.database.postgres import BYPASS_SETTING, COMPANY_SETTING, SERVICE_ROLE
from stempelwerk_cloud.kit.database.scopes import BYPASSES, Reach

TENANT = "tenant"
"""The name of the policy that shows a company its own rows."""

# Roles belong to the whole server: another database's migration may create the same role at the same moment.
_MAKE = (
    f"DO $$ BEGIN CREATE ROLE {SERVICE_ROLE} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$"
)
_JOIN = f"DO $$ BEGIN GRANT {SERVICE_ROLE} TO CURRENT_USER; EXCEPTION WHEN unique_violation THEN END $$"
_ROLE = text("SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = :role")
_MAY_SHADOW = text("SELECT has_database_privilege(:role, current_database(), 'TEMPORARY')")
# Since PostgreSQL 16 one can be a member of a role and yet not take it.
_MAY_TAKE = text(
    "SELECT pg_has_role(current_user, CAST(:role AS name),"
    " CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END)"
)


# Rights, policies and whether they are forced; a comment holds the digest of the state after `build`. The view
# `pg_policies` locks the tables to write expressions out. The trees hold the places of their parts in the script.
_STATE = text(
    """
    SELECT md5(string_agg(line, ';' ORDER BY line)) FROM (
        SELECT concat_ws(' ', c.relname, c.relrowsecurity, c.relforcerowsecurity, (
            SELECT string_agg(a.privilege_type, ',' ORDER BY a.privilege_type) FROM aclexplode(c.relacl) a
            WHERE a.grantee = to_regrole(:role)
        )) AS line
        FROM pg_class c
        WHERE c.relnamespace = to_regnamespace(quote_ident(current_schema())) AND c.relkind IN ('r', 'S')
        UNION ALL SELECT regexp_replace(concat_ws(
            ' ', c.relname, p.polname, p.polpermissive, p.polroles, p.polcmd, p.polqual, p.polwithcheck
        ), ':(stmt_)?(location|len) -?[0-9]+', '', 'g')
        FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
        WHERE c.relnamespace = to_regnamespace(quote_ident(current_schema()))
        UNION ALL SELECT has_schema_privilege(:role, current_schema(), 'USAGE')::text
    ) AS lines
    """
)
_NOTED = text("SELECT obj_description(to_regclass('alembic_version'), 'pg_class')")


class RoleCreationDenied(Exception):
    """The migrating user cannot prepare the service's role; the message is one line for the operator."""


def make_role(connection: Connection) -> None:
    """Creates the service's role and lets the current user take it, unless that is done. Raises RoleCreationDenied."""
    role = {"role": SERVICE_ROLE}
    user = connection.execute(text("SELECT quote_ident(current_user)")).scalar_one()
    try:
        if connection.execute(_ROLE, role).first() is None:
            connection.exec_driver_sql(_MAKE)
        if not connection.execute(_MAY_TAKE, role).scalar_one():
            connection.exec_driver_sql(_JOIN)
    except ProgrammingError as error:
        if not isinstance(error.orig, errors.InsufficientPrivilege):
            raise
        raise RoleCreationDenied(
            f"The database's user may not make roles: as a superuser run 'CREATE ROLE {SERVICE_ROLE} NOLOGIN;'"
            f" (if it is missing) and 'GRANT {SERVICE_ROLE} TO {user};', then this again."
        ) from error
    if connection.execute(_ROLE, role).scalar_one():
        raise RoleCreationDenied(
            f"The role {SERVICE_ROLE} sees through every wall: as a superuser run"
            f" 'ALTER ROLE {SERVICE_ROLE} NOSUPERUSER NOBYPASSRLS;', then this again."
        )


def is_built(connection: Connection) -> bool:
    """Returns whether rights and policies in the catalogue are those that `build` would create. It locks no table."""
    comment: str | None = connection.execute(_NOTED).scalar_one()
    return comment == _digest(connection)


def build(connection: Connection) -> None:
    """Grants the service's role its rights and creates the policies, on the newest schema. The tables' owner calls
    it.
    """
    if is_built(connection):
        return
    schema = connection.execute(text("SELECT quote_ident(current_schema())")).scalar_one()
    present = connection.execute(
        text("SELECT tablename, policyname FROM pg_policies WHERE schemaname = current_schema()")
    )
    may_shadow = connection.execute(_MAY_SHADOW, {"role": SERVICE_ROLE}).scalar_one()
    database = connection.execute(text("SELECT quote_ident(current_database())")).scalar_one()
    script = [
        # Dry runs make temporary tables (`shadows.py`), which some administrators revoke from PUBLIC.
        *([] if may_shadow else [f"GRANT TEMPORARY ON DATABASE {database} TO {SERVICE_ROLE}"]),
        f"GRANT USAGE ON SCHEMA {schema} TO {SERVICE_ROLE}",
        f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA {schema} TO {SERVICE_ROLE}",
        f"GRANT SELECT ON alembic_version TO {SERVICE_ROLE}",
        *(f"DROP POLICY {policy} ON {table}" for table, policy in present if table in Base.metadata.tables),
        *_walls(),
    ]
    # Without parameters all of it is one message.
    connection.exec_driver_sql(";\n".join(script), execution_options={"no_parameters": True})
    connection.exec_driver_sql(f"COMMENT ON TABLE alembic_version IS '{_digest(connection)}'")


def _walls() -> list[str]:
    return [line for table in Base.metadata.sorted_tables for line in _around(table)]


def _digest(connection: Connection) -> str:
    """Returns a digest of the declared policies and of those in the catalogue."""
    declared = hashlib.sha256("\n".join(_walls()).encode()).hexdigest()
    return f"{declared} {connection.execute(_STATE, {'role': SERVICE_ROLE}).scalar_one()}"


def company_column(table: Table) -> str | None:
    """Returns the column that names the company of a row; None for tables that are the installation's own."""
    if table.name == "companies":
        return "id"
    return "company_id" if "company_id" in table.columns else None


def bypasses_of(table: Table) -> dict[str, Reach]:
    """Returns the bypasses that a table admits by name, each with the statements that it permits."""
    declared: dict[str, Reach] = table.info.get("bypasses", {})
    return BYPASSES | declared


def _around(table: Table) -> Iterator[str]:
    name = table.name
    rights = "SELECT, INSERT" if table.info.get("append_only") else "SELECT, INSERT, UPDATE, DELETE"
    yield f"REVOKE ALL ON {name} FROM {SERVICE_ROLE}"
    yield f"GRANT {rights} ON {name} TO {SERVICE_ROLE}"
    column = company_column(table)
    if column is None:
        return
    yield f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY"
    # In a subquery a setting is read once for a statement and not once for a row.
    own_company = f"(SELECT nullif(current_setting('{COMPANY_SETTING}', true), '')::uuid)"
    yield f"CREATE POLICY {TENANT} ON {name} USING ({column} = {own_company})"
    for bypass, reach in bypasses_of(table).items():
        entered = f"(SELECT current_setting('{BYPASS_SETTING}', true)) = '{bypass}'"
        yield f"CREATE POLICY {bypass} ON {name} FOR {reach} USING ({entered})"
