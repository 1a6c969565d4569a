"""The purge of times, year by year: when the company's retention years have passed since the end of a year. Logs
purges of expired rows that contain decisions of people.

- The carried balance stays: it becomes a fact, and the account begins with it in the next year
  (`BalanceCache.is_final`). So does the day of the first entry.
- If a shift or a correction reaches over the turn of the year, everything connected with the new year is purged a year
  later: nothing is ever derived from half of its facts.
- Leave, absences and bookings stay until their person has left, because carried vacation depends on them.
- Stamps of tags without a holder are purged with their year, too.

Not here: people who have left (`erasing`) and closed companies (`closing`).
"""

from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, delete, func, or_, select, union, update
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.entries import islands
from stempelwerk_cloud.domain.instants import DAY, day_start, local_day
from stempelwerk_cloud.kit import room
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.columns import table_of
from stempelwerk_cloud.kit.database.described import parts
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import SYSTEM, of_company
from stempelwerk_cloud.kit.dated import Setting
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.room import PerCompanyJob, RetentionRule
from stempelwerk_cloud.office.time_account import service as time_account
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.companies import lock_rules, open_companies, settings_on, zone_of
from stempelwerk_cloud.people.directory.people import lock_people
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work
from stempelwerk_cloud.timekeeping.ledger import decisions
from stempelwerk_cloud.timekeeping.ledger.deriving import derivation_inputs
from stempelwerk_cloud.timekeeping.ledger.purged import set_retained_from
from stempelwerk_cloud.timekeeping.ledger.tables import unowned
from stempelwerk_cloud.timekeeping.times.reading.own import of_person as own_stamps
from stempelwerk_cloud.timekeeping.times.reading.values import first_days
from stempelwerk_cloud.timekeeping.tx import Tx

PURGED = Action("records.purged")
TIMES_YEARS = Setting(
    "times_years",
    int,
    2,
    minimum=2,
    maximum=10,
    label="Zeiten bleiben über das Jahresende hinaus mindestens (Jahre)",
    retention=("Zeiten, Stempel und Abwesenheiten (ab dem Ende ihres Jahres mindestens)", "Jahre"),
)
"""How many years times are retained after the end of their year."""

SETTINGS = (TIMES_YEARS,)


def purge_job(keep: RetentionRule) -> PerCompanyJob:
    """Returns the job that deletes expired rows and logs their number by company."""
    return PerCompanyJob(keep.job.name, keep.interval, partial(_purge, keep), removes=True)


def _purge(keep: RetentionRule, platform: Platform) -> None:
    with unit_of_work(platform, SYSTEM) as work:
        now = work.now()
        for company_id, count in sorted(keep.remove_counted(work.session, now).items()):
            log_values = {"table": keep.table.__tablename__, "count": count, "until": keep.cutoff(now).isoformat()[:10]}
            work.audit(company_id, PURGED, company_id, new_values=log_values)


_REACH = timedelta(days=60)


def go_round(platform: Platform) -> bool:
    """Purges the expired years of every open company. A company that fails is logged, and tried again at the
    next run.
    """
    now = platform.clock.now()
    with platform.database.read(SYSTEM) as session:
        due = [
            (company.id, user_id, first_kept)
            for company in open_companies(session)
            for first_kept in (_first_kept_day(session, company.id, now),)
            for user_id in [*_with_times_before(session, company.id, first_kept, now), None]
        ]

    def go(company_id: str, user_id: str | None, first_kept: date) -> None:
        with unit_of_work(platform, of_company(company_id)) as work:
            if user_id is None:
                remove_unowned(work, company_id, first_kept)
            else:
                remove(work, company_id, user_id, first_kept)

    return room.for_each_company("purge_times", due, go)


def remove(work: UnitOfWork, company_id: str, user_id: str, first_kept: date) -> None:
    """Purges a person's times dated before `first_kept`, the first day of a year, except those that later times depend
    on.
    """
    session = work.session
    work.company(company_id)
    lock_rules(session, company_id)
    lock_people(session, company_id, [user_id])
    locks.take(session, Lock.PLAN, company_id)
    session.expire_all()
    time_account.settle(session, company_id, user_id, first_kept)
    tx = Tx(session, work.platform)
    cut_at = _cut(tx, company_id, user_id, first_kept)
    first = first_days(session, company_id, [user_id]).get(user_id)
    numbers = table_of("person_numbers")
    of_person = (numbers.c.company_id == company_id) & (numbers.c.user_id == user_id)
    session.execute(update(numbers).where(of_person).values(first_day=first))
    parts_by_table = {part.table.name: part for part in parts()}
    counts = {}
    for name, over in _over(company_id, cut_at, first_kept).items():
        deletion: Any = session.execute(
            delete(table_of(name)).where(parts_by_table[name].rows(company_id, user_id), over)
        )
        counts[name] = deletion.rowcount
    derivation_inputs.bump(tx, company_id)
    set_retained_from(session, company_id, first_kept)
    if table := "entries" if counts["entries"] else "stamps" if counts["stamps"] else None:
        log_values = {"table": table, "count": counts[table], "until": (first_kept - DAY).isoformat()}
        work.audit(company_id, PURGED, user_id, new_values=log_values)


