"""Use cases of statements: making one, unless the last one of that month still says all there is to say."""

from typing import NamedTuple

from stempelwerk_cloud.domain import statement
from stempelwerk_cloud.domain.instants import MILLISECOND, local_day
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.account import service as account
from stempelwerk_cloud.office.statement import actions, problems, repository
from stempelwerk_cloud.office.statement.gathering import Content, content_of
from stempelwerk_cloud.office.statement.keys import own_key
from stempelwerk_cloud.office.statement.tables import Statement
from stempelwerk_cloud.people.access.guards import scope_of
from stempelwerk_cloud.people.access.service import sessions
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.work import Work, working
from stempelwerk_cloud.timekeeping.entries import service as entries
from stempelwerk_cloud.timekeeping.tx import Tx

__all__ = ["Made", "own_key", "statement_of"]

_CIRCUMSTANCES = ("installation", "kid", "madeAt", "previous", statement.SIGNATURE)
"""What a statement says besides its content."""


class Made(NamedTuple):
    """A person's statement of a month (`YYYY-MM`), byte by byte as it was signed."""

    username: str
    month: str
    content: bytes


def statement_of(platform: Platform, caller: Caller, user_id: str, month: str | None, installation: str) -> Made:
    """The person's statement of a month, or of the current one. 422 for what is no month, or one to come; 409 for one
    whose times have gone.

    In a transaction of its own, so that nobody waits for it while pages are drawn.
    """
    with working(platform, scope_of(caller), caller) as work:
        made = _statement_of(work, caller.subject_company_id, user_id, month, installation)
        sessions.keep(work.session, caller)
        return made


def _statement_of(work: Work, company_id: str, user_id: str, asked: str | None, installation: str) -> Made:
    """The one that was made last, if nothing has changed since, by the same key; else a new one.

    That names the person's last one, of whatever month. Of several who ask at once one makes it.
    """
    session = work.session
    company = work.company(company_id)
    tx = Tx(session, work.platform)
    inputs = entries.derivation_inputs.keep(tx, company_id)
    directory.lock_people(session, company_id, [user_id])
    person = session.get(User, (company_id, user_id))
    if person is None:
        raise not_found()
    now = work.now()
    zone = directory.zone_of(session, company_id, now)
    today = local_day(now, zone)
    first = today.replace(day=1) if asked is None else account.read_month(asked, today)[0]
    if first > today:
        raise problems.not_begun()
    entries.must_be_there(session, company_id, first)
    key = own_key(work.platform)
    content = content_of(tx, inputs, company, person, first, zone, now)
    month = content["month"]
    kept = repository.newest(session, company_id, user_id, month)
    if kept is not None and _says(kept, content, key.kid):
        return Made(person.username, month, kept.content)
    before = repository.newest(session, company_id, user_id)
    if before is not None:
        # So that the order of the chain is that of time, whatever clocks of several hosts say.
        now = max(now, before.created_at + MILLISECOND)
    body = content | {
        "installation": installation,
        "kid": key.kid,
        "madeAt": format_instant(now),
        "previous": None if before is None else {"month": before.month, "digest": before.digest.hex()},
    }
    made = statement.sealed(body, key.sign)
    digest = statement.digest_of(made)
    session.add(
        Statement(
            company_id=company_id,
            id=work.new_id(),
            user_id=user_id,
            month=month,
            created_at=now,
            content=made,
            digest=bytes.fromhex(digest),
            previous=None if before is None else before.digest,
        )
    )
    work.audit(company_id, actions.MADE, user_id, after={"month": month, "digest": digest})
    session.flush()
    return Made(person.username, month, made)


def _says(kept: Statement, content: Content, kid: str) -> bool:
    said = statement.read(kept.content)
    told = {name: value for name, value in said.items() if name not in _CIRCUMSTANCES}
    return said["kid"] == kid and statement.canonical(told) == statement.canonical(content)
