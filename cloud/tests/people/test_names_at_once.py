"""Two callers want the same name, tag, role or setting in parallel: the first gets it, the other is refused with the
reason.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from httpx2 import Response
from sqlalchemy import func, select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.people.directory.tables import Company, User
from stempelwerk_cloud.people.users import commands
from stempelwerk_cloud.people.users.commands import ProtectedRefused
from stempelwerk_cloud.people.work import UnitOfWork

from cloud.tests.meeting import all_at_once
from cloud.tests.world import PASSWORD, Firm, World, password_hash

ROUNDS = range(4)


def _outcomes(answers: list[Response]) -> list[int | str]:
    """Returns the status of successes, and the code of refusals."""
    outcomes = [answer.json()["code"] if answer.is_error else answer.status_code for answer in answers]
    return sorted(outcomes, key=str)


def _new(name: str, tag: str) -> dict[str, str]:
    return {"username": name, "password": PASSWORD, "tagId": tag, "role": "user"}


def test_one_of_two_companies_with_one_name_is_made(world: World, platform: Platform) -> None:
    for number in ROUNDS:

        def make(name: str) -> Response:
            return world.founder.post("/api/companies", json={"name": name})

        spelled = (f"Neue Firma {number}", f"NEUE FIRMA {number}")
        answers = all_at_once(platform, *(lambda name=name: make(name) for name in spelled))  # type: ignore[misc]
        assert _outcomes(answers) == [201, "company_exists"]


def test_a_name_that_a_deleted_company_leaves_is_taken_or_free(world: World, platform: Platform) -> None:
    for number in ROUNDS:
        name = f"Nachfolge {number}"
        old = world.company(name)
        deleted, created = all_at_once(
            platform,
            lambda: world.founder.delete(f"/api/companies/{old}"),  # noqa: B023
            lambda: world.founder.post("/api/companies", json={"name": name}),  # noqa: B023
        )
        assert deleted.status_code == 204
        assert created.status_code == 201 or created.json()["code"] == "company_exists"


@pytest.mark.parametrize(
    ("first", "another", "refusal"),
    [
        (_new("carla", "04110001"), _new("Carla", "04110002"), "username_taken"),
        (_new("dora", "04110003"), _new("emil", "04:11:00:03"), "tag_taken"),
    ],
    ids=["name", "tag"],
)
def test_one_of_two_people_with_one_name_or_tag_is_made(
    firm: Firm, platform: Platform, first: dict[str, str], another: dict[str, str], refusal: str
) -> None:
    answers = all_at_once(
        platform,
        lambda: firm.boss.post("/api/users", json=first),
        lambda: firm.boss.post("/api/users", json=another),
    )
    assert _outcomes(answers) == [201, refusal]


@pytest.mark.parametrize(
    ("change", "refusal"), [({"username": "Jemand"}, "username_taken"), ({"tagId": "04110009"}, "tag_taken")]
)
def test_one_of_two_people_gets_the_name_or_tag_that_both_are_given(
    firm: Firm, platform: Platform, change: dict[str, str], refusal: str
) -> None:
    answers = all_at_once(
        platform,
        lambda: firm.boss.put(f"/api/users/{firm.anna.id}", json=change),
        lambda: firm.boss.put(f"/api/users/{firm.ben.id}", json=change),
    )
    assert _outcomes(answers) == [200, refusal]


def test_two_who_are_given_each_others_tag_at_once_keep_their_own(firm: Firm, platform: Platform) -> None:
    for _ in ROUNDS:
        answers = all_at_once(
            platform,
            lambda: firm.boss.put(f"/api/users/{firm.anna.id}", json={"tagId": "04D4E5F6"}),
            lambda: firm.boss.put(f"/api/users/{firm.ben.id}", json={"tagId": "04A1B2C3"}),
        )
        assert _outcomes(answers) == ["tag_taken", "tag_taken"]


def test_a_tag_that_moves_on_while_its_holder_gets_another_has_one_holder(firm: Firm, platform: Platform) -> None:
    for number in ROUNDS:
        old_tag, new_tag = f"04AA000{number}", f"04AB000{number}"
        assert firm.boss.put(f"/api/users/{firm.anna.id}", json={"tagId": old_tag}).status_code == 200
        moved = all_at_once(
            platform,
            lambda: firm.boss.put(f"/api/users/{firm.anna.id}", json={"tagId": new_tag}),  # noqa: B023
            lambda: firm.boss.put(f"/api/users/{firm.ben.id}", json={"tagId": old_tag}),  # noqa: B023
        )
        assert _outcomes(moved) in ([200, 200], [200, "tag_taken"])
        tags = [row["tagId"] for row in firm.boss.get(f"/api/companies/{firm.id}/users").json()]
        assert tags.count(old_tag) == int(moved[1].status_code == 200)
        assert tags.count(new_tag) == 1


def test_a_role_that_is_given_twice_at_once_is_given_once(firm: Firm, platform: Platform) -> None:
    def promote() -> Response:
        return firm.boss.put(f"/api/users/{firm.anna.id}", json={"role": "companyAdmin"})

    assert [answer.status_code for answer in all_at_once(platform, promote, promote)] == [200, 200]
    assert len(_logged(platform, "user.role")) == 1


def test_of_two_settings_at_once_each_is_told_as_following_the_other(firm: Firm, platform: Platform) -> None:
    path = f"/api/companies/{firm.id}/settings"

    def change(hours: int) -> Callable[[], Response]:
        return lambda: firm.boss.put(path, json={"maxShiftHours": hours, "validFrom": "2026-11-01"})

    for hours in (9, 11, 13):
        answers = all_at_once(platform, change(hours), change(hours + 1))
        assert [answer.status_code for answer in answers] == [200, 200]
    entries = _logged(platform, "company.settings")
    assert [entry.after for entry in entries[:-1]] == [entry.before for entry in entries[1:]]
    assert f'"maxShiftHours":{firm.boss.get(path).json()["maxShiftHours"]},' in (entries[-1].after or "")


def test_founders_who_are_made_at_once_share_one_company(platform: Platform) -> None:
    outcomes = _made_at_once(platform, "gerda", "georg")
    assert outcomes == ["made", "made"]
    with platform.database.read(SYSTEM) as tx:
        assert tx.scalar(select(func.count()).select_from(Company)) == 1
        assert tx.scalar(select(func.count()).select_from(User)) == 2


def test_of_two_founders_with_one_name_at_once_one_is_made(platform: Platform) -> None:
    assert _made_at_once(platform, "gerda", "GERDA") == ["made", "refused"]


def test_of_two_last_founders_who_are_removed_at_once_one_stays(platform: Platform) -> None:
    for name in ("gerda", "georg"):
        _make(platform, name)

    def remove(name: str) -> str:
        try:
            with platform.database.write(SYSTEM) as tx:
                commands.remove(UnitOfWork(tx, platform), name)
        except ProtectedRefused:
            return "refused"
        return "removed"

    outcomes = all_at_once(platform, lambda: remove("gerda"), lambda: remove("georg"))
    assert sorted(outcomes) == ["refused", "removed"]


def test_a_founder_and_a_page_that_want_one_name_at_once_do_not_fail(world: World, platform: Platform) -> None:
    for number in ROUNDS:
        new = _new(f"neu{number}", f"0411000{number}") | {"companyId": world.operator_id}

        def ask() -> str:
            answer = world.founder.post("/api/users", json=new)  # noqa: B023
            code: str = answer.json()["code"] if answer.is_error else "made"
            return code

        outcomes = all_at_once(platform, ask, lambda: _make(platform, f"neu{number}"))  # noqa: B023
        assert outcomes in (["made", "refused"], ["username_taken", "made"])


def _made_at_once(platform: Platform, *names: str) -> list[str]:
    gate = Barrier(len(names))

    def make(name: str) -> str:
        gate.wait(60)
        return _make(platform, name)

    with ThreadPoolExecutor(len(names)) as pool:
        return sorted(pool.map(make, names))


def _make(platform: Platform, name: str) -> str:
    try:
        with platform.database.write(SYSTEM) as tx:
            commands.create(UnitOfWork(tx, platform), name, password_hash())
    except ProtectedRefused:
        return "refused"
    return "made"


def _logged(platform: Platform, action: str) -> list[AuditEntry]:
    with platform.database.read(SYSTEM) as tx:
        return list(tx.scalars(select(AuditEntry).where(AuditEntry.action == action).order_by(AuditEntry.no)))
