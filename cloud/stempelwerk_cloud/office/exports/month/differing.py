"""Differences between an exported month and the current one, with their reasons.

The newest exported difference is the base, so that an export and its differences sum up to the current month. Rows show
the kinds that the exported mapping pays (`paying`); for an export of an older release the current mapping is used.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from operator import itemgetter

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.calendar import month_bounds
from stempelwerk_cloud.domain.instants import day_end, day_start, local_day
from stempelwerk_cloud.domain.payroll import DAYS_OFF, Differing, differences
from stempelwerk_cloud.kit import csv_tables
from stempelwerk_cloud.kit.csv_tables import Row
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.office.exports import queries, words
from stempelwerk_cloud.office.exports.files import making, sheets
from stempelwerk_cloud.office.exports.files.formats import CSV, TYPES
from stempelwerk_cloud.office.exports.files.making import Made
from stempelwerk_cloud.office.exports.month import content
from stempelwerk_cloud.office.exports.month.months import Month, state_of, unpacked
from stempelwerk_cloud.office.exports.month.paying import PaidKinds, paid_kinds
from stempelwerk_cloud.office.exports.schemas import DifferenceRow
from stempelwerk_cloud.office.exports.tables import Export
from stempelwerk_cloud.people.directory.companies import zone_of
from stempelwerk_cloud.people.directory.people import by_name, hidden_in
from stempelwerk_cloud.people.employment import service as employment
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.days import service as days
from stempelwerk_cloud.timekeeping.ledger import decisions
from stempelwerk_cloud.timekeeping.ledger.purged import ensure_available
from stempelwerk_cloud.timekeeping.times.reading.own import of_person as own_stamps

HEADS = (
    "Personalnummer",
    "Name",
    "Datum",
    "Art",
    "Vorher (Std)",
    "Nachher (Std)",
    "Unterschied (Std)",
    "Grund",
    "Zeitpunkt",
)


def changed(session: Session, company_id: str, exports: Sequence[Export], now: datetime) -> set[str]:
    """Returns the ids of those exports whose month has changed since; drafts are never among them. Each month is read
    once.
    """
    months = {export.month for export in exports}
    purged = {month for month in months if making.times_gone(session, company_id, month)}
    final = [export for export in exports if not export.draft and export.month not in purged]
    tips = queries.tips(session, company_id)
    bases = {export.id: tips.get(export.since or export.id, export.id) for export in final}
    current = queries.stored_mapping(session, company_id)
    snapshots = queries.export_snapshots(session, company_id, sorted({*bases.values()}))
    states = {export_id: (packed, mapping or current) for export_id, (packed, mapping) in snapshots.items()}
    by_month: defaultdict[str, set[tuple[bytes, str]]] = defaultdict(set)
    for export in final:
        by_month[export.month].add(states[bases[export.id]])
    rules = making.rules(session, company_id, by_month)
    differing: set[tuple[bytes, str]] = set()
    for name, of_month in by_month.items():
        supplements = any(paid_kinds(mapping).has_surcharges for _, mapping in of_month)
        month = _now(session, company_id, name, now, rules[name], supplements=supplements)
        differing |= {state for state in of_month if _differs(*state, month)}
    return {export.id for export in final if states[bases[export.id]] in differing}


def _differs(packed: bytes, mapping: str, month: Month) -> bool:
    kinds = paid_kinds(mapping)
    return unpacked(packed).figures(kinds) != month.figures(kinds)


def rows(session: Session, company_id: str, export: Export, now: datetime) -> list[DifferenceRow]:
    """Returns the differences of an export. 409 for a month whose times have been purged."""
    ensure_available(session, company_id, month_bounds(export.month)[0])
    tip = queries.tip(session, export)
    kinds = paid_kinds(_mapping(session, tip))
    rule = making.rules(session, company_id, [export.month])[export.month]
    month = _now(session, company_id, export.month, now, rule, supplements=kinds.has_surcharges)
    return _rows(session, company_id, tip, month, kinds, now)


def file(work: UnitOfWork, company_id: str, export: Export) -> Made:
    """Returns the differences as CSV, stored as an export; without any, the difference that was exported last."""
    session, now = work.session, work.now()
    ensure_available(session, company_id, month_bounds(export.month)[0])
    tip = queries.tip(session, export)
    mapping = _mapping(session, tip)
    rule = making.rules(session, company_id, [export.month])[export.month]
    month = _now(session, company_id, export.month, now, rule)
    difference_rows = _rows(session, company_id, tip, month, paid_kinds(mapping), now)
    if not difference_rows and tip.format == queries.DIFFERENCE:
        return making.made_of(tip)
    people = employment.people_of(session, company_id, {row.user_id for row in difference_rows})
    numbers = {user_id: person.personnel_number for user_id, person in people.items()}
    csv_content = csv_tables.table(HEADS, (_line(row, numbers[row.user_id]) for row in difference_rows))
    if not difference_rows:
        return Made(csv_content, TYPES[queries.DIFFERENCE].file_name(export.month), CSV, draft=False)
    row = making.new_export(work, company_id, export.month, queries.DIFFERENCE, export.since or export.id)
    making.fill_with(row, month, state_of(month), mapping, csv_content)
    row.draft = making.is_draft(session, company_id, month, now)
    session.add(row)
    making.log_export(work, row)
    session.flush()
    return making.made_of(row)


def _mapping(session: Session, tip: Export) -> str:
    return tip.mapping or queries.stored_mapping(session, tip.company_id)


def _now(session: Session, company_id: str, month: str, now: datetime, rule: int, *, supplements: bool = True) -> Month:
    return content.of_month(session, company_id, month_bounds(month)[0], now, supplements=supplements, rule=rule)


def _rows(
    session: Session, company_id: str, tip: Export, month: Month, kinds: PaidKinds, now: datetime
) -> list[DifferenceRow]:
    assert tip.told is not None
    snapshot = unpacked(tip.told)
    differing = differences(snapshot.figures(kinds), month.figures(kinds))
    names = {person.user_id: person.name for person in (*snapshot.people, *month.people)}
    reasons = _reasons(session, company_id, differing, tip.created_at, now)
    hidden = hidden_in(session, company_id)
    visible = (difference for difference in differing if difference.user_id not in hidden)
    in_order = sorted(
        visible,
        key=lambda difference: (*by_name(names[difference.user_id], difference.user_id), difference.date),
    )
    return [_row(difference, names[difference.user_id], *reasons[difference]) for difference in in_order]


def _row(difference: Differing, name: str, reason: str, changed_at: datetime | None) -> DifferenceRow:
    return DifferenceRow.from_row(difference, username=name, reason=reason, at=changed_at)


def _line(row: DifferenceRow, number: str | None) -> Row:
    hours_before, hours_after = (
        None if minutes is None else sheets.hours(minutes) for minutes in (row.before, row.after)
    )
    apart = sheets.hours((row.after or 0) - (row.before or 0))
    changed_at = None if row.at is None else format_instant(row.at)
    return (
        number,
        row.username,
        row.date,
        words.KINDS[row.kind],
        hours_before,
        hours_after,
        apart,
        words.REASONS[row.reason],
        changed_at,
    )


Reason = tuple[str, datetime | None]
_OTHER: Reason = ("other", None)
_instant_of = itemgetter(1)


def _reasons(
    session: Session, company_id: str, differing: Collection[Differing], exported_at: datetime, now: datetime
) -> dict[Differing, Reason]:
    """Returns the reason of each difference: its newest cause since the export, and when. Overtime gets the newest of
    the person's other differences.
    """
    zone = zone_of(session, company_id, now)
    reasons: dict[Differing, Reason] = {}
    for user_id in {row.user_id for row in differing}:
        person_rows = [row for row in differing if row.user_id == user_id]
        decided = decisions.decisions_of(session, company_id, user_id)
        for row in person_rows:
            first, end = day_start(row.date, zone), day_end(row.date, zone)
            causes: list[Reason] = []
            if row.kind != "overtime":
                causes += [("correction", fix.decided_at) for fix in decided.corrections if fix.date == row.date]
                causes += [
                    ("deletion", void.decided_at) for void in decided.voids if local_day(void.start, zone) == row.date
                ]
                causes += [
                    ("late_stamp", stamp.received_at) for stamp in own_stamps(session, company_id, user_id, first, end)
                ]
            if row.kind in DAYS_OFF:
                causes += days.decided_on(session, company_id, user_id, row.date)
            later = [(reason, instant) for reason, instant in causes if instant is not None and instant > exported_at]
            reasons[row] = max(later, key=_instant_of, default=_OTHER)
        dated = [reason for reason in (reasons[row] for row in person_rows) if reason[1] is not None]
        reasons |= {row: max(dated, key=_instant_of, default=_OTHER) for row in person_rows if row.kind == "overtime"}
    return reasons
