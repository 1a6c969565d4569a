"""Calls about inquiries: any visitor sends one, system administrators read and delete them. The fields have the names
of the public forms.

Unexpected fields are refused, because strangers fill in the forms and a person reads them. A blank optional text counts
as left out.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal
from unicodedata import category

from fastapi import Depends, Query, Request, Response
from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    field_validator,
)

from stempelwerk_cloud.domain.mail_addresses import ADDRESS_LIMIT, address
from stempelwerk_cloud.kit.http.paging import name_next
from stempelwerk_cloud.kit.http.problems import malformed, sentence_error
from stempelwerk_cloud.kit.http.routing import SessionlessGuard, room_router
from stempelwerk_cloud.kit.http.schemas import BeforeField, InstantField, PathId, Wire
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.people.access.guards import AdminOnly
from stempelwerk_cloud.people.inquiries import service, words
from stempelwerk_cloud.people.work import Reading, Writing

NAME_LIMIT = 200
LOGO_LIMIT = 255
MESSAGE_LIMIT = 5000
MOST_DEVICES = 1000
_PICTURES = (".png", ".jpg", ".jpeg", ".svg")
_STRICT = ConfigDict(extra="forbid", strict=True)

Kind = Literal["offer", "contact"]


def _one_line(text: str) -> str:
    return _without_controls(text, "")


def _lines(text: str) -> str:
    return _without_controls(text, "\n\t")


_REFUSED = frozenset({"Cc", "Zl", "Zp"})
_DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Direction marks, which are refused: they reverse the following text, so that a name could read like another."""


def _without_controls(text: str, but: str) -> str:
    if any((category(letter) in _REFUSED or letter in _DIRECTIONS) and letter not in but for letter in text):
        raise sentence_error("Steuerzeichen sind hier nicht erlaubt.")
    return text


def _filled(text: str) -> str:
    """Validates that the text has visible characters."""
    if all(letter.isspace() or category(letter) == "Cf" for letter in text):
        raise sentence_error("Bitte ausfüllen.")
    return text


def _reachable(text: str) -> str:
    if text.strip() and address(text) is None:
        raise sentence_error("Keine gültige E-Mail-Adresse.")
    return text


Name = Annotated[str, Field(max_length=NAME_LIMIT), AfterValidator(_one_line)]
Mail = Annotated[str, Field(max_length=ADDRESS_LIMIT), AfterValidator(_one_line), AfterValidator(_reachable)]
Message = Annotated[str, Field(max_length=MESSAGE_LIMIT), AfterValidator(_lines)]
FILLED = AfterValidator(_filled)


class OfferFields(Wire):
    """The fields of the configurator, for an offer. `name`, `email` and `nachricht` are additions to the documented
    form, so that the request can be answered.
    """

    model_config = _STRICT

    anzahl: Annotated[int, Field(ge=1, le=MOST_DEVICES)] = 1
    version: Literal["wand", "quickfix"] = "wand"
    branding: bool = False
    kundenname: Name | None = None
    logo: Annotated[str, Field(max_length=LOGO_LIMIT), AfterValidator(_one_line)] | None = None
    support: Literal["basis", "premium"] = "basis"
    hosting: Literal["cloud", "local"] = "cloud"
    name: Name | None = None
    email: Mail | None = None
    nachricht: Message | None = None

    @field_validator("kundenname", "logo")
    @classmethod
    def _with_branding(cls, text: str | None, info: ValidationInfo) -> str | None:
        if text is not None and text.strip() and info.data.get("branding") is False:
            raise sentence_error("Nur zusammen mit Branding.")
        return text

    @field_validator("logo")
    @classmethod
    def _names_a_picture(cls, logo: str | None) -> str | None:
        if logo is None or not logo.strip():
            return logo
        if "/" in logo or "\\" in logo:
            raise sentence_error("Ein Dateiname ohne Ordner wird erwartet.")
        if not logo.lower().endswith(_PICTURES):
            raise sentence_error("Ein Dateiname mit .png, .jpg, .jpeg oder .svg wird erwartet.")
        return logo


class ContactFields(Wire):
    """The fields of the contact form."""

    model_config = _STRICT

    name: Annotated[Name, FILLED]
    email: Annotated[Mail, FILLED]
    nachricht: Annotated[Message, FILLED]


class ContactFieldsByMessage(Wire):
    """The fields of the contact form, with the message as `message` instead of `nachricht`."""

    model_config = _STRICT

    name: Annotated[Name, FILLED]
    email: Annotated[Mail, FILLED]
    message: Annotated[Message, FILLED]


class NewInquiry(Wire):
    """A new inquiry. `fields` are those of the form of its kind."""

    model_config = ConfigDict(extra="forbid")

    kind: Kind
    fields: OfferFields | ContactFields | ContactFieldsByMessage

    @field_validator("fields", mode="wrap")
    @classmethod
    def _of_the_kind(cls, value: Any, _: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
        kind = info.data.get("kind")
        if kind is None:  # an error of its own
            return value
        form = _form_of(kind, value)
        if not isinstance(value, Mapping):
            return form.model_validate(value)
        try:
            return form.model_validate(value)
        except ValidationError as error:  # with the form's own names, without their position in this body
            raise malformed(error.errors()) from None

    def submitted_fields(self) -> dict[str, str | int | bool]:
        """Returns the fields that were sent, and the defaults of those that were left out."""
        return self.fields.model_dump(exclude_none=True)


def _form_of(kind: Kind, value: object) -> type[Wire]:
    if kind == "offer":
        return OfferFields
    by_message = isinstance(value, Mapping) and "message" in value and "nachricht" not in value
    return ContactFieldsByMessage if by_message else ContactFields


class InquiryRow(Wire):
    """A stored inquiry, with its fields as they were sent."""

    id: str
    kind: Kind
    created_at: InstantField
    fields: dict[str, str | int | bool]


router = room_router("inquiries")
PATH = "/api/inquiries"
BODY_BYTES = 64 * 1024
"""A message of 5,000 characters has 20,000 bytes at most, and 30,000 if a client escapes them."""


async def _require_inquiries(platform: PlatformDep) -> None:
    """Raises 404 before the fields are validated if no inquiries are accepted. Invalid JSON is refused even earlier."""
    if platform.settings.inquiry_email is None:
        raise words.not_taken()


@router.post(PATH, status_code=201)
def send(
    _: Annotated[None, Depends(SessionlessGuard("anyone", rate="10/minute; 100/day", shared=True))],
    _open: Annotated[None, Depends(_require_inquiries)],
    platform: PlatformDep,
    body: NewInquiry,
) -> InquiryRow:
    """Sends a request for an offer, or a message. 404 where the installation accepts no inquiries."""
    return InquiryRow.model_validate(service.take(platform, body.kind, body.submitted_fields()))


@router.get(PATH)
def inquiries(
    _: AdminOnly,
    work: Reading,
    request: Request,
    response: Response,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    before: BeforeField = None,
) -> list[InquiryRow]:
    """Lists the inquiries, newest first."""
    rows, next_id = service.page(work, limit, before)
    name_next(request, response, before=next_id)
    return [InquiryRow.model_validate(row) for row in rows]


@router.delete("/api/inquiries/{id}", status_code=204)
def delete(_: AdminOnly, work: Writing, inquiry_id: PathId) -> Response:
    """Deletes an inquiry."""
    service.remove(work, inquiry_id)
    return Response(status_code=204)
