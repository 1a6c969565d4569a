"""The state of devices that the answers to their heartbeats need, read by one indexed statement for a whole group.

It is read again for each group, because commits of other processes must have effect at once. Only values that are
parsed from texts (the company's settings) are cached, with those texts as keys.
"""

from collections.abc import Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from stempelwerk_cloud.device_api import words
from stempelwerk_cloud.device_api.delivery import gaps
from stempelwerk_cloud.device_api.signed import gate
from stempelwerk_cloud.device_api.signed.gate import Key
from stempelwerk_cloud.device_api.signed.signatures import Claim
from stempelwerk_cloud.domain.instants import from_ms, local_day, ms_of
from stempelwerk_cloud.domain.settings import DatedRules
from stempelwerk_cloud.kit.database.statements import Statement, as_rows, read_list
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.dated import Change, InForce
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.planning.facts.holidays import Holidays
from stempelwerk_cloud.timekeeping.ledger import settings
from stempelwerk_cloud.timekeeping.times import clock_people

COMPANIES_LIMIT = 2000

# Clocks of one company share the queries about the company.
_READ = Statement(
    "WITH found AS MATERIALIZED (SELECT w.place, d.id::text AS id, d.revoked_at, a.name, d.channel, l.pending,"  # noqa: S608 -- no values
    " l.replay_since, l.answers_mark::text AS answers_mark, b.boot::text AS boot, b.boottime_ms,"
    " (SELECT count(*) FROM device_boots k WHERE k.device_no = w.device_no AND k.boot = w.boot) AS named,"
    f" {gaps.ANY_MISSING} AS misses, a.id::text AS assignment_id, a.company_id"
    " FROM @rows(w: place int, device_no int, boot uuid) @lookup(d: devices WHERE d.no = w.device_no)"
    " @lookup(l: device_leases WHERE l.device_no = d.no) LEFT JOIN device_beats b ON b.device_no = d.no"
    " LEFT JOIN device_assignments a ON a.device_no = d.no AND a.id = (SELECT n.id FROM device_assignments n"
    " WHERE n.device_no = d.no AND n.starts_at <= :now AND (n.ends_at IS NULL OR n.ends_at > :now)"
    " ORDER BY n.starts_at DESC, n.id DESC LIMIT 1)),"
    " owners (id, name, changed_at, changes, settings) AS MATERIALIZED"
    f" (SELECT c.id, c.name, {clock_people.NEWEST.format(company='c.id')},"
    " (SELECT @list(s.setting, s.valid_from::text, s.value) FROM company_settings s WHERE s.company_id = c.id)"
    " FROM (SELECT DISTINCT company_id FROM found) AS o @lookup(c: companies WHERE c.id = o.company_id))"
    " SELECT f.place, f.id, f.revoked_at, f.name, f.channel, f.pending, f.replay_since,"
    " f.answers_mark, f.boot, f.boottime_ms, f.named,"
    " (SELECT server_id::text FROM installation), f.misses, f.assignment_id, f.company_id::text, o.name, o.changed_at,"
    " o.changes, o.settings FROM found f LEFT JOIN owners o ON o.id = f.company_id"
)


class Assigned(NamedTuple):
    """A device's current assignment, and the data of its company that its clock needs.

    `id` is the assignment's. `newest`: the newest change of the company's people. `holidays`: the public ones.
    """

    id: str
    company_id: str
    company_name: str
    newest: tuple[int | None, int]
    rules: DatedRules
    in_force: InForce
    holidays: Holidays


class DeviceState(NamedTuple):
    """The state of a device. `beat`: boot and boottimeMs of its newest stored heartbeat. `is_boot_known`: the boot in
    the query is already stored. `misses`: rows of an epoch are missing.

    `server_id` None: the installation has no id yet. `assigned` None: the device has no company.
    """

    device_id: str
    revoked_at: datetime | None
    name: str | None
    channel: str
    lease: int
    replay_since: datetime | None
    answers_mark: str | None
    beat: tuple[str, int] | None
    is_boot_known: bool
    server_id: str | None
    misses: bool
    assigned: Assigned | None


def read(database: Database, queries: Sequence[tuple[int, str | None]], now: datetime) -> list[DeviceState | None]:
    """Returns the state for each query of device number and boot, in the same order. None stands for an unknown
    device.
    """
    states: list[DeviceState | None] = [None] * len(queries)
    for place, *row in database.look_up(_READ, _parameters(queries, now)):
        states[place] = _state(*row, now=now)
    return states


async def read_soon(platform: Platform, device_no: int, now: datetime) -> DeviceState | None:
    """Returns the state of one device. Can be awaited on the event loop without blocking it."""
    run = platform.bulkheads.clocks.run
    rows = await platform.database.look_up_soon(run, _READ, _parameters([(device_no, None)], now))
    return next((_state(*row, now=now) for _, *row in rows), None)


def admit(platform: Platform, key: Key, claim: Claim, device: DeviceState | None) -> DeviceState:
    """Checks the device that signed a call, and returns its state. Raises 401 `unknown_device`, 403 `revoked`, or 401
    `clock_skew`.
    """
    if device is None or device.device_id != key.device_id:
        raise words.unknown_device()
    gate.check_state(device.revoked_at)
    gate.check_time(platform, claim)
    return device


def _parameters(queries: Sequence[tuple[int, str | None]], now: datetime) -> dict[str, Any]:
    query_rows = [{"place": place, "device_no": no, "boot": boot} for place, (no, boot) in enumerate(queries)]
    return {"w": as_rows(query_rows), "now": ms_of(now)}


def _state(
    device_id: str,
    revoked_ms: int | None,
    name: str | None,
    channel: str,
    lease: int,
    replay_ms: int | None,
    answers_mark: str | None,
    boot: str | None,
    boottime_ms: int | None,
    is_boot_known: int,
    server_id: str | None,
    misses: int,
    *company: Any,
    now: datetime,
) -> DeviceState:
    beat = None if boot is None or boottime_ms is None else (boot, boottime_ms)
    assigned = None if company[0] is None else _assigned(*company, now=now)
    revoked_at, replay_since = _instant(revoked_ms), _instant(replay_ms)
    return DeviceState(
        device_id,
        revoked_at,
        name,
        channel,
        lease,
        replay_since,
        answers_mark,
        beat,
        bool(is_boot_known),
        server_id,
        bool(misses),
        assigned,
    )


def _assigned(
    assignment_id: str,
    company_id: str,
    company_name: str,
    changed_ms: int | None,
    changes: int,
    changes_said: str | None,
    *,
    now: datetime,
) -> Assigned:
    dated_changes, rules, holidays = _settings(changes_said)
    in_force = InForce(dated_changes, local_day(now, rules.at(now).zone))
    return Assigned(assignment_id, company_id, company_name, (changed_ms, changes), rules, in_force, holidays)


@lru_cache(maxsize=COMPANIES_LIMIT)
def _settings(text: str | None) -> tuple[tuple[Change, ...], DatedRules, Holidays]:
    changes = tuple(Change(name, date.fromisoformat(day), value) for name, day, value in read_list(text))
    return changes, settings.dated_rules(changes), Holidays(changes)


def _instant(ms: int | None) -> datetime | None:
    return None if ms is None else from_ms(ms)
