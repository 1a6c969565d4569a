"""Times go year by year: those of a year when the years that the company keeps them have passed since its end.

What they carried stays: the balance with which a person's account begins the year after them is a fact from then on
(`KeptBalance.is_final`), and so is the day of their first entry. Where a shift or a correction reaches over the turn of
the year, what hangs together with the new one goes a year later: nothing is ever derived from half of its facts. Leave,
absences and bookings stay until their person has left, for vacation is carried on them. Stamps of tags that nobody held
go with their year, too.

Deliberately not here: whoever has left (`erasing`), and companies that are closed (`closing`).
"""

from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, delete, func, or_, select, union, update
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.entries import islands
from stempelwerk_cloud.domain.instants import DAY, day_start, local_day
from stempelwerk_cloud.kit import rounds
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import SYSTEM, of_company
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.account import service as account
from stempelwerk_cloud.office.records import actions
from stempelwerk_cloud.office.records.parts import PARTS, nobodys, table_of
from stempelwerk_cloud.office.records.settings import TIMES_YEARS
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.work import Work, working
from stempelwerk_cloud.timekeeping.decisions import service as decisions
from stempelwerk_cloud.timekeeping.entries import service as entries
from stempelwerk_cloud.timekeeping.stamps import service as stamps
from stempelwerk_cloud.timekeeping.tx import Tx

_REACH = timedelta(days=60)


def go_round(platform: Platform) -> bool:
    """Removes what is over of every open company. One that fails is logged, and tried again the next time."""
    now = platform.clock.now()
    with platform.database.read(SYSTEM) as session:
        due = [
            (company.id, user_id, before)
            for company in directory.open_companies(session)
            for before in (_before(session, company.id, now),)
            for user_id in [*_with_times_before(session, company.id, before, now), None]
        ]

    def go(company_id: str, user_id: str | None, before: date) -> None:
        with working(platform, of_company(company_id)) as work:
            if user_id is None:
                remove_nobodys(work, company_id, before)
            else:
                remove(work, company_id, user_id, before)

    return rounds.each("purge_times", due, go)


def remove(work: Work, company_id: str, user_id: str, before: date) -> None:
    """Removes a person's times dated before the first day of a year, as far as nothing later rests on them."""
    session = work.session
    work.company(company_id)
    directory.lock_rules(session, company_id)
    directory.lock_people(session, company_id, [user_id])
    locks.take(session, Lock.PLAN, company_id)
    session.expire_all()
    account.settle(session, company_id, user_id, before)
    tx = Tx(session, work.platform)
    until = _cut(tx, company_id, user_id, before)
    first = entries.first_days(session, company_id, [user_id]).get(user_id)
    numbers = table_of("person_numbers")
    own = (numbers.c.company_id == company_id) & (numbers.c.user_id == user_id)
    session.execute(update(numbers).where(own).values(first_day=first))
    parts = {part.table: part for part in PARTS}
    counts = {}
    for name, over in _over(company_id, until, before).items():
        gone: Any = session.execute(delete(table_of(name)).where(parts[name].rows(company_id, user_id), over))
        counts[name] = gone.rowcount
    entries.derivation_inputs.bump(tx, company_id)
    entries.keep_from(session, company_id, before)
    if table := "entries" if counts["entries"] else "stamps" if counts["stamps"] else None:
        said = {"table": table, "count": counts[table], "until": (before - DAY).isoformat()}
        work.audit(company_id, actions.PURGED, user_id, after=said)


def remove_nobodys(work: Work, company_id: str, before: date) -> None:
    """Removes the stamps from before that day which are nobody's, because nobody held their tag, decided or not."""
    session, stamps_, decided = work.session, table_of("stamps"), table_of("resolutions")
    work.company(company_id)
    directory.lock_rules(session, company_id)
    turn = day_start(before, directory.zone_of(session, company_id, work.now()))
    over = nobodys(stamps_, company_id) & (stamps_.c.at < turn)
    own = select(stamps_.c.id).where(over)
    session.execute(delete(decided).where(decided.c.company_id == company_id, decided.c.stamp_id.in_(own)))
    gone: Any = session.execute(delete(stamps_).where(over))
    if gone.rowcount:
        said = {"table": "stamps", "count": gone.rowcount, "until": (before - DAY).isoformat()}
        work.audit(company_id, actions.PURGED, company_id, after=said)


