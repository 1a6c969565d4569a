"""What happens here when something changes below: tags change hands, settings change, a device changes hands.

All run in the transaction of the change (`kit/events.py`), so stamps and entries are right when it is committed.
"""

from collections.abc import Collection
from datetime import date, datetime

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import DAY, day_start, ms_of
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.kit.database.statements import Writing
from stempelwerk_cloud.kit.events import ASSIGNMENTS_CHANGED, PEOPLE_CHANGED, SETTINGS_CHANGED, TAGS_CHANGED
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit import service as audit
from stempelwerk_cloud.timekeeping.entries import derivation_inputs
from stempelwerk_cloud.timekeeping.entries import repository as entries_repository
from stempelwerk_cloud.timekeeping.entries.derivation import Change, merge_change, refresh
from stempelwerk_cloud.timekeeping.entries.numbers import numbers
from stempelwerk_cloud.timekeeping.entries.repository import StatusChange
from stempelwerk_cloud.timekeeping.entries.rows import LAST_MS
from stempelwerk_cloud.timekeeping.stamps import held, repository, waiting
from stempelwerk_cloud.timekeeping.tx import Tx
from stempelwerk_cloud.timekeeping.words import REASON, REVOKED_TAG, UNKNOWN_TAG, waits

PEOPLE_AT_ONCE = 50


def install(platform: Platform) -> None:
    """Subscribes; called once, where the application is put together."""
    platform.tag_waiting = waiting.tag_waits
    audit.named_by(platform, "stamps", devices.names_then)  # a release is about a clock

    def tags_changed(session: Session, company_id: str, user_ids: Collection[str], tags: Collection[str]) -> None:
        follow_tags(Tx(session, platform), company_id, user_ids, tags)

    def settings_changed(session: Session, company_id: str, from_day: date) -> None:
        follow_settings(Tx(session, platform), company_id, from_day)

    def people_changed(session: Session, company_id: str, user_ids: Collection[str]) -> None:
        _note(Tx(session, platform), company_id, user_ids)

    def assignments_changed(
        session: Session, device_no: int, device_id: str, ended: list[str], since: datetime
    ) -> None:
        tx = Tx(session, platform)
        for company_id in sorted(ended):
            held.take_back(tx, device_no, company_id, since)
        held.place_unassigned(tx, device_no)

    platform.signals.on(TAGS_CHANGED, tags_changed)
    platform.signals.on(SETTINGS_CHANGED, settings_changed)
    platform.signals.on(PEOPLE_CHANGED, people_changed)
    platform.signals.on(ASSIGNMENTS_CHANGED, assignments_changed)


def follow_tags(tx: Tx, company_id: str, user_ids: Collection[str], tags: Collection[str]) -> None:
    """Who holds these tags has changed: their stamps find their people, or are held, and entries follow."""
    derivation_inputs.bump(tx, company_id)
    rules = derivation_inputs.own(tx, company_id)
    rules.need_tags(tx, tags)
    nos = numbers(tx, "tag", company_id, tags)
    changes: dict[str, Change] = {}
    for tag in sorted(tags):
        stamps = repository.of_tag(tx, company_id, nos[tag])
        if not stamps:
            continue
        _hold(tx, rules, tag, nos[tag], stamps)
        for user_id in rules.holders(tag) | set(user_ids):
            merge_change(changes, user_id, min(stamps)[0], max(stamps)[0])
    refresh(tx, rules, changes)
    _note(tx, company_id, user_ids)


def follow_settings(tx: Tx, company_id: str, from_day: date) -> None:
    """Settings that shape entries hold differently from a day on: everybody's entries since then are derived again."""
    derivation_inputs.bump(tx, company_id)
    rules = derivation_inputs.own(tx, company_id)
    # A zone begins its day up to a day earlier or later than another.
    zone = rules.rules.on(from_day).zone
    earliest = ms_of(day_start(max(from_day, date.min + 2 * DAY) - 2 * DAY, zone))
    people = entries_repository.everybody(tx, company_id)
    for start in range(0, len(people), PEOPLE_AT_ONCE):
        refresh(tx, rules, dict.fromkeys(people[start : start + PEOPLE_AT_ONCE], (earliest, LAST_MS)))


def _hold(
    tx: Tx, rules: derivation_inputs.DerivationInputs, tag: str, tag_no: int, stamps: Collection[tuple[int, str, int]]
) -> None:
    """Notes which stamps of a tag nobody held at their time; whoever holds the others gets them by derivation."""
    held_now = []
    for at_ms, id_, status in stamps:
        user_id, why = rules.holder(tag, at_ms)
        after = status & ~(REASON | UNKNOWN_TAG | REVOKED_TAG) | why
        if user_id is None and after != status:
            held_now.append(StatusChange(tag_no, at_ms, id_, after, waits(after)))
    writing = Writing()
    entries_repository.write_statuses(writing, rules.company_id, held_now)
    writing.flush(tx.sql)


def _note(tx: Tx, company_id: str, user_ids: Collection[str]) -> None:
    writing = Writing()
    entries_repository.note_change(tx, writing, company_id, list(user_ids))
    writing.flush(tx.sql)
