"""Helpers for tests of notices: choose, subscribe, send a message, advance the time until all is done."""

from typing import Any

from sqlalchemy import select
from stempelwerk_cloud.kit import outbox
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.outbox import OutboxRow
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.notices.tables import KINDS, PushSubscription
from stempelwerk_cloud.people.work import unit_of_work

from cloud.tests.people.notices_calls import browser
from cloud.tests.people.push_service import HOST
from cloud.tests.settable_clock import SettableClock
from cloud.tests.waiting import until
from cloud.tests.world import Firm, Somebody, World

CHOICES, SUBSCRIPTIONS = "/api/notifications", "/api/push/subscriptions"
NONE = dict.fromkeys(KINDS, False)
ALL = dict.fromkeys(KINDS, True)
ANNA = "anna@holzmann.de"


def choose(person: Somebody, **choices: Any) -> dict[str, Any]:
    answer = person.put(CHOICES, json=choices)
    assert answer.status_code == 200, answer.text
    notices: dict[str, Any] = answer.json()
    return notices


def subscribe(person: Somebody, name: str, host: str = f"https://{HOST}") -> str:
    answer = person.post(SUBSCRIPTIONS, json=browser(name, host))
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def send(platform: Platform, recipient: Somebody, type_: str = "schedule") -> None:
    with unit_of_work(platform, SYSTEM) as work:
        messages.send(work, recipient.company_id, [recipient.id], type_, "Titel: geheim", "Inhalt: geheim")


def later(platform: Platform, clock: SettableClock, **how_long: float) -> None:
    """Advances the time and runs all tasks that are due then.

    Tasks that are due already run before: otherwise their lease would expire while the time moves, and another worker
    would send them twice.
    """
    settle(platform)
    clock.advance(**(how_long or {"minutes": 1}))
    settle(platform)


def settle(platform: Platform) -> None:
    """Waits for all background work of calls: it decides and updates pages as well."""
    if due(platform):
        outbox.once(platform)
        until(lambda: not due(platform))


def due(platform: Platform) -> list[str]:
    """Returns the tasks that are due or running."""
    with platform.database.read(SYSTEM) as session:
        rows = session.scalars(select(OutboxRow).where(OutboxRow.failed_at.is_(None)))
        return [row.kind for row in rows if row.leased_until is not None or row.due_at <= platform.clock.now()]


def planned(platform: Platform) -> list[str]:
    """Returns the kinds of the waiting notices."""
    with platform.database.read(SYSTEM) as session:
        kinds = session.scalars(select(OutboxRow.kind).where(OutboxRow.failed_at.is_(None)))
        return sorted(kind for kind in kinds if kind != "notices.moved")


def subscribed(platform: Platform) -> dict[str, str]:
    """Returns the owner of each subscription."""
    with platform.database.read(SYSTEM) as session:
        return {row.id: row.user_id for row in session.scalars(select(PushSubscription))}


def is_locked(world: World, firm: Firm) -> None:
    assert world.founder.put(f"/api/users/{firm.anna.id}/lock").status_code == 200


def is_deleted(world: World, firm: Firm) -> None:
    assert firm.boss.delete(f"/api/users/{firm.anna.id}").status_code == 204


def loses_the_company(world: World, firm: Firm) -> None:
    assert world.founder.delete(f"/api/companies/{firm.id}").status_code == 204