def _before(session: Session, company_id: str, now: datetime) -> date:
    """The first day of the oldest year of which times are kept."""
    today = local_day(now, directory.zone_of(session, company_id, now))
    return date(today.year - directory.settings_on(session, company_id, today)[TIMES_YEARS], 1, 1)


def _with_times_before(session: Session, company_id: str, before: date, now: datetime) -> list[str]:
    """Also who has only facts left of these days, of which nothing came or which were deleted."""
    told, numbers = table_of("entries"), table_of("person_numbers")
    held, tags, stamped = table_of("tag_holdings"), table_of("tag_numbers"), table_of("stamps")
    turn = day_start(before, directory.zone_of(session, company_id, now))
    of_entries = (told.c.company_id == company_id) & (told.c.person_no == numbers.c.no) & (told.c.date < before)
    while_held = (
        (stamped.c.company_id == company_id)
        & (stamped.c.tag_no == tags.c.no)
        & (stamped.c.at < turn)
        & (stamped.c.at >= func.coalesce(held.c.held_from, stamped.c.at))
        & or_(held.c.held_until.is_(None), stamped.c.at < held.c.held_until)
    )
    own = (held.c.company_id == tags.c.company_id) & (held.c.tag == tags.c.tag)
    found = union(
        select(numbers.c.user_id).where(
            numbers.c.company_id == company_id, select(told.c.id).where(of_entries).exists()
        ),
        select(held.c.user_id)
        .join(tags, own)
        .where(held.c.company_id == company_id, select(stamped.c.id).where(while_held).exists()),
        *(
            select(table.c.user_id).where(table.c.company_id == company_id, began < turn)
            for table, began in (
                (table_of("corrections"), table_of("corrections").c.new_start),
                (table_of("voids"), table_of("voids").c.start_at),
            )
        ),
    )
    return sorted(session.scalars(found))


def _cut(tx: Tx, company_id: str, user_id: str, before: date) -> datetime:
    """The instant before which everything stands on its own (`domain/entries/islands.py`)."""
    session = tx.session
    rules = entries.derivation_inputs.keep(tx, company_id).rules_for(user_id)
    turn = day_start(before, rules.on(before).zone)
    spans = [islands.span_of(one, rules) for one in decisions.decisions_of(session, company_id, user_id).corrections]
    reach, known = _REACH, -1
    while True:
        times = [one.at for one in stamps.own_stamps(session, company_id, user_id, turn - reach, turn + _REACH)]
        found = islands.window(times, spans, turn, turn, rules)
        if not found.open_before or len(times) == known:
            return found.start
        reach, known = 2 * reach, len(times)


def _over(company_id: str, until: datetime, before: date) -> dict[str, ColumnElement[bool]]:
    """By table, in the order in which they go: which rows tell of the time before that instant; of statements, those of
    months before that day."""
    told, stamped = table_of("entries"), table_of("stamps")
    entered = func.coalesce(told.c.start_at, told.c.end_at) < until
    of_entries = select(told.c.id).where(told.c.company_id == company_id, entered)
    of_stamps = select(stamped.c.id).where(stamped.c.company_id == company_id, stamped.c.at < until)
    return {
        "review_confirmations": table_of("review_confirmations").c.entry_id.in_(of_entries),
        "resolutions": table_of("resolutions").c.stamp_id.in_(of_stamps),
        "entries": entered,
        "stamps": stamped.c.at < until,
        "corrections": table_of("corrections").c.new_start < until,
        "correction_requests": table_of("correction_requests").c.date < before,
        "voids": table_of("voids").c.start_at < until,
        "statements": table_of("statements").c.month < before.isoformat()[:7],
    }
