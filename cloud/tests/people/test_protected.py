"""Protected people: no page changes them; the installation's own commands reset and remove them."""

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select, update
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.identity import second_factor
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.people.directory.people import find_user
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.users import commands, tags
from stempelwerk_cloud.people.users.commands import ProtectedRefused
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.ledger.deriving import derivation_inputs

from cloud.tests.databases import ON_SQLITE
from cloud.tests.world import FOUNDER, PASSWORD, Somebody, World, password_hash


def _create(world: World, username: str, protected_as: str = "FOUNDER") -> Somebody:
    with world.platform.database.write(SYSTEM) as tx:
        user = commands.create(UnitOfWork(tx, world.platform), username, password_hash(), protected_as)
    return world.session(user)


def _login(client: TestClient, username: str) -> int:
    return client.post(
        "/api/login", json={"company": "Plattform", "username": username, "password": PASSWORD}
    ).status_code


def _logged(platform: Platform, subject: str) -> list[tuple[str, str | None]]:
    with platform.database.read(SYSTEM) as tx:
        entries = tx.scalars(select(AuditEntry).where(AuditEntry.subject == subject).order_by(AuditEntry.no)).all()
    return [(entry.action, entry.actor) for entry in entries]


def _is_alive(person: Somebody) -> bool:
    return person.post("/api/tickets", json={"path": "/api/x"}).status_code == 200


def test_a_reset_takes_second_factor_address_lock_and_sessions_away(world: World, client: TestClient) -> None:
    platform, gerda = world.platform, _create(world, "gerda")
    with platform.database.write(SYSTEM) as tx:
        second_factor.link_address(tx, gerda.company_id, gerda.id, "thief@example.org")
        second_factor.begin_setup(UnitOfWork(tx, platform), gerda.company_id, gerda.id)
        lost = {"is_locked": True, "lock_token": "t" * 64, "password_hash": "another"}
        tx.execute(update(User).where(User.id == gerda.id).values(lost))
    assert _login(client, "gerda") == 401
    with platform.database.write(SYSTEM) as tx:
        commands.reset(UnitOfWork(tx, platform), " GERDA ", password_hash())
    assert not _is_alive(gerda)
    assert _is_alive(world.founder)
    with platform.database.read(SYSTEM) as tx:
        assert second_factor.address_of(tx, gerda.company_id, gerda.id) is None
        assert not second_factor.is_waiting(tx, gerda.company_id, gerda.id)
    assert _login(client, "gerda") == 200
    assert _logged(platform, gerda.id) == [
        ("user.created", None),
        ("user.password_reset", None),
        ("user.second_factor_removed", None),
    ]


def test_a_founder_is_removed_as_long_as_another_is_there(world: World, client: TestClient) -> None:
    platform, gerda = world.platform, _create(world, "gerda")
    _create(world, "technik", "IT")
    with platform.database.write(SYSTEM) as tx:
        user = find_user(tx, gerda.company_id, gerda.id)
        tags.give(UnitOfWork(tx, platform), user, "04123456", None)
    with platform.database.write(SYSTEM) as tx:
        commands.remove(UnitOfWork(tx, platform), "gerda")
    assert not _is_alive(gerda)
    assert _login(client, "gerda") == 401
    assert _logged(platform, gerda.id) == [("user.created", None), ("user.deleted", None)]
    with platform.database.read(SYSTEM) as tx:
        assert [holding.held_until for holding in derivation_inputs.holdings_of(tx, gerda.company_id, [gerda.id])] == [
            platform.clock.now()
        ]
    with pytest.raises(ProtectedRefused, match="last founder"), platform.database.write(SYSTEM) as tx:
        commands.remove(UnitOfWork(tx, platform), FOUNDER)
    assert _is_alive(world.founder)


def test_who_is_protected_and_no_founder_is_a_system_administrator_without_a_founders_rights(world: World) -> None:
    technik = _create(world, "technik", "IT")
    people = {row["username"]: row for row in technik.get(f"/api/companies/{world.operator_id}/users").json()}
    assert {name: (row["role"], row["tagId"]) for name, row in people.items()} == {"technik": ("admin", "IT")}
    new = {"companyId": world.operator_id, "username": "x", "password": PASSWORD, "tagId": "04112233", "role": "admin"}
    assert technik.post("/api/users", json=new).status_code == 403
    assert world.founder.delete(f"/api/users/{technik.id}").status_code == 403
    with world.platform.database.write(SYSTEM) as tx:
        commands.remove(UnitOfWork(tx, world.platform), "technik")
    assert not _is_alive(technik)


def test_the_commands_are_for_the_protected_alone(world: World) -> None:
    admin = world.admin("eins")
    for name in ("eins", "nobody"):
        with pytest.raises(ProtectedRefused, match=name), world.platform.database.write(SYSTEM) as tx:
            commands.reset(UnitOfWork(tx, world.platform), name, password_hash())
        with pytest.raises(ProtectedRefused, match=name), world.platform.database.write(SYSTEM) as tx:
            commands.remove(UnitOfWork(tx, world.platform), name)
    assert _is_alive(admin)


@ON_SQLITE
@pytest.mark.parametrize("username", ["x" * 101, "\ufdfa" * 50, "\u200b", "\ufe0f", "\u3164", "\u2800"])
def test_a_username_that_cannot_be_is_said_in_a_line(world: World, username: str) -> None:
    with pytest.raises(ProtectedRefused, match="username"), world.platform.database.write(SYSTEM) as tx:
        commands.create(UnitOfWork(tx, world.platform), username, password_hash())
