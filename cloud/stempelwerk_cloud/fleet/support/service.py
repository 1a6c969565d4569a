"""Use cases of support: a company asks, the operator answers, both see one thread.

Logs are not copied into a message: they are the clocks' newest lines up to it, and go after a week like all others.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from stempelwerk_cloud.fleet.device_logs import service as device_logs
from stempelwerk_cloud.fleet.support import actions, texts
from stempelwerk_cloud.fleet.support.schemas import (
    NewSupportMessage,
    OwnSupportMessage,
    ReplyRow,
    Status,
    SupportLog,
    SupportMessageRow,
)
from stempelwerk_cloud.fleet.support.tables import SupportMessage, SupportReply
from stempelwerk_cloud.kit import outbox
from stempelwerk_cloud.kit.database.pages import Wanted, page
from stempelwerk_cloud.kit.database.scopes import of_company
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.live.topics import Hearer
from stempelwerk_cloud.kit.mail import MailFailed
from stempelwerk_cloud.kit.mail_templates import written
from stempelwerk_cloud.kit.outbox import Later
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import ADMIN, COMPANY_ADMIN
from stempelwerk_cloud.people.directory.tables import Company
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import Work

MAIL = "support.mail"
MESSAGE = "support"
KEPT = timedelta(days=2 * 366)
OPERATOR = "Support"
ASKING = "30/10 minutes"
"""How often one person of a company may ask, and how often answer."""


def send(work: Work, body: NewSupportMessage) -> SupportMessage:
    """Keeps what a company asks. 404 for another's."""
    company_id = body.company_id or work.caller.company_id
    work.caller.must_reach(company_id)
    work.company(company_id)
    one = SupportMessage(
        company_id=company_id,
        id=work.new_id(),
        author=work.caller.user_id,
        status="open",
        created_at=work.now(),
        **body.model_dump(exclude={"company_id"}, by_alias=False),
    )
    work.session.add(one)
    work.session.flush()
    _refresh(work, company_id)
    work.audit(company_id, actions.SENT, one.id, after={"category": one.category, "priority": one.priority})
    return one


def reply(work: Work, message_id: str, words: str) -> ReplyRow:
    """Adds to the thread. The operator's answer is told to who asked, and mailed where they said so. 404"""
    one = _found(work, message_id)
    work.company(one.company_id)
    by_operator = work.caller.role == ADMIN
    if not by_operator:
        work.platform.rates.spend_on(ASKING, f"user {work.caller.user_id}", "answers support")
    row = SupportReply(
        company_id=one.company_id,
        id=work.new_id(),
        message_id=one.id,
        author=work.caller.user_id,
        by_operator=by_operator,
        message=words,
        at=work.now(),
    )
    work.session.add(row)
    work.session.flush()
    _refresh(work, one.company_id)
    work.audit(one.company_id, actions.REPLIED, one.id)
    if by_operator:
        _tell(work, one, row)
    elif one.status == "closed":
        # Who answers has something to say again; nobody looks at what is closed.
        one.status = "open"
    names = directory.deciders_of(work.session, one.company_id, [row.author])
    return _reply(row, names)


def company_closed(work: Work, company_id: str) -> None:
    """Nobody of it reads an answer any more. It is closed alone, so nobody is at its messages."""
    waiting = update(SupportMessage).where(SupportMessage.company_id == company_id, SupportMessage.status != "closed")
    work.session.execute(waiting.values(status="closed"))
    _refresh(work, company_id)


def hears(hearer: Hearer, _modules: Collection[str]) -> list[str]:
    """A company's administrators, of its threads; system administrators, of all."""
    return [_topic(hearer.company_id)] if hearer.role in (ADMIN, COMPANY_ADMIN) else []


def _topic(company_id: str) -> str:
    return f"support:{company_id}"


def _refresh(work: Work, company_id: str) -> None:
    topics = sorted({company_id, directory.operator_id(work.platform) or company_id})
    work.platform.live.publish(work.session, [_topic(one) for one in topics], {"type": "support_update"})


def _tell(work: Work, one: SupportMessage, row: SupportReply) -> None:
    if one.author in directory.administrators_of(work.session, one.company_id):
        told = f"{one.subject}: {row.message}"
        messages.send(work, one.company_id, [one.author], MESSAGE, texts.TITLE, told, {"messageId": one.id})
    if one.contact_email is not None and work.platform.mailer is not None:
        outbox.add(work.session, work.platform, one.company_id, MAIL, {"replyId": row.id})


