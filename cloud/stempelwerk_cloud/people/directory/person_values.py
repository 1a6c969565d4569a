"""Dated values of single people, such as weekly targets. Rooms define the names and the meaning of their values."""

from collections.abc import Collection, Iterable
from datetime import date, datetime

from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.statements import Sql, Statement, as_rows
from stempelwerk_cloud.kit.dated import Change
from stempelwerk_cloud.people.directory.tables import PersonValue

_VALUES = (
    "SELECT v.user_id::text, v.name, v.valid_from::text, v.value FROM {people}"
    " AND v.name IN (SELECT n.name FROM @rows(n: name text))"
)
_EVERYBODY = Statement(
    _VALUES.format(people="person_values v WHERE v.company_id = :company::uuid") + " ORDER BY v.valid_from"
)
_THESE = Statement(
    _VALUES.format(
        people="@rows(w: user_id uuid)"
        " @lookup(v: person_values WHERE v.company_id = :company::uuid AND v.user_id = w.user_id) WHERE true"
    )
    + " ORDER BY v.valid_from"
)


def person_values(
    session: Session, company_id: str, names: Collection[str], user_ids: Iterable[str] | None = None
) -> dict[str, list[Change]]:
    """Returns the values with these names by user id: the changes with the day that they hold from, oldest first."""
    session.flush()
    parameters = {"company": company_id, "n": as_rows([{"name": name} for name in names])}
    if user_ids is not None:
        parameters["w"] = as_rows([{"user_id": user_id} for user_id in set(user_ids)])
    by_person: dict[str, list[Change]] = {}
    for user_id, name, valid_from, value in Sql(session).rows(_EVERYBODY if user_ids is None else _THESE, parameters):
        by_person.setdefault(user_id, []).append(Change(name, date.fromisoformat(valid_from), value))
    return by_person


def add_person_values(
    session: Session, company_id: str, changes: Iterable[tuple[str, Change]], now: datetime, actor_id: str | None
) -> None:
    """Adds values of people who have no values with these names yet."""
    session.add_all(
        PersonValue(
            company_id=company_id,
            user_id=user_id,
            name=change.setting,
            valid_from=change.valid_from,
            value=change.value,
            set_at=now,
            set_by=actor_id,
        )
        for user_id, change in changes
    )
    session.flush()


def set_person_value(
    session: Session, company_id: str, user_id: str, change: Change, now: datetime, actor_id: str | None
) -> None:
    """Stores a value from a day on, replacing a value that holds from that same day."""
    row = session.get(PersonValue, (company_id, user_id, change.setting, change.valid_from))
    if row is None:
        row = PersonValue(company_id=company_id, user_id=user_id, name=change.setting, valid_from=change.valid_from)
        session.add(row)
    row.value, row.set_at, row.set_by = change.value, now, actor_id
    session.flush()
