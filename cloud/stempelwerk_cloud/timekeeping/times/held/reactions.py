"""Reactions of stamps and entries to changes in other rooms: of tags' holders, settings, people's limits, and devices'
assignments.

All of them run in the transaction of the change (`kit/events.py`), so stamps and entries are correct when it is
committed.
"""

from collections.abc import Collection, Mapping
from datetime import date, datetime

from stempelwerk_cloud.domain.instants import DAY, day_start, from_ms, local_day, ms_of
from stempelwerk_cloud.fleet.devices.changes.assignments import Adoption
from stempelwerk_cloud.kit.database.statements import RowBuffer
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.ledger.deriving import derivation_inputs
from stempelwerk_cloud.timekeeping.ledger.deriving.derivation import Change, merge_change, refresh
from stempelwerk_cloud.timekeeping.ledger.deriving.queries import (
    StatusChange,
    everybody,
    note_change,
    note_figures,
    write_statuses,
)
from stempelwerk_cloud.timekeeping.ledger.deriving.rows import LAST_MS, numbers
from stempelwerk_cloud.timekeeping.ledger.deriving.rows import existing_numbers as numbers_known
from stempelwerk_cloud.timekeeping.ledger.intake import queries
from stempelwerk_cloud.timekeeping.ledger.placing import reprocessing
from stempelwerk_cloud.timekeeping.ledger.purged import ensure_not_purged
from stempelwerk_cloud.timekeeping.status_bits import DISCARDED, REASON, REVOKED_TAG, UNKNOWN_TAG, waits
from stempelwerk_cloud.timekeeping.times.held import held
from stempelwerk_cloud.timekeeping.tx import Tx

PEOPLE_AT_ONCE = 50


def tags_changed(work: UnitOfWork, company_id: str, user_ids: Collection[str], tags: Collection[str]) -> None:
    """Calls `follow_tags` for a change of these tags' holders."""
    follow_tags(Tx(work.session, work.platform), company_id, user_ids, tags)


def settings_changed(work: UnitOfWork, company_id: str, from_day: date) -> None:
    """Derives the entries of all people again from a day on, after settings that shape entries have changed."""
    follow_settings(Tx(work.session, work.platform), company_id, from_day)


def person_rules_changed(work: UnitOfWork, company_id: str, user_id: str, from_day: date) -> None:
    """Derives the entries of one person again from a day on, after their limits of working time have changed."""
    follow_limits(Tx(work.session, work.platform), company_id, user_id, from_day)


def people_changed(work: UnitOfWork, company_id: str, user_ids: Collection[str]) -> None:
    """Records people whose names or tags have changed, so that clocks read them again for their lists of people."""
    _note(Tx(work.session, work.platform), company_id, user_ids)


def figures_changed(work: UnitOfWork, company_id: str, user_ids: Collection[str]) -> None:
    """Records people whose figures on clocks have changed; needs no lock on the company's rules."""
    tx, writing = Tx(work.session, work.platform), RowBuffer()
    note_figures(tx, writing, company_id, list(user_ids))
    writing.flush(tx.sql)


def assignments_changed(
    work: UnitOfWork, ended: Mapping[int, Collection[str]], since: datetime, adoption: Adoption | None
) -> None:
    """Moves the stamps of devices whose assignments have changed.

    Stamps made after the end of an assignment leave that company (`ended`: companies by device number). Stamps that the
    adoption claims become its company's.
    """
    if adoption is not None:
        held.adopt(work, adoption)
    tx = Tx(work.session, work.platform)
    reprocessing.take_locks(tx, sorted(ended))
    for device_no, companies in sorted(ended.items()):
        for company_id in sorted(companies):
            held.take_back(tx, device_no, company_id, since)
        placed_count = held.place_unassigned(tx, device_no)
        if adoption is not None:
            adoption.released += placed_count


