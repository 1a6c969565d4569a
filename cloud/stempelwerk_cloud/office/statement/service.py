"""Use cases of statements: making one, unless the last one of that month is still current."""

from typing import NamedTuple

from stempelwerk_cloud.domain import statement
from stempelwerk_cloud.domain.instants import MILLISECOND, local_day
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.statement import tables, words
from stempelwerk_cloud.office.statement.gathering import Content, content_of
from stempelwerk_cloud.office.statement.keys import own_key
from stempelwerk_cloud.office.statement.tables import Statement
from stempelwerk_cloud.office.time_account import service as time_account
from stempelwerk_cloud.people.access.guards import scope_of
from stempelwerk_cloud.people.access.identity import sessions
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.directory.companies import zone_of
from stempelwerk_cloud.people.directory.people import lock_people
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work
from stempelwerk_cloud.timekeeping.ledger.deriving import derivation_inputs
from stempelwerk_cloud.timekeeping.ledger.purged import ensure_available
from stempelwerk_cloud.timekeeping.tx import Tx

MADE = Action("statement.made")


_CIRCUMSTANCES = ("installation", "kid", "madeAt", "previous", statement.SIGNATURE)
"""Fields of a statement that do not count when its content is compared."""


class Made(NamedTuple):
    """A person's statement of a month (`YYYY-MM`), with its bytes as signed."""

    username: str
    month: str
    content: bytes


def statement_of(platform: Platform, caller: Caller, user_id: str, month: str | None, installation: str) -> Made:
    """Returns the person's statement of a month, or of the current one.

    422 for an invalid or future month, 409 for one whose times have been purged. It uses a transaction of its own, so
    that rendering pages holds no locks.
    """
    with unit_of_work(platform, scope_of(caller), caller) as work:
        statement_file = _statement_of(work, caller.subject_company_id, user_id, month, installation)
        sessions.recheck_session(work.session, caller)
        return statement_file


def _statement_of(work: UnitOfWork, company_id: str, user_id: str, month_text: str | None, installation: str) -> Made:
    """Returns the month's last statement if nothing has changed since and the key is the same; else a new one.

    A new one references the person's last statement, of whatever month. Only one of several concurrent callers makes
    it.
    """
    session = work.session
    company = work.company(company_id)
    tx = Tx(session, work.platform)
    inputs = derivation_inputs.keep(tx, company_id)
    lock_people(session, company_id, [user_id])
    person = session.get(User, (company_id, user_id))
    if person is None:
        raise not_found()
    now = work.now()
    zone = zone_of(session, company_id, now)
    today = local_day(now, zone)
    first = today.replace(day=1) if month_text is None else time_account.read_month(month_text, today)[0]
    if first > today:
        raise words.not_begun()
    ensure_available(session, company_id, first)
    key = own_key(work.platform)
    content = content_of(tx, inputs, company, person, first, zone, now)
    month = content["month"]
    newest_of_month = tables.newest(session, company_id, user_id, month)
    if newest_of_month is not None and _is_current(newest_of_month, content, key.kid):
        return Made(person.username, month, newest_of_month.content)
    previous = tables.newest(session, company_id, user_id)
    if previous is not None:
        # Keeps the chain in order of time, even if the clocks of several hosts differ.
        now = max(now, previous.created_at + MILLISECOND)
    body = content | {
        "installation": installation,
        "kid": key.kid,
        "madeAt": format_instant(now),
        "previous": None if previous is None else {"month": previous.month, "digest": previous.digest.hex()},
    }
    sealed = statement.sealed(body, key.sign)
    digest = statement.digest_of(sealed)
    session.add(
        Statement(
            company_id=company_id,
            id=work.new_id(),
            user_id=user_id,
            month=month,
            created_at=now,
            content=sealed,
            digest=bytes.fromhex(digest),
            previous=None if previous is None else previous.digest,
        )
    )
    work.audit(company_id, MADE, user_id, new_values={"month": month, "digest": digest})
    session.flush()
    return Made(person.username, month, sealed)


def _is_current(stored: Statement, content: Content, kid: str) -> bool:
    stored_content = statement.read(stored.content)
    compared = {name: value for name, value in stored_content.items() if name not in _CIRCUMSTANCES}
    return stored_content["kid"] == kid and statement.canonical(compared) == statement.canonical(content)
