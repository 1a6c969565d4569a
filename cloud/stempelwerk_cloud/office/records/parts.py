"""Every table that names a person: what of it the person is given, and what becomes of it once they have left.

The tables are named and not imported, because they belong to rooms all over the house. A test holds this list to them:
whoever adds a table about people says here what the person gets of it, or why nothing.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import ColumnElement, Table, or_, select

from stempelwerk_cloud.kit.database.columns import Base

Whose = Callable[[Table, str, str], ColumnElement[bool]]
"""(table, company_id, user_id) -> the rows about that person."""
Fate = Literal["at once", "with times", "stays"]
"""`at once`: nothing asks for it once its person has left. `with times`: a record of working time, or what it rests on.
`stays`: goes by a period of its own, or not at all."""


PERSON: Final = "person"
COMPANY: Final = "company"


class Part(NamedTuple):
    """`title`: its German name. `reader`: who gets it besides the person. `PERSON`: no other caller. `COMPANY`: the
    company's administrators. A module: the administrators while the company has it. `left_out`: why no data file has
    it; None: it is in the file. `words`: columns of free text, which are emptied at once where the rows stay.
    """

    table: str
    title: str
    reader: str
    fate: Fate = "at once"
    left_out: str | None = None
    whose: Whose = lambda table, _, user_id: table.c.user_id == user_id
    words: tuple[str, ...] = ()

    def rows(self, company_id: str, user_id: str) -> ColumnElement[bool]:
        """Those about a person of the company."""
        table = table_of(self.table)
        return (table.c.company_id == company_id) & self.whose(table, company_id, user_id)


def table_of(name: str) -> Table:
    return Base.metadata.tables[name]


def _of_number(table: Table, company_id: str, user_id: str) -> ColumnElement[bool]:
    numbers = table_of("person_numbers")
    own = select(numbers.c.no).where(numbers.c.company_id == company_id, numbers.c.user_id == user_id)
    return table.c.person_no.in_(own)


def _while_held(table: Table, company_id: str, user_id: str) -> ColumnElement[bool]:
    """The stamps of the tags that the person held, of the time in which they did."""
    return _held(table, company_id, table_of("tag_holdings").c.user_id == user_id)


def nobodys(table: Table, company_id: str) -> ColumnElement[bool]:
    """The company's stamps of tags that nobody held when they were made."""
    return (table.c.company_id == company_id) & ~_held(table, company_id)


def _held(table: Table, company_id: str, *by: ColumnElement[bool]) -> ColumnElement[bool]:
    held, tags = table_of("tag_holdings"), table_of("tag_numbers")
    return (
        select(held.c.id)
        .join(tags, (tags.c.company_id == held.c.company_id) & (tags.c.tag == held.c.tag))
        .where(
            held.c.company_id == company_id,
            *by,
            tags.c.no == table.c.tag_no,
            or_(held.c.held_from.is_(None), held.c.held_from <= table.c.at),
            or_(held.c.held_until.is_(None), held.c.held_until > table.c.at),
        )
        .exists()
    )


def _about(name: str, column: str, whose: Whose) -> Whose:
    """What is about a row of another table, which is the person's."""

    def found(table: Table, company_id: str, user_id: str) -> ColumnElement[bool]:
        other = table_of(name)
        own = select(other.c.id).where(other.c.company_id == company_id, whose(other, company_id, user_id))
        return table.c[column].in_(own)

    return found


def _either(table: Table, _company_id: str, user_id: str) -> ColumnElement[bool]:
    return or_(table.c.from_id == user_id, table.c.to_id == user_id)


def _told_to_others(table: Table, _company_id: str, user_id: str) -> ColumnElement[bool]:
    return (table.c.user_id != user_id) & table.c.payload.contains(user_id)


def _of_author(table: Table, _company_id: str, user_id: str) -> ColumnElement[bool]:
    return table.c.author == user_id


def _own_pay(table: Table, _company_id: str, user_id: str) -> ColumnElement[bool]:
    """Not a department's rate, whatever that is called."""
    return (table.c.subject == user_id) & table.c.name.in_(("hourly", "monthly"))


PAY: Final = "compensation_values"
COSTS: Final = "costs"
"""The module of what people are paid, in that table and in the log."""

_SECRET = "öffnen einen Zugang und sagen nichts über die Person"  # noqa: S105 -- a sentence
_DEED = "sagt nur, wer aus der Verwaltung entschieden hat; das steht im Änderungsprotokoll"