def follow_tags(tx: Tx, company_id: str, user_ids: Collection[str], tags: Collection[str]) -> None:
    """Follows a change of these tags' holders: stamps without a holder are held, and the entries of all concerned
    people are derived again.

    409 if a held stamp would be booked on a day whose times have been purged.
    """
    derivation_inputs.bump(tx, company_id)
    rules = derivation_inputs.lock_and_read(tx, company_id)
    rules.need_tags(tx, tags)
    nos = numbers(tx, "tag", company_id, tags)
    changes: dict[str, Change] = {}
    for tag in sorted(tags):
        stamps = queries.of_tag(tx, company_id, nos[tag])
        if not stamps:
            continue
        if (booked := _first_booked(rules, tag, stamps)) is not None:
            ensure_not_purged(tx.session, company_id, local_day(booked, rules.rules.at(booked).zone))
        _hold(tx, rules, tag, nos[tag], stamps)
        for user_id in rules.holders(tag) | set(user_ids):
            merge_change(changes, user_id, min(stamps)[0], max(stamps)[0])
    refresh(tx, rules, changes)
    _note(tx, company_id, user_ids)


def _first_booked(
    rules: derivation_inputs.DerivationInputs, tag: str, stamps: Collection[tuple[int, str, int]]
) -> datetime | None:
    """Returns the time of the oldest stamp of the tag that was held without a holder and has one now;
    otherwise None.
    """
    waited = [at_ms for at_ms, _, status in stamps if status & (UNKNOWN_TAG | REVOKED_TAG) and not status & DISCARDED]
    return min((from_ms(at_ms) for at_ms in waited if rules.holder(tag, at_ms)[0] is not None), default=None)


def follow_settings(tx: Tx, company_id: str, from_day: date) -> None:
    """Derives the entries of all people again from a day on, after settings that shape entries have changed."""
    derivation_inputs.bump(tx, company_id)
    rules = derivation_inputs.lock_and_read(tx, company_id)
    change = _change_since(rules, from_day)
    people = everybody(tx, company_id)
    for start in range(0, len(people), PEOPLE_AT_ONCE):
        refresh(tx, rules, dict.fromkeys(people[start : start + PEOPLE_AT_ONCE], change))


def follow_limits(tx: Tx, company_id: str, user_id: str, from_day: date) -> None:
    """Derives the entries of one person again from a day on, after their limits of working time have changed."""
    derivation_inputs.bump(tx, company_id)
    rules = derivation_inputs.lock_and_read(tx, company_id)
    if numbers_known(tx, "person", company_id, [user_id]):  # without a number they never had an entry
        refresh(tx, rules, {user_id: _change_since(rules, from_day)})


def _change_since(rules: derivation_inputs.DerivationInputs, from_day: date) -> Change:
    """Returns the span (ms) of everything from a day on. It begins two days earlier, because time zones may differ by a
    day.
    """
    zone = rules.rules.on(from_day).zone
    return ms_of(day_start(max(from_day, date.min + 2 * DAY) - 2 * DAY, zone)), LAST_MS


def _hold(
    tx: Tx, rules: derivation_inputs.DerivationInputs, tag: str, tag_no: int, stamps: Collection[tuple[int, str, int]]
) -> None:
    """Stores new statuses of the stamps that had no holder at their time; the derivation updates the others."""
    held_now = []
    for at_ms, id_, status in stamps:
        user_id, why = rules.holder(tag, at_ms)
        new_status = status & ~(REASON | UNKNOWN_TAG | REVOKED_TAG) | why
        if user_id is None and new_status != status:
            held_now.append(StatusChange(tag_no, at_ms, id_, new_status, waits(new_status)))
    writing = RowBuffer()
    write_statuses(writing, rules.company_id, held_now)
    writing.flush(tx.sql)


def _note(tx: Tx, company_id: str, user_ids: Collection[str]) -> None:
    writing = RowBuffer()
    note_change(tx, writing, company_id, list(user_ids))
    writing.flush(tx.sql)
