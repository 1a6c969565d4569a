"""Use cases of the import: all people of a table are created with their employment and weekly target, or nothing is
done.

Passwords are hashed before the transaction, in the bulkhead and one by one, so that a large table blocks no login.
Therefore the lines are checked twice: before the hashing, and in the transaction, whose result counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, BinaryIO

from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.scopes import Scope
from stempelwerk_cloud.kit.events import EMPLOYED, FIGURES_CHANGED
from stempelwerk_cloud.kit.files import places, sheets
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security import codes, passwords
from stempelwerk_cloud.kit.subprocesses.pool import SubprocessPool
from stempelwerk_cloud.people.directory.callers import USER, Caller
from stempelwerk_cloud.people.employment import service as employment
from stempelwerk_cloud.people.users import service as users
from stempelwerk_cloud.people.users.service import Newcomer
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.hours import service as hours
from stempelwerk_cloud.planning.importing import lines as reading
from stempelwerk_cloud.planning.importing import words
from stempelwerk_cloud.planning.importing.lines import (
    NUMBER,
    PASSWORD,
    TAG,
    USERNAME,
    WEEKLY_HOURS,
    WEEKLY_MINUTES,
    Line,
)

PASSWORD_LIFE = timedelta(days=14)
"""How long a generated password is valid. It is handed over on paper, and not every employee is present the
next day.
"""

_EMPLOYMENT = {NUMBER: "personnel_number", "department": "department", "entryDate": "entry_date"}


@dataclass(frozen=True, slots=True)
class Table:
    """An uploaded table. `hashed`: the password and its hash by line number; empty for a dry run, or if lines have
    errors.
    """

    lines: list[Line]
    hashed: Mapping[int, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Created:
    """A new person. `password`: the generated password; None if the table had one."""

    user_id: str
    username: str
    password: str | None


async def read(platform: Platform, scope: Scope, caller: Caller, content: bytes, *, dry_run: bool) -> Table:
    """Parses a table, and hashes the passwords of its lines unless it is a dry run. Raises 422, 429 and 503.

    A company imports one table at a time, so that its password hashes take turns with all logins.
    """
    bulkheads = platform.bulkheads
    with await places.take_turn(platform, caller.subject_company_id, places.IMPORT, words.one_at_a_time):
        with await places.take(platform, caller.company_id, caller.user_id) as place:
            lines = await bulkheads.files.run(_read, platform.subprocesses, content, place)
        await bulkheads.steps.run(passwords.common_passwords)  # before a transaction that others would wait for
        if dry_run or await bulkheads.steps.run(_refused, platform, scope, caller.subject_company_id, lines):
            return Table(lines, {})
        hashed: dict[int, tuple[str, str]] = {}
        with bulkheads.hashing.permit():
            for line in lines:
                password = line.values.get(PASSWORD) or codes.grouped(platform.ids)
                hashed[line.number] = password, await bulkheads.hashing.run(passwords.hash_password, password)
        return Table(lines, hashed)


def run(work: UnitOfWork, table: Table, *, dry_run: bool) -> list[Created]:
    """Creates all people of the table, unless it is a dry run. 422 with the errors of each line; then no person is
    created.
    """
    session, company_id = work.session, work.caller.subject_company_id
    work.rules(company_id)
    _refuse(table.lines, find_errors(session, company_id, table.lines))
    if dry_run:
        return []
    if not table.hashed:
        raise words.changed_meanwhile()
    created = list(zip(table.lines, users.create_all(work, company_id, _newcomers(work, table)), strict=True))
    employment.begin(work, company_id, [(user, _employment(line.values)) for line, user in created])
    targets = {user.id: _weekly_minutes(line.values) for line, user in created}
    hours.begin_targets(
        work, company_id, {user_id: minutes for user_id, minutes in targets.items() if minutes is not None}
    )
    work.emit(FIGURES_CHANGED, company_id=company_id, user_ids=sorted(targets))
    work.emit(EMPLOYED, company_id=company_id, user_ids=sorted(targets))
    return [
        Created(user.id, user.username, None if line.values.get(PASSWORD) else table.hashed[line.number][0])
        for line, user in created
    ]


def find_errors(session: Session, company_id: str, lines: list[Line]) -> dict[int, list[str]]:
    """Returns the errors of each line as German sentences, by line number, including conflicts with the company's
    people.
    """
    taken_names = users.Taken(session, company_id)
    holders, company = taken_names.number_holders, taken_names.company_name
    errors = {}
    for line in lines:
        refusals = taken_names.refusals(line.values.get(USERNAME, ""), line.values.get(TAG, ""))
        number = line.values.get(NUMBER)
        if number is not None and int(number) in holders:
            refusals.append(words.number_taken(holders[int(number)]))
        errors[line.number] = [*line.errors, *(problem.message for problem in refusals), *_guessable(line, company)]
    return errors


def _guessable(line: Line, company: str) -> list[str]:
    password = line.values.get(PASSWORD)
    refusal = password and passwords.find_refusal(password, [line.typed_name, company])
    return [refusal.sentence] if refusal else []


def _read(pool: SubprocessPool, content: bytes, place: BinaryIO) -> list[Line]:
    return reading.read(sheets.read(pool, content, place))


def line_row(line: Line, errors: list[str]) -> dict[str, Any]:
    """Returns a line for the answer: the person's values and the line's errors."""
    names = (TAG, "role", *_EMPLOYMENT)
    row_values = {name: line.values.get(name) for name in names} | {WEEKLY_MINUTES: _weekly_minutes(line.values)}
    day = row_values["entryDate"]
    return {
        **row_values,
        "entryDate": day and day.isoformat(),
        "line": line.number,
        "username": line.typed_name,
        "errors": errors,
    }


def _refused(platform: Platform, scope: Scope, company_id: str, lines: list[Line]) -> bool:
    with platform.database.read(scope) as session:
        return any(find_errors(session, company_id, lines).values())


def _refuse(lines: list[Line], errors: Mapping[int, list[str]]) -> None:
    if any(errors.values()):
        raise words.lines_refused([line_row(line, errors[line.number]) for line in lines])


def _newcomers(work: UnitOfWork, table: Table) -> list[Newcomer]:
    expires_at = work.now() + PASSWORD_LIFE
    return [
        Newcomer(
            line.values[USERNAME],
            line.values[TAG],
            line.values.get("role", USER),
            table.hashed[line.number][1],
            None if line.values.get(PASSWORD) else expires_at,
        )
        for line in table.lines
    ]


def _employment(values: Mapping[str, Any]) -> dict[str, Any]:
    given_values = {name: values[head] for head, name in _EMPLOYMENT.items() if values.get(head) is not None}
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in given_values.items()}


def _weekly_minutes(values: Mapping[str, Any]) -> int | None:
    minutes: int | None = values.get(WEEKLY_MINUTES, values.get(WEEKLY_HOURS))
    return minutes