def mail(platform: Platform, company_id: str, payload: Mapping[str, Any], id: str) -> None:  # noqa: A002
    """The task that mails an answer, unless the message has gone meanwhile."""
    with platform.database.read(of_company(company_id)) as session:
        row = session.get(SupportReply, (company_id, payload["replyId"]))
        one = None if row is None else session.get(SupportMessage, (company_id, row.message_id))
        if row is None or one is None or one.contact_email is None or platform.mailer is None:
            return
        to, about = one.contact_email, texts.subject(one.subject)
        letter = written("support_reply", subject=one.subject, answer=row.message, asked=one.message)
    try:
        platform.mailer.send(to, about, letter.text, letter.html, id=id)
    except MailFailed as error:
        raise Later(reason=f"mail: {error}") from error


def set_status(work: Work, message_id: str, status: Status) -> SupportMessage:
    """Any of the three. 404"""
    one = _found(work, message_id)
    work.company(one.company_id)
    if one.status != status:
        work.audit(one.company_id, actions.STATUS, one.id, {"status": one.status}, {"status": status})
        one.status = status
        work.session.flush()
        _refresh(work, one.company_id)
    return one


def of_company_page(work: Work, company_id: str, wanted: Wanted) -> list[OwnSupportMessage]:
    """The company's own, newest first, and one more where more follow."""
    every = select(SupportMessage).where(SupportMessage.company_id == company_id)
    found = _page(work.session, every, wanted)
    replies = _replies(work.session, found)
    return [OwnSupportMessage.from_row(one, replies=replies.get(one.id, [])) for one in found]


def all_page(work: Work, status: Status | None, wanted: Wanted, logs: int) -> list[SupportMessageRow]:
    """Those of all companies, newest first, and one more where more follow; with so many lines of logs each."""
    every = select(SupportMessage)
    found = _page(work.session, every, wanted, *([] if status is None else [SupportMessage.status == status]))
    return rows(work, found, logs)


def rows(work: Work, found: Sequence[SupportMessage], logs: int) -> list[SupportMessageRow]:
    """As the operator reads them."""
    session = work.session
    replies = _replies(session, found)
    companies = {one.company_id for one in found}
    names = dict(session.execute(select(Company.id, Company.name).where(Company.id.in_(companies))).all())
    told_since = work.now() - device_logs.KEPT
    return [
        SupportMessageRow.from_row(
            one,
            company_name=names.get(one.company_id, ""),
            replies=replies.get(one.id, []),
            logs=_logs(session, one, logs) if logs and one.include_logs and one.created_at > told_since else [],
        )
        for one in found
    ]


def _logs(session: Session, one: SupportMessage, limit: int) -> list[SupportLog]:
    lines = device_logs.newest_until(session, one.company_id, one.created_at, limit)
    return [
        SupportLog(created_at=line.created_at, device_id=line.device_id, log_message=f"{line.code}: {line.message}")
        for line in lines
    ]


def _found(work: Work, message_id: str) -> SupportMessage:
    one = work.session.scalar(select(SupportMessage).where(SupportMessage.id == message_id))
    if one is None:
        raise not_found()
    work.caller.must_reach(one.company_id)
    return one


def _page(session: Session, every: Any, wanted: Wanted, *conditions: Any) -> list[SupportMessage]:
    order = (SupportMessage.created_at, SupportMessage.id)
    return [one for (one,) in page(session, every, conditions, order, wanted, descending=True)]


def _replies(session: Session, found: Iterable[SupportMessage]) -> dict[str, list[ReplyRow]]:
    wanted: dict[str, list[str]] = {}
    for one in found:
        wanted.setdefault(one.company_id, []).append(one.id)
    answers: dict[str, list[ReplyRow]] = {}
    for company_id, ids in wanted.items():
        of_these = select(SupportReply).where(SupportReply.company_id == company_id, SupportReply.message_id.in_(ids))
        rows = session.scalars(of_these.order_by(SupportReply.id)).all()
        names = directory.deciders_of(session, company_id, [row.author for row in rows])
        for row in rows:
            answers.setdefault(row.message_id, []).append(_reply(row, names))
    return answers


def _reply(row: SupportReply, names: Mapping[str | None, str]) -> ReplyRow:
    return ReplyRow(at=row.at, by=OPERATOR if row.by_operator else names.get(row.author, ""), message=row.message)
