"""The caller's access is checked again at the commit: two callers who remove each other in parallel, and others."""

from collections.abc import Callable

import pytest
from httpx2 import Response
from sqlalchemy import func, select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit import queries as audit
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.directory.callers import COMPANY_ADMIN
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.work import UnitOfWork

from cloud.tests.meeting import all_at_once, interrupted
from cloud.tests.waiting import one_after_the_other
from cloud.tests.world import Firm, Somebody, World

ROUNDS = 4
Act = Callable[[Somebody, Somebody], Response]
"""(actor, target) -> the answer."""


def _delete(actor: Somebody, target: Somebody) -> Response:
    return actor.delete(f"/api/users/{target.id}")


def _demote(actor: Somebody, target: Somebody) -> Response:
    return actor.put(f"/api/users/{target.id}", json={"role": "user"})


def _session_of(person: Somebody) -> str:
    (own_id,) = [row["id"] for row in person.get("/api/auth/sessions").json() if row["current"]]
    return str(own_id)


def _administrators(platform: Platform, company_id: str) -> int:
    alive = (User.company_id == company_id, User.role == COMPANY_ADMIN, User.deleted_at.is_(None))
    with platform.database.read(SYSTEM) as tx:
        return tx.scalar(select(func.count()).select_from(User).where(*alive)) or 0


def _decisions(platform: Platform) -> int:
    with platform.database.read(SYSTEM) as tx:
        return tx.scalar(select(func.count()).select_from(AuditEntry)) or 0


@pytest.mark.parametrize(
    ("first_act", "another"),
    [(_delete, _delete), (_demote, _demote), (_delete, _demote)],
    ids=["delete each other", "demote each other", "delete and demote each other"],
)
def test_of_two_administrators_who_end_each_other_at_once_one_stays(world: World, first_act: Act, another: Act) -> None:
    for _ in range(ROUNDS):
        company_id = world.company()
        first, second = (world.user(company_id, name, COMPANY_ADMIN) for name in ("erste", "zweite"))
        answers = all_at_once(world.platform, lambda: first_act(first, second), lambda: another(second, first))  # noqa: B023
        assert sorted(answer.status_code >= 400 for answer in answers) == [False, True]
        assert [answer.json()["code"] for answer in answers if answer.is_error] == ["unauthorized"]
        assert _administrators(world.platform, company_id) == 1


def test_of_three_administrators_who_delete_each_other_in_a_circle_at_least_one_stays(world: World) -> None:
    for _ in range(ROUNDS):
        company_id = world.company()
        people = [world.user(company_id, name, COMPANY_ADMIN) for name in ("erste", "zweite", "dritte")]
        pairs = zip(people, people[1:] + people[:1], strict=True)
        calls = [lambda actor=actor, target=target: _delete(actor, target) for actor, target in pairs]  # type: ignore[misc]
        answers = all_at_once(world.platform, *calls)
        assert {answer.status_code for answer in answers} == {204, 401}
        assert _administrators(world.platform, company_id) == 3 - [a.status_code for a in answers].count(204) >= 1


def test_an_administrator_whose_module_was_taken_away_meanwhile_changes_nobody(firm: Firm, platform: Platform) -> None:
    refused = interrupted(
        platform,
        lambda: firm.boss.put(f"/api/users/{firm.anna.id}", json={"username": "anna b."}),
        lambda tx: companies.set_features(UnitOfWork(tx, platform), firm.id, []),
    )
    assert (refused.status_code, refused.json()["code"]) == (403, "feature_off")
    assert [row["username"] for row in firm.boss.get(f"/api/companies/{firm.id}/users").json()] == [
        "anna",
        "ben",
        "chefin",
    ]


def test_of_two_logouts_at_once_one_ends_the_session(firm: Firm, platform: Platform) -> None:
    def log_out() -> Response:
        return firm.anna.post("/api/logout")

    assert sorted(answer.status_code for answer in all_at_once(platform, log_out, log_out)) == [204, 401]


def test_one_session_is_ended_once(world: World, firm: Firm, platform: Platform) -> None:
    rows = world.again(firm.anna).get("/api/auth/sessions").json()
    (other_id,) = [row["id"] for row in rows if not row["current"]]
    anna = world.again(firm.anna)

    def end() -> Response:
        return anna.delete(f"/api/auth/sessions/{other_id}")

    assert sorted(answer.status_code for answer in all_at_once(platform, end, end)) == [204, 404]


def test_of_two_sessions_that_end_each_other_at_once_one_stays(world: World, firm: Firm, platform: Platform) -> None:
    for _ in range(ROUNDS):
        first, second = world.again(firm.anna), world.again(firm.anna)
        ids = _session_of(first), _session_of(second)
        calls = [
            lambda session=session, other_id=other_id: session.delete(f"/api/auth/sessions/{other_id}")  # type: ignore[misc]
            for session, other_id in zip((first, second), ids[::-1], strict=True)
        ]
        answers = all_at_once(platform, *calls)
        assert sorted(answer.status_code for answer in answers) == [204, 401]


class TestOnPostgreSQL:
    """Tests with several parallel writers."""

    @pytest.fixture
    def database_url(self, postgres_url: str) -> str:
        return postgres_url

    @pytest.mark.parametrize("end", ["logout", "lock", "delete"])
    def test_who_ends_a_caller_waits_for_what_the_caller_is_deciding(
        self, world: World, firm: Firm, platform: Platform, end: str
    ) -> None:
        endings: dict[str, Callable[[], Response]] = {
            "logout": lambda: firm.boss.post("/api/logout"),
            "lock": lambda: world.founder.put(f"/api/users/{firm.boss.id}/lock"),
            "delete": lambda: world.founder.delete(f"/api/users/{firm.boss.id}"),
        }
        decided, ended = one_after_the_other(
            platform,
            lambda tx: audit.lock(tx, firm.id),  # a decision's last lock
            lambda: firm.boss.put(f"/api/companies/{firm.id}/settings", json={"clockShowsBalance": False}),
            endings[end],
        )
        assert (decided.is_success, ended.is_success) == (True, True)
        assert firm.boss.get("/api/auth/sessions").status_code == 401
