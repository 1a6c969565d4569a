"""Use cases of support messages: companies write, the operator answers, and both see the same thread.

A message contains no log lines. Lists add the newest lines of the company's clocks from before the message; like all
log lines they are deleted after a week.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from stempelwerk_cloud.fleet.device_logs import service as device_logs
from stempelwerk_cloud.fleet.device_logs.listing import newest_until
from stempelwerk_cloud.fleet.support import words
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
from stempelwerk_cloud.kit.database.pages import PageRequest, page
from stempelwerk_cloud.kit.database.scopes import of_company
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.live.topics import Subscriber
from stempelwerk_cloud.kit.mail import MailFailed
from stempelwerk_cloud.kit.mail_templates import render
from stempelwerk_cloud.kit.outbox import RetryLater
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.callers import ADMIN, COMPANY_ADMIN
from stempelwerk_cloud.people.directory.companies import operator_id
from stempelwerk_cloud.people.directory.people import administrators_of, deciders_of
from stempelwerk_cloud.people.directory.tables import Company
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import UnitOfWork

SENT = Action("support.sent")
REPLIED = Action("support.replied")
STATUS = Action("support.status")


MAIL = "support.mail"
MESSAGE = "support"
RETENTION = timedelta(days=2 * 366)
OPERATOR = "Support"
ASKING = "30/10 minutes"
"""Rate limit per person for new messages, and a separate one of the same size for answers of a company's
administrators.
"""


def send(work: UnitOfWork, body: NewSupportMessage) -> SupportMessage:
    """Stores a message of the caller's company. Raises 404 for another company."""
    company_id = body.company_id or work.caller.company_id
    work.caller.must_reach(company_id)
    work.company(company_id)
    message = SupportMessage(
        company_id=company_id,
        id=work.new_id(),
        author=work.caller.user_id,
        status="open",
        created_at=work.now(),
        **body.model_dump(exclude={"company_id"}, by_alias=False),
    )
    work.session.add(message)
    work.session.flush()
    _refresh(work, company_id)
    work.audit(company_id, SENT, message.id, new_values={"category": message.category, "priority": message.priority})
    return message


def reply(work: UnitOfWork, message_id: str, text: str) -> ReplyRow:
    """Adds a reply to the thread. A reply of the operator notifies the author of the thread and is mailed to the
    address that the author gave. Raises 404.
    """
    thread = _find_thread(work, message_id)
    work.company(thread.company_id)
    by_operator = work.caller.role == ADMIN
    if not by_operator:
        rates = work.platform.rates
        rates.spend_at_commit(work.session, ASKING, f"user {work.caller.user_id}", "answers support")
    row = SupportReply(
        company_id=thread.company_id,
        id=work.new_id(),
        message_id=thread.id,
        author=work.caller.user_id,
        by_operator=by_operator,
        message=text,
        at=work.now(),
    )
    work.session.add(row)
    work.session.flush()
    _refresh(work, thread.company_id)
    work.audit(thread.company_id, REPLIED, thread.id)
    if by_operator:
        _notify_author(work, thread, row)
    elif thread.status == "closed":
        # A reply reopens the thread; closed threads are not read.
        thread.status = "open"
    names = deciders_of(work.session, thread.company_id, [row.author])
    return _reply(row, names)


def company_closed(work: UnitOfWork, company_id: str) -> None:
    """Closes all threads of the company, because it can no longer read answers. The caller holds the exclusive lock
    under which companies are closed, so no other process works on these messages.
    """
    open_threads = update(SupportMessage).where(
        SupportMessage.company_id == company_id, SupportMessage.status != "closed"
    )
    work.session.execute(open_threads.values(status="closed"))
    _refresh(work, company_id)


def hears(hearer: Subscriber, _modules: Collection[str]) -> list[str]:
    """Returns the topics of messages that a subscriber receives: for administrators that of their company. The
    operator's topic, which system administrators receive, has the threads of all companies.
    """
    return [_topic(hearer.company_id)] if hearer.role in (ADMIN, COMPANY_ADMIN) else []


def _topic(company_id: str) -> str:
    return f"support:{company_id}"


def _refresh(work: UnitOfWork, company_id: str) -> None:
    topics = sorted({company_id, operator_id(work.platform) or company_id})
    work.platform.live.publish(
        work.session, [_topic(audience_id) for audience_id in topics], {"type": "support_update"}
    )


def _notify_author(work: UnitOfWork, thread: SupportMessage, row: SupportReply) -> None:
    if thread.author in administrators_of(work.session, thread.company_id):
        text = f"{thread.subject}: {row.message}"
        messages.send(work, thread.company_id, [thread.author], MESSAGE, words.TITLE, text, {"messageId": thread.id})
    if thread.contact_email is not None and work.platform.mailer is not None:
        outbox.add(work.session, work.platform, thread.company_id, MAIL, {"replyId": row.id})