PARTS: Final = (
    Part("users", "Konto", COMPANY, "stays", whose=lambda table, _, user_id: table.c.id == user_id),
    Part("person_values", "Stammdaten und Vereinbarungen", "hours_config", "with times"),
    # What is found by way of others goes before them.
    Part(
        "review_confirmations",
        "Geprüfte Einträge",
        COMPANY,
        "with times",
        whose=_about("entries", "entry_id", _of_number),
    ),
    Part("resolutions", "Entschiedene Stempel", COMPANY, "with times", whose=_about("stamps", "stamp_id", _while_held)),
    Part("entries", "Zeiteinträge", COMPANY, "with times", whose=_of_number),
    Part("stamps", "Stempel", COMPANY, "with times", whose=_while_held),
    Part("corrections", "Genehmigte Korrekturen", "absences", "with times"),
    Part("correction_requests", "Korrekturanträge", "absences", "with times", words=("reason",)),
    Part("voids", "Gelöschte Einträge", COMPANY, "with times"),
    Part("tag_holdings", "Chips", COMPANY, "with times"),
    Part("bookings", "Buchungen", "hours_config", "with times"),
    Part(
        "vacation_requests",
        "Urlaub und Wünsche",
        "absences",
        "with times",
        words=("reason", "comment", "cancel_reason"),
    ),
    Part("absences", "Abwesenheiten", "absences", "with times", words=("user_message", "comment")),
    Part("vacation_notices", "Hinweise auf verfallenden Urlaub", "absences", "with times"),
    Part(PAY, "Stundensätze und Monatslöhne", COSTS, "with times", whose=_own_pay),
    Part("kept_balances", "Überträge von Zeitkonto und Urlaub", COMPANY, "with times"),
    Part("statements", "Zeitnachweise", COMPANY, "with times"),
    Part("duties", "Dienste", "schedule"),
    Part("told_duties", "Dienste, wie sie zuletzt mitgeteilt wurden", "schedule"),
    Part("swap_requests", "Übergabeanfragen", "schedule", whose=_either),
    Part("messages", "Nachrichten", PERSON),
    Part(
        "messages",
        "Nachrichten an die Verwaltung",
        PERSON,
        left_out="stehen in den Postfächern anderer; worum es geht, steht in den anderen Tabellen",
        whose=_told_to_others,
    ),
    Part("notice_choices", "Benachrichtigungen", PERSON),
    Part("push_subscriptions", "Browser für Push-Nachrichten", PERSON),
    Part("calendar_addresses", "Kalenderadresse", PERSON),
    Part("support_messages", "Anfragen an den Support", COMPANY, "stays", whose=_of_author),
    Part("support_replies", "Weitere Nachrichten an den Support", COMPANY, "stays", whose=_of_author),
    Part("web_sessions", "Sitzungen", PERSON),
    Part("remembered_devices", "Gemerkte Geräte", PERSON),
    Part("second_factors", "Zweiter Faktor", PERSON),
    Part("recovery_codes", "Wiederherstellungscodes", PERSON, left_out=_SECRET),
    Part(
        "pending_logins",
        "Angefangene Anmeldungen",
        PERSON,
        left_out="gelten zehn Minuten, solange sich jemand anmeldet",
    ),
    Part(
        "kept_answers",
        "Antworten auf wiederholte Anfragen",
        PERSON,
        left_out="enthalten nichts, was nicht auch in den anderen Tabellen steht",
    ),
    Part(
        "audit_words",
        "Namen und Wörter im Änderungsprotokoll",
        COMPANY,
        left_out="stehen bei den Einträgen des Änderungsprotokolls",
        whose=lambda table, _, user_id: table.c.about == user_id,
    ),
    Part(
        "audit_entries",
        "Änderungsprotokoll",
        COMPANY,
        "stays",
        whose=lambda table, _, user_id: or_(
            table.c.subject == user_id, table.c.before.contains(user_id), table.c.after.contains(user_id)
        ),
    ),
)
"""In the order in which it is shown and erased."""

NOT_A_PERSONS: Final[Mapping[str, str]] = {
    "access_looks": "gehört allein dem Betriebsrat (BetrVG § 78)",
    "operator_log": "gehört der Sicherheit des Betriebs und vergeht nach zwei Jahren",
    "person_numbers": "eine Nummer der Datenbank, sonst nichts",
    "tag_numbers": "eine Nummer der Datenbank; der Chip steht bei den Chips",
    "receipts": "Prüfsummen der Uhren, ohne Namen",
    "tickets": "gilt 30 Sekunden",
    "company_settings": _DEED,
    "device_assignments": _DEED,
    "device_leases": "von Uhren",
    "alarms": "von Uhren; wer einen Alarm bestätigt hat, steht im Änderungsprotokoll",
    "releases": _DEED,
    "privacy_consents": _DEED,
    "closures": _DEED,
    "company_archives": _DEED,
    "exports": "Lohndateien von allen zusammen; was darin über eine Person steht, sind ihre Zeiten und Tage",
    "month_locks": "dasselbe, wie es beim Abschluss des Monats stand",
}
"""Tables with a column that could name somebody, and why they are no part."""

SECRETS: Final = frozenset(
    {
        *("company_id", "password_hash", "username_key", "lock_token", "token_hash", "secret_hash", "secret"),
        *("waiting_secret", "accepted_step", "endpoint", "mark", "session_id", "file_id", "content", "digest"),
        *("previous", "hash", "no", "bits", "spared", "stamp_ids", "message_id"),
    }
)
"""Columns that open something, or that say nothing to anybody."""

NAMES: Final = frozenset(
    {"from_id", "to_id", "actor", "decided_by", "created_by", "made_by", "set_by", "confirmed_by", "author", "sent_by"}
)
"""Columns that hold somebody's id, in whose place their username is shown."""


OF_MODULE: Final = dict.fromkeys(("leave_halves", "leave_ill", "leave_parents", "leave_parents_back"), "absences")
"""Columns that belong to another module than their table: by name, the reader (`Part.reader`)."""


def shown_columns(table: Table, gets: Callable[[str], bool] = lambda _: True) -> list[Any]:
    """Returns the columns of a table that a reader is given. `gets`: whether they get what is a module's."""
    shown = [column for column in table.columns if column.key not in SECRETS]
    return [column for column in shown if column.key not in OF_MODULE or gets(OF_MODULE[column.key])]
