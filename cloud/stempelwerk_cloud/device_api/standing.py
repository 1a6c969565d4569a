"""How a device stands, in one statement by index: whatever an answer to its heartbeat may have to say.

It is read anew for every heartbeat, because what another process has committed counts at once. Only what follows from
texts that were read (the company's settings) is remembered, by those texts.
"""

from datetime import date, datetime
from functools import lru_cache
from typing import NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.device_api import gaps, gate, problems
from stempelwerk_cloud.device_api.gate import Key
from stempelwerk_cloud.domain.instants import local_day
from stempelwerk_cloud.domain.settings import DatedRules
from stempelwerk_cloud.kit.db import from_ms, to_ms
from stempelwerk_cloud.kit.statements import Sql, Statement, read_list
from stempelwerk_cloud.people.companies import dated
from stempelwerk_cloud.people.companies.dated import Change, CompanySettings
from stempelwerk_cloud.timekeeping.entries import presence

COMPANIES_LIMIT = 2000

_READ = Statement(
    "SELECT d.id::text, d.revoked_at, a.name, d.channel, l.pending, l.replay_since, b.boot::text, b.boottime_ms,"  # noqa: S608 -- no values
    f" (SELECT server_id::text FROM installation), {gaps.ANY_MISSING},"
    f" a.id::text, a.company_id::text, c.name, {presence.NEWEST.format(company='a.company_id')},"
    " (SELECT @list(s.setting, s.valid_from::text, s.value) FROM company_settings s WHERE s.company_id = a.company_id)"
    " FROM devices d JOIN device_leases l ON l.device_no = d.no LEFT JOIN device_beats b ON b.device_no = d.no"
    " LEFT JOIN device_assignments a ON a.device_no = d.no AND a.id = (SELECT n.id FROM device_assignments n"
    " WHERE n.device_no = d.no AND n.starts_at <= :now AND (n.ends_at IS NULL OR n.ends_at > :now)"
    " ORDER BY n.starts_at DESC, n.id DESC LIMIT 1)"
    " LEFT JOIN companies c ON c.id = a.company_id WHERE d.no = :device"
)


class Assigned(NamedTuple):
    """Whose the device is, and what concerns its clock there. `newest`: the newest change of people."""

    id: str
    company_id: str
    company_name: str
    newest: tuple[int | None, int]
    rules: DatedRules
    settings: CompanySettings


class Standing(NamedTuple):
    """`beat`: boot and boottimeMs of the newest heartbeat that is written; `server_id` None: not drawn yet."""

    name: str | None
    channel: str
    lease: int
    replay_since: datetime | None
    beat: tuple[str, int] | None
    server_id: str | None
    misses: bool
    assigned: Assigned | None


def read(session: Session, key: Key, now: datetime) -> Standing:
    """The device as it stands. 401 `unknown_device`, 403 `revoked`."""
    found = Sql(session).rows(_READ, {"device": key.device_no, "now": to_ms(now)})
    if not found or found[0][0] != key.device_id:
        raise problems.unknown_device()
    _, revoked_ms, name, channel, lease, replay_ms, boot, boottime_ms, server_id, misses, *company = found[0]
    gate.check_state(_instant(revoked_ms))
    beat = None if boot is None else (boot, boottime_ms)
    assigned = None if company[0] is None else _assigned(*company, now=now)
    return Standing(name, channel, lease, _instant(replay_ms), beat, server_id, bool(misses), assigned)


def _assigned(
    assignment_id: str,
    company_id: str,
    company_name: str,
    changed_ms: int | None,
    changes: int,
    settings: str | None,
    *,
    now: datetime,
) -> Assigned:
    said, rules = _settings(settings)
    in_force = dated.on(said, local_day(now, rules.at(now).zone))
    return Assigned(assignment_id, company_id, company_name, (changed_ms, changes), rules, in_force)


@lru_cache(maxsize=COMPANIES_LIMIT)
def _settings(text: str | None) -> tuple[tuple[Change, ...], DatedRules]:
    changes = tuple(Change(name, date.fromisoformat(day), value) for name, day, value in read_list(text))
    return changes, dated.rules(changes)


def _instant(ms: int | None) -> datetime | None:
    return None if ms is None else from_ms(ms)