def mail(platform: Platform, company_id: str, payload: Mapping[str, Any], id: str) -> None:  # noqa: A002
    """Mails an answer to the author of the thread, unless the message was deleted meanwhile (task)."""
    with platform.database.read(of_company(company_id)) as session:
        row = session.get(SupportReply, (company_id, payload["replyId"]))
        thread = None if row is None else session.get(SupportMessage, (company_id, row.message_id))
        if row is None or thread is None or thread.contact_email is None or platform.mailer is None:
            return
        address, mail_subject = thread.contact_email, words.subject(thread.subject)
        letter = render("support_reply", subject=thread.subject, answer=row.message, asked=thread.message)
    try:
        platform.mailer.send(address, mail_subject, letter.text, letter.html, id=id)
    except MailFailed as error:
        raise RetryLater(reason=f"mail: {error}") from error


def set_status(work: UnitOfWork, message_id: str, status: Status) -> SupportMessage:
    """Sets the status. Raises 404."""
    thread = _find_thread(work, message_id)
    work.company(thread.company_id)
    if thread.status != status:
        work.audit(thread.company_id, STATUS, thread.id, {"status": thread.status}, {"status": status})
        thread.status = status
        work.session.flush()
        _refresh(work, thread.company_id)
    return thread


def of_company_page(work: UnitOfWork, company_id: str, page_request: PageRequest) -> list[OwnSupportMessage]:
    """Returns a page of the company's messages, newest first, and one more row if more follow."""
    statement = select(SupportMessage).where(SupportMessage.company_id == company_id)
    threads = _page(work.session, statement, page_request)
    replies = _replies(work.session, threads)
    return [OwnSupportMessage.from_row(thread, replies=replies.get(thread.id, [])) for thread in threads]


def all_page(work: UnitOfWork, status: Status | None, page_request: PageRequest, logs: int) -> list[SupportMessageRow]:
    """Returns a page of all companies' messages, newest first, and one more row if more follow.

    Each has up to `logs` lines of its company's clocks.
    """
    statement = select(SupportMessage)
    threads = _page(
        work.session, statement, page_request, *([] if status is None else [SupportMessage.status == status])
    )
    return rows(work, threads, logs)


def rows(work: UnitOfWork, threads: Sequence[SupportMessage], logs: int) -> list[SupportMessageRow]:
    """Converts messages to the operator's rows."""
    session = work.session
    replies = _replies(session, threads)
    companies = {thread.company_id for thread in threads}
    names = dict(session.execute(select(Company.id, Company.name).where(Company.id.in_(companies))).all())
    logs_since = work.now() - device_logs.RETENTION
    return [
        SupportMessageRow.from_row(
            thread,
            company_name=names.get(thread.company_id, ""),
            replies=replies.get(thread.id, []),
            logs=_logs(session, thread, logs)
            if logs and thread.include_logs and thread.created_at > logs_since
            else [],
        )
        for thread in threads
    ]


def _logs(session: Session, thread: SupportMessage, limit: int) -> list[SupportLog]:
    lines = newest_until(session, thread.company_id, thread.created_at, limit)
    return [
        SupportLog(created_at=line.created_at, device_id=line.device_id, log_message=f"{line.code}: {line.message}")
        for line in lines
    ]


def _find_thread(work: UnitOfWork, message_id: str) -> SupportMessage:
    thread = work.session.scalar(select(SupportMessage).where(SupportMessage.id == message_id))
    if thread is None:
        raise not_found()
    work.caller.must_reach(thread.company_id)
    return thread


def _page(session: Session, statement: Any, page_request: PageRequest, *conditions: Any) -> list[SupportMessage]:
    order = (SupportMessage.created_at, SupportMessage.id)
    return [thread for (thread,) in page(session, statement, conditions, order, page_request, descending=True)]


def _replies(session: Session, threads: Iterable[SupportMessage]) -> dict[str, list[ReplyRow]]:
    ids_by_company: dict[str, list[str]] = {}
    for thread in threads:
        ids_by_company.setdefault(thread.company_id, []).append(thread.id)
    answers: dict[str, list[ReplyRow]] = {}
    for company_id, ids in ids_by_company.items():
        statement = select(SupportReply).where(SupportReply.company_id == company_id, SupportReply.message_id.in_(ids))
        rows = session.scalars(statement.order_by(SupportReply.id)).all()
        names = deciders_of(session, company_id, [row.author for row in rows])
        for row in rows:
            answers.setdefault(row.message_id, []).append(_reply(row, names))
    return answers


def _reply(row: SupportReply, names: Mapping[str | None, str]) -> ReplyRow:
    return ReplyRow(at=row.at, by=OPERATOR if row.by_operator else names.get(row.author, ""), message=row.message)
