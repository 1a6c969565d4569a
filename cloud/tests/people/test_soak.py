"""Random parallel use cases on PostgreSQL: no call fails, hangs, or violates a constraint."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Barrier

import pytest
from httpx2 import Response
from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import JOBS
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.audit import service as audit
from stempelwerk_cloud.people.directory.callers import COMPANY_ADMIN

from cloud.tests.device_client import Clock
from cloud.tests.matrix.scene import Town
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import PASSWORD, Somebody, World

ROUNDS = 30
AT_ONCE = 4
TAGS = ("04000001", "04000002", "04000003")
BY_CONSTRAINT = "conflict"


@dataclass
class Company:
    """A company of one round, with a clock and a waiting stamp, and a second company."""

    world: World
    luck: random.Random
    number: int
    id: str
    other_id: str
    bosses: list[Somebody]
    staff: list[Somebody]
    device: Clock
    held_tag: str

    @property
    def path(self) -> str:
        return f"/api/companies/{self.id}"

    def boss(self) -> Somebody:
        return self.luck.choice(self.bosses)

    def anybody(self) -> Somebody:
        return self.luck.choice([*self.bosses, *self.staff])

    def founder(self) -> Somebody:
        return self.world.founder

    def user(self) -> str:
        return f"/api/users/{self.anybody().id}"


def _new(company: Company) -> dict[str, str]:
    name = company.luck.choice(("neu", "Neu"))
    return {"username": name, "password": PASSWORD, "tagId": company.luck.choice(TAGS), "role": "user"}


def _log_in(company: Company) -> Response:
    body = {"company": f"Firma {company.number}", "username": company.anybody().username, "password": PASSWORD}
    return company.world.client.post("/api/login", json=body)


def _change_password(company: Company) -> Response:
    person = company.anybody()
    body = {"currentPassword": PASSWORD, "newPassword": "ein besseres Passwort"}
    return person.put(f"/api/users/{person.id}/change-password", json=body)


def _deliver(company: Company) -> Response:
    taps = [company.device.tap(company.luck.choice(TAGS)) for _ in range(3)]
    return company.device.post("/api/devices/stamps", company.device.batch(*taps))


def _work(company: Company) -> None:
    for job in JOBS:
        jobs.run_once(company.world.platform, job)


Action = Callable[[Company], Response | None]

ACTIONS: dict[str, Action] = {
    "delete": lambda c: c.boss().delete(c.user()),
    "demote": lambda c: c.boss().put(c.user(), json={"role": "user"}),
    "promote": lambda c: c.boss().put(c.user(), json={"role": "companyAdmin", "tagId": c.luck.choice(TAGS)}),
    "rename": lambda c: c.boss().put(c.user(), json={"username": c.luck.choice(("neu", "anders"))}),
    "create": lambda c: c.boss().post("/api/users", json=_new(c)),
    "tag": lambda c: c.boss().put(c.user(), json={"tagId": c.luck.choice(TAGS), "tagFrom": "2026-11-20T07:00:00Z"}),
    "settings": lambda c: c.boss().put(f"{c.path}/settings", json={"maxShiftHours": c.luck.randint(8, 16)}),
    "give": lambda c: c.boss().post(
        f"{c.path}/held-stamps/assign",
        json={"tag": c.luck.choice(TAGS), "userId": c.anybody().id, "from": "2026-11-20T07:00:00Z"},
    ),
    "book": lambda c: c.boss().post(f"{c.path}/held-stamps/{c.held_tag}/resolve", json={"action": "book"}),
    "discard": lambda c: c.boss().post(f"{c.path}/held-stamps/{c.held_tag}/resolve", json={"action": "discard"}),
    "name a clock": lambda c: c.boss().put(f"/api/devices/{c.device.device_id}", json={"name": "Werkstatt"}),
    "log out": lambda c: c.anybody().post("/api/logout"),
    "leave everywhere": lambda c: c.anybody().delete("/api/auth/sessions"),
    "ticket": lambda c: c.anybody().post("/api/tickets", json={"path": "/api/x"}),
    "log in": _log_in,
    "new password": _change_password,
    "lock": lambda c: c.founder().put(f"{c.user()}/lock"),
    "reset": lambda c: c.founder().put(f"{c.user()}/password-reset"),
    "reset all": lambda c: c.founder().put(f"{c.path}/password-reset-all"),
    "factor": lambda c: c.founder().delete(f"{c.user()}/second-factor"),
    "modules": lambda c: c.founder().put(f"{c.path}/features", json={"featureIds": ["manage_employees", "devices"]}),
    "close": lambda c: c.founder().delete(c.path),
    "assign": lambda c: c.founder().post(
        f"/api/devices/{c.device.device_id}/assign-company", json={"companyId": c.luck.choice((c.id, c.other_id))}
    ),
    "unassign": lambda c: c.founder().post(f"/api/devices/{c.device.device_id}/unassign"),
    "release": lambda c: c.founder().post(
        "/api/held-stamps/release",
        json={
            "deviceId": c.device.device_id,
            "from": "2026-11-19T00:00:00Z",
            "to": "2026-11-19T01:00:00Z",
            "companyId": c.luck.choice((c.id, c.other_id)),
        },
    ),
    "company": lambda c: c.founder().post("/api/companies", json={"name": f"Neue Firma {c.number}"}),
    "deliver": _deliver,
    "jobs": _work,
}


@pytest.fixture
def database_url(postgres_url: str) -> str:
    return postgres_url


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.prove) for seed in range(1, 10))])
def test_whatever_meets_is_done_or_refused_for_a_reason(
    world: World, clock: SettableClock, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    failed: list[str] = []
    monkeypatch.setattr(jobs.log, "error", lambda _event, job, **_: failed.append(job))
    town, luck = Town(world, clock), random.Random(seed)
    for number in range(ROUNDS):
        company = _company(town, random.Random(f"{seed} {number}"), number)
        names = luck.choices(list(ACTIONS), k=AT_ONCE)
        outcomes = _at_once(company, names)
        failed += [f"{number}: {names} {outcome}" for outcome in outcomes if _is_failure(outcome)]
    assert failed == []
    with world.platform.database.read(SYSTEM) as tx:
        assert audit.verify(tx).broken is None


def _is_failure(outcome: tuple[int, str]) -> bool:
    return outcome[0] >= 500 or outcome[1] == BY_CONSTRAINT


def _at_once(company: Company, names: list[str]) -> list[tuple[int, str]]:
    gate = Barrier(len(names))

    def act(name: str) -> tuple[int, str]:
        gate.wait(60)
        answer = ACTIONS[name](company)
        if answer is None or not answer.is_error:
            return (200, "")
        return answer.status_code, answer.json()["code"]

    with ThreadPoolExecutor(len(names)) as pool:
        return [done.result(60) for done in [pool.submit(act, name) for name in names]]


def _company(town: Town, luck: random.Random, number: int) -> Company:
    world = town.world
    id_, other_id = world.company(f"Firma {number}"), world.company()
    bosses = [world.user(id_, f"chefin{n}", COMPANY_ADMIN) for n in range(2)]
    staff = [world.user(id_, f"person{n}", tag=tag) for n, tag in enumerate(TAGS[:2])]
    device = town.hung_up(id_, f"SW-S-{number}")
    waiting = device.tap(TAGS[2])
    device.deliver(waiting)
    return Company(world, luck, number, id_, other_id, bosses, staff, device, waiting["id"])
