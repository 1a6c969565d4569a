"""Bodies of the calls about support."""

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
    """A message of an administrator, for their own company only. `includeLogs`: the operator sees the clocks' logs."""

    company_id: IdField | None = None
    subject: Annotated[str, Subject, _filled("subject")] = Field(default="", validate_default=True)
    category: Category = "question"
    priority: Priority = "normal"
    message: Annotated[str, Text, _filled("message")] = Field(default="", validate_default=True)
    contact_email: Mail | None = None
    include_logs: Annotated[bool, Strict()] = True


class NewReply(Wire):
    """An answer in the thread."""

    message: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MESSAGE_LIMIT)]


class StatusChange(Wire):
    """The new status; every change is allowed."""

    status: Status


class ReplyRow(Wire):
    """An answer. `by` is its author; the operator's people are not named."""

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
    """A line of a clock of that company; `createdAt` is the clock's own time."""

    created_at: InstantField
    device_id: str
    log_message: str


class SupportMessageRow(OwnSupportMessage):
    """A message as the operator reads it. `logs`: empty unless requested and attached."""

    company_id: str
    company_name: str
    contact_email: str | None
    include_logs: bool
    logs: list[SupportLog]
