"""What is said of single people from a day on, such as weekly targets. Names and meaning belong to the rooms."""

from collections.abc import Collection, Iterable
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.dated import Change
from stempelwerk_cloud.people.directory.tables import PersonValue


def person_values(
    session: Session, company_id: str, names: Collection[str], user_ids: Iterable[str] | None = None
) -> dict[str, list[Change]]:
    """By person, who has any: every value of these names with the day from which it holds, oldest first."""
    found = select(PersonValue.user_id, PersonValue.name, PersonValue.valid_from, PersonValue.value).where(
        PersonValue.company_id == company_id, PersonValue.name.in_(sorted(names))
    )
    if user_ids is not None:
        found = found.where(PersonValue.user_id.in_(sorted(set(user_ids))))
    by_person: dict[str, list[Change]] = {}
    for user_id, name, valid_from, value in session.execute(found.order_by(PersonValue.valid_from)):
        by_person.setdefault(user_id, []).append(Change(name, valid_from, value))
    return by_person


def add_person_values(
    session: Session, company_id: str, said: Iterable[tuple[str, Change]], now: datetime, by: str | None
) -> None:
    """Writes values of people of whom none of them was said before."""
    session.add_all(
        PersonValue(
            company_id=company_id,
            user_id=user_id,
            name=one.setting,
            valid_from=one.valid_from,
            value=one.value,
            set_at=now,
            set_by=by,
        )
        for user_id, one in said
    )
    session.flush()


def set_person_value(
    session: Session, company_id: str, user_id: str, change: Change, now: datetime, by: str | None
) -> None:
    """Writes a value from a day on; what was said for that very day is replaced."""
    row = session.get(PersonValue, (company_id, user_id, change.setting, change.valid_from))
    if row is None:
        row = PersonValue(company_id=company_id, user_id=user_id, name=change.setting, valid_from=change.valid_from)
        session.add(row)
    row.value, row.set_at, row.set_by = change.value, now, by
    session.flush()
