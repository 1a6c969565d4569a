"""Request and response bodies of the calls about support messages."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, Strict, StringConstraints

from stempelwerk_cloud.domain.mail_addresses import ADDRESS_LIMIT, address
from stempelwerk_cloud.kit.http.problems import invalid, sentence_error
from stempelwerk_cloud.kit.http.schemas import IdField, InstantField, Wire

SUBJECT_LIMIT = 200
MESSAGE_LIMIT = 5000

Category = Literal["question", "incident", "billing", "feature"]
Priority = Literal["low", "normal", "high", "urgent"]
Status = Literal["open", "in_progress", "closed"]


def _filled(field: str) -> AfterValidator:
    def filled(text: str) -> str:
        if not text:
            raise invalid(field, "Bitte Betreff und Nachricht ausfüllen.")
        return text

    return AfterValidator(filled)


def _reachable(text: str) -> str | None:
    if text and address(text) is None:
        raise sentence_error("Keine gültige E-Mail-Adresse.")
    return text or None


Text = StringConstraints(strip_whitespace=True, max_length=MESSAGE_LIMIT)
Subject = StringConstraints(strip_whitespace=True, max_length=SUBJECT_LIMIT)
Mail = Annotated[str, StringConstraints(strip_whitespace=True, max_length=ADDRESS_LIMIT), AfterValidator(_reachable)]


class NewSupportMessage(Wire):
    """A new message of an administrator about their own company. `includeLogs`: the operator may see the logs of the
    company's clocks with it.
    """

    company_id: IdField | None = None
    subject: Annotated[str, Subject, _filled("subject")] = Field(default="", validate_default=True)
    category: Category = "question"
    priority: Priority = "normal"
    message: Annotated[str, Text, _filled("message")] = Field(default="", validate_default=True)
    contact_email: Mail | None = None
    include_logs: Annotated[bool, Strict()] = True


class NewReply(Wire):
    """A new answer in a thread."""

    message: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MESSAGE_LIMIT)]


class StatusChange(Wire):
    """The new status of a thread. Every change of status is allowed."""

    status: Status


class ReplyRow(Wire):
    """An answer in a thread. `by` is the name of its author; people of the operator are not named."""

    at: InstantField
    by: str
    message: str


class OwnSupportMessage(Wire):
    """A message as its company reads it, with all answers, oldest first."""

    id: str
    subject: str
    category: Category
    priority: Priority
    message: str
    status: Status
    created_at: InstantField
    replies: list[ReplyRow]


class SupportLog(Wire):
    """A log line of one of the company's clocks. `createdAt` is the clock's own time."""

    created_at: InstantField
    device_id: str
    log_message: str


class SupportMessageRow(OwnSupportMessage):
    """A message as the operator reads it. `logs` is empty unless the call asks for logs and the author allowed them."""

    company_id: str
    company_name: str
    contact_email: str | None
    include_logs: bool
    logs: list[SupportLog]