def remove_unowned(work: UnitOfWork, company_id: str, first_kept: date) -> None:
    """Purges the stamps before that day whose tag had no holder, decided or not."""
    session, stamps_, decided = work.session, table_of("stamps"), table_of("resolutions")
    work.company(company_id)
    lock_rules(session, company_id)
    turn = day_start(first_kept, zone_of(session, company_id, work.now()))
    over = unowned(company_id) & (stamps_.c.at < turn)
    stamp_ids = select(stamps_.c.id).where(over)
    session.execute(delete(decided).where(decided.c.company_id == company_id, decided.c.stamp_id.in_(stamp_ids)))
    deletion: Any = session.execute(delete(stamps_).where(over))
    if deletion.rowcount:
        log_values = {"table": "stamps", "count": deletion.rowcount, "until": (first_kept - DAY).isoformat()}
        work.audit(company_id, PURGED, company_id, new_values=log_values)


def _first_kept_day(session: Session, company_id: str, now: datetime) -> date:
    """Returns the first day of the oldest year that is still retained."""
    today = local_day(now, zone_of(session, company_id, now))
    return date(today.year - settings_on(session, company_id, today)[TIMES_YEARS], 1, 1)


def _with_times_before(session: Session, company_id: str, first_kept: date, now: datetime) -> list[str]:
    """Returns the people with times before that day, including people who only have facts without an entry."""
    entry_table, numbers = table_of("entries"), table_of("person_numbers")
    holdings, tags, stamped = table_of("tag_holdings"), table_of("tag_numbers"), table_of("stamps")
    turn = day_start(first_kept, zone_of(session, company_id, now))
    of_entries = (
        (entry_table.c.company_id == company_id)
        & (entry_table.c.person_no == numbers.c.no)
        & (entry_table.c.date < first_kept)
    )
    while_held = (
        (stamped.c.company_id == company_id)
        & (stamped.c.tag_no == tags.c.no)
        & (stamped.c.at < turn)
        & (stamped.c.at >= func.coalesce(holdings.c.held_from, stamped.c.at))
        & or_(holdings.c.held_until.is_(None), stamped.c.at < holdings.c.held_until)
    )
    same_tag = (holdings.c.company_id == tags.c.company_id) & (holdings.c.tag == tags.c.tag)
    people_query = union(
        select(numbers.c.user_id).where(
            numbers.c.company_id == company_id, select(entry_table.c.id).where(of_entries).exists()
        ),
        select(holdings.c.user_id)
        .join(tags, same_tag)
        .where(holdings.c.company_id == company_id, select(stamped.c.id).where(while_held).exists()),
        *(
            select(table.c.user_id).where(table.c.company_id == company_id, began < turn)
            for table, began in (
                (table_of("corrections"), table_of("corrections").c.new_start),
                (table_of("voids"), table_of("voids").c.start_at),
            )
        ),
    )
    return sorted(session.scalars(people_query))


def _cut(tx: Tx, company_id: str, user_id: str, first_kept: date) -> datetime:
    """Returns the instant between the old times and everything that later times depend on
    (`domain/entries/islands.py`).
    """
    session = tx.session
    rules = derivation_inputs.keep(tx, company_id).rules_for(user_id)
    turn = day_start(first_kept, rules.on(first_kept).zone)
    spans = [
        islands.span_of(correction, rules)
        for correction in decisions.decisions_of(session, company_id, user_id).corrections
    ]
    reach, known_count = _REACH, -1
    while True:
        times = [stamp.at for stamp in own_stamps(session, company_id, user_id, turn - reach, turn + _REACH)]
        window = islands.window(times, spans, turn, turn, rules)
        if not window.open_before or len(times) == known_count:
            return window.start
        reach, known_count = 2 * reach, len(times)


def _over(company_id: str, cut_at: datetime, first_kept: date) -> dict[str, ColumnElement[bool]]:
    """Returns the SQL condition for the expired rows by table, in the order of deletion.

    Rows before the instant are expired; correction requests and statements go by the day.
    """
    entry_table, stamped = table_of("entries"), table_of("stamps")
    entered = func.coalesce(entry_table.c.start_at, entry_table.c.end_at) < cut_at
    of_entries = select(entry_table.c.id).where(entry_table.c.company_id == company_id, entered)
    of_stamps = select(stamped.c.id).where(stamped.c.company_id == company_id, stamped.c.at < cut_at)
    return {
        "review_confirmations": table_of("review_confirmations").c.entry_id.in_(of_entries),
        "resolutions": table_of("resolutions").c.stamp_id.in_(of_stamps),
        "entries": entered,
        "stamps": stamped.c.at < cut_at,
        "corrections": table_of("corrections").c.new_start < cut_at,
        "correction_requests": table_of("correction_requests").c.date < first_kept,
        "voids": table_of("voids").c.start_at < cut_at,
        "statements": table_of("statements").c.month < first_kept.isoformat()[:7],
    }
