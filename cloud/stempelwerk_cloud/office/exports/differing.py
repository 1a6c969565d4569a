"""What of an exported month stands otherwise by now, and why.

It counts from the newest difference that was exported, so that an export and its differences sum up to what stands.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.calendar import month_bounds
from stempelwerk_cloud.domain.instants import day_end, day_start, local_day
from stempelwerk_cloud.domain.payroll import Differing, differences
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.office.exports import content, making, repository, sheets, words
from stempelwerk_cloud.office.exports.making import Made
from stempelwerk_cloud.office.exports.months import Month, state_of, unpacked
from stempelwerk_cloud.office.exports.schemas import DifferenceRow
from stempelwerk_cloud.office.exports.tables import Export
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.employment import service as employment
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.planning.days import service as days
from stempelwerk_cloud.timekeeping.decisions import service as decisions
from stempelwerk_cloud.timekeeping.entries import service as entries
from stempelwerk_cloud.timekeeping.stamps import service as stamps

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
    """The ids of those whose month stands otherwise; drafts never do. A month is read once."""
    final = [one for one in exports if not one.draft and not making.times_gone(session, company_id, one.month)]
    tips = repository.tips(session, company_id)
    bases = {one.id: tips.get(one.since or one.id, one.id) for one in final}
    stands = {month: _now(session, company_id, month, now).figures for month in {one.month for one in final}}
    told = {id_: one for id_, (one, _) in repository.told_by(session, company_id, sorted({*bases.values()})).items()}
    figures = {one: unpacked(one).figures for one in {*told.values()}}
    return {one.id for one in final if figures[told[bases[one.id]]] != stands[one.month]}


def rows(session: Session, company_id: str, export: Export, now: datetime) -> list[DifferenceRow]:
    """409 for a month whose times have gone."""
    entries.must_be_there(session, company_id, month_bounds(export.month)[0])
    tip = repository.tip(session, export)
    return _rows(session, company_id, tip, _now(session, company_id, export.month, now), now)


def file(work: Work, company_id: str, export: Export) -> Made:
    """The rows as CSV, kept as an export; if there are none, the difference that was exported last."""
    session, now = work.session, work.now()
    entries.must_be_there(session, company_id, month_bounds(export.month)[0])
    tip = repository.tip(session, export)
    month = _now(session, company_id, export.month, now, supplements=True)
    found = _rows(session, company_id, tip, month, now)
    if not found and tip.format == repository.DIFFERENCE:
        return making.made_of(tip)
    people = employment.people_of(session, company_id, {row.user_id for row in found})
    numbers = {user_id: one.personnel_number for user_id, one in people.items()}
    told = sheets.as_csv(HEADS, (_line(row, numbers[row.user_id]) for row in found))
    if not found:
        return Made(told, f"difference_{export.month}.csv", making.CSV, draft=False)
    row = making.new_export(work, company_id, export.month, repository.DIFFERENCE, export.since or export.id)
    making.fill_with(row, month, state_of(month), told)
    row.draft = making.is_draft(session, company_id, month, now)
    session.add(row)
    making.tell_log(work, row)
    session.flush()
    return making.made_of(row)


def _now(session: Session, company_id: str, month: str, now: datetime, *, supplements: bool = False) -> Month:
    return content.of_month(session, company_id, month_bounds(month)[0], now, supplements=supplements)


def _rows(session: Session, company_id: str, tip: Export, month: Month, now: datetime) -> list[DifferenceRow]:
    assert tip.told is not None
    told = unpacked(tip.told)
    found = differences(told.figures, month.figures)
    names = {person.user_id: person.name for person in (*told.people, *month.people)}
    reasons = _reasons(session, company_id, found, tip.created_at, now)
    in_order = sorted(found, key=lambda one: (names[one.user_id].casefold(), one.user_id, one.date))
    return [_row(one, names[one.user_id], *reasons[one]) for one in in_order]


def _row(one: Differing, name: str, reason: str, at: datetime | None) -> DifferenceRow:
    return DifferenceRow.from_row(one, username=name, reason=reason, at=at)


def _line(row: DifferenceRow, number: str | None) -> sheets.Row:
    before, after = (None if one is None else sheets.hours(one) for one in (row.before, row.after))
    apart = sheets.hours((row.after or 0) - (row.before or 0))
    at = None if row.at is None else format_instant(row.at)
    return (number, row.username, row.date, words.KINDS[row.kind], before, after, apart, words.REASONS[row.reason], at)


Reason = tuple[str, datetime | None]
_OTHER: Reason = ("other", None)


def _reasons(
    session: Session, company_id: str, found: Collection[Differing], since: datetime, now: datetime
) -> dict[Differing, Reason]:
    """Why each became so: the newest thing since then that can have made it."""
    zone = directory.zone_of(session, company_id, now)
    reasons: dict[Differing, Reason] = {}
    for user_id in {one.user_id for one in found}:
        own = [one for one in found if one.user_id == user_id]
        decided = decisions.decisions_of(session, company_id, user_id)
        for one in own:
            seen: list[Reason] = []
            if one.kind == "work":
                seen += [("correction", each.decided_at) for each in decided.corrections if each.date == one.date]
                seen += [
                    ("deletion", each.decided_at) for each in decided.voids if local_day(each.start, zone) == one.date
                ]
                first, until = day_start(one.date, zone), day_end(one.date, zone)
                seen += [
                    ("late_stamp", stamp.received_at)
                    for stamp in stamps.own_stamps(session, company_id, user_id, first, until)
                ]
            else:
                seen += days.decided_on(session, company_id, user_id, one.date)
            later = [(reason, at) for reason, at in seen if at is not None and at > since]
            reasons[one] = max(later, key=lambda each: each[1], default=_OTHER)
    return reasons
