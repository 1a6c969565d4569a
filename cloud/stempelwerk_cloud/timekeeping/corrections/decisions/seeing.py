"""The preview of a pending request: the person's day before and after its approval."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.entries.corrections import Refusal
from stempelwerk_cloud.domain.entries.derivation import Entry, derive
from stempelwerk_cloud.domain.instants import local_hhmm, minute_of
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.corrections import service, words
from stempelwerk_cloud.timekeeping.corrections.decisions import answers
from stempelwerk_cloud.timekeeping.corrections.decisions.judging import correction_of, facts_for
from stempelwerk_cloud.timekeeping.corrections.service import Change
from stempelwerk_cloud.timekeeping.corrections.tables import CorrectionRequest
from stempelwerk_cloud.timekeeping.ledger.deriving import derivation_inputs
from stempelwerk_cloud.timekeeping.tx import Tx


class SeenEntry(NamedTuple):
    """An entry of the preview: local times (HH:MM), the deducted break and the net time in minutes; None if unknown."""

    start: str | None
    end: str | None
    break_minutes: int | None
    minutes: int | None


class Lost(NamedTuple):
    start: str
    end: str
    minutes: int


class Seen(NamedTuple):
    """A preview: the entries before and after, the local times of their stamps, and the parts that would no longer
    count.
    """

    entries_before: Sequence[SeenEntry]
    entries_after: Sequence[SeenEntry]
    stamps: Sequence[str]
    leaves_out: Sequence[Lost]


def preview(work: UnitOfWork, request_id: str, change: Change) -> Seen:
    """Returns the preview of a request with the administrator's changes: its day, and the shift of the entry that it
    names.

    Refused for the same reasons as an approval.
    """
    session = work.session
    request = requests.find(work, CorrectionRequest, request_id, Lock.RULES)
    requests.must_be_open(work, request, words.already_decided)
    tx = Tx(session, work.platform)
    inputs = derivation_inputs.lock_and_read(tx, request.company_id)
    wish = service.changed(request, change)
    facts = facts_for(tx, inputs, request.user_id, request.date, request.entry_at)
    correction = correction_of(wish, facts, id_=request.id, requested_at=answers.covers_until(request), now=work.now())
    if isinstance(correction, Refusal):
        raise words.overlap() if correction is Refusal.OVERLAP else words.refused(correction)
    sheets = facts.sheet, derive(facts.stamps, [*facts.corrections, correction], facts.voids, facts.rules)
    # The corrected entries may join a shift that began the day before.
    changed_days = {entry.shift_date for entry in sheets[1].entries if entry.correction_id == request.id}
    entries_before, entries_after = (
        [
            entry
            for entry in sheet.entries
            if entry.shift_date in changed_days | {request.date} or request.entry_id == entry.id
        ]
        for sheet in sheets
    )
    zone = facts.rules.on(request.date).zone
    instants = [
        instant
        for entry in (*entries_before, *entries_after)
        for instant in (entry.start_at, entry.end_at)
        if instant is not None
    ]
    lost = [(start, end, minute_of(end) - minute_of(start)) for start, end in _lost(entries_before, entries_after)]
    return Seen(
        [_format_entry(entry, zone) for entry in entries_before],
        [_format_entry(entry, zone) for entry in entries_after],
        [
            local_hhmm(stamp.at, zone)
            for stamp in facts.stamps
            if instants and min(instants) <= stamp.at <= max(instants)
        ],
        [Lost(local_hhmm(start, zone), local_hhmm(end, zone), minutes) for start, end, minutes in lost if minutes > 0],
    )


def _format_entry(entry: Entry, zone: ZoneInfo) -> SeenEntry:
    start, end = (None if instant is None else local_hhmm(instant, zone) for instant in (entry.start_at, entry.end_at))
    return SeenEntry(start, end, entry.break_minutes, entry.net_minutes)


def _lost(entries_before: Sequence[Entry], entries_after: Sequence[Entry]) -> Iterator[tuple[datetime, datetime]]:
    """Yields the parts (start, end) of the earlier entries that no later entry covers."""
    remaining = sorted((entry.start_at, entry.end_at) for entry in entries_after if entry.start_at and entry.end_at)
    for entry in entries_before:
        start = entry.start_at
        if start is None or entry.end_at is None:
            continue
        for first, last in remaining:
            if last > start:
                yield start, min(first, entry.end_at)
                start = max(start, last)
        yield start, entry.end_at
