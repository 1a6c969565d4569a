"""All tables that name a person: the part that the person gets of each, and its fate after they have left.

Tables are named and not imported, because they belong to rooms all over the service. A test checks this list against
the schema: a new table about people needs a part here, or a reason for having no part.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import ColumnElement, Table, or_, select

from stempelwerk_cloud.kit.database.columns import Base

Whose = Callable[[Table, str, str], ColumnElement[bool]]
"""A function (table, company_id, user_id) that returns the SQL condition for the rows about that person."""
Fate = Literal["at once", "with times", "stays"]
"""The fate of rows after their person has left. `at once`: erased at once. `with times`: a record of working time, or
its basis, erased with the times. `stays`: retained for another period, or for good.
"""


PERSON: Final = "person"
COMPANY: Final = "company"


class Part(NamedTuple):
    """A table, or some of its rows, in a person's data.

    - `title`: its German name.
    - `reader`: the callers who get it in addition to the person. `PERSON`: no other caller. `COMPANY`: the company's
      administrators. A module: the administrators while the company has it.
    - `left_out`: why no data file has it; None: it is in the file.
    - `words`: columns of free text, which are emptied at once where the rows stay.
    """

    table: str
    title: str
    reader: str
    fate: Fate = "at once"
    left_out: str | None = None
    person_filter: Whose = lambda table, _, user_id: table.c.user_id == user_id
    words: tuple[str, ...] = ()

    def rows(self, company_id: str, user_id: str) -> ColumnElement[bool]:
        """Returns the SQL condition for the rows about a person of the company."""
        table = table_of(self.table)
        return (table.c.company_id == company_id) & self.person_filter(table, company_id, user_id)


def table_of(name: str) -> Table:
    return Base.metadata.tables[name]


def _of_number(table: Table, company_id: str, user_id: str) -> ColumnElement[bool]:
    numbers = table_of("person_numbers")
    own_numbers = select(numbers.c.no).where(numbers.c.company_id == company_id, numbers.c.user_id == user_id)
    return table.c.person_no.in_(own_numbers)


def _while_held(table: Table, company_id: str, user_id: str) -> ColumnElement[bool]:
    """Returns the SQL condition for the stamps of tags that the person held at that time."""
    return _holding_exists(table, company_id, table_of("tag_holdings").c.user_id == user_id)


def unowned(table: Table, company_id: str) -> ColumnElement[bool]:
    """Returns the SQL condition for the company's stamps of tags without a holder at that time."""
    return (table.c.company_id == company_id) & ~_holding_exists(table, company_id)


def _holding_exists(table: Table, company_id: str, *conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    holdings, tags = table_of("tag_holdings"), table_of("tag_numbers")
    return (
        select(holdings.c.id)
        .join(tags, (tags.c.company_id == holdings.c.company_id) & (tags.c.tag == holdings.c.tag))
        .where(
            holdings.c.company_id == company_id,
            *conditions,
            tags.c.no == table.c.tag_no,
            or_(holdings.c.held_from.is_(None), holdings.c.held_from <= table.c.at),
            or_(holdings.c.held_until.is_(None), holdings.c.held_until > table.c.at),
        )
        .exists()
    )


def _of_related_row(name: str, column: str, person_filter: Whose) -> Whose:
    """Returns a filter for the rows that reference one of the person's rows in another table."""

    def select_rows(table: Table, company_id: str, user_id: str) -> ColumnElement[bool]:
        related = table_of(name)
        related_ids = select(related.c.id).where(
            related.c.company_id == company_id, person_filter(related, company_id, user_id)
        )
        return table.c[column].in_(related_ids)

    return select_rows


def _either(table: Table, _company_id: str, user_id: str) -> ColumnElement[bool]:
    return or_(table.c.from_id == user_id, table.c.to_id == user_id)


def _told_to_others(table: Table, _company_id: str, user_id: str) -> ColumnElement[bool]:
    return (table.c.user_id != user_id) & table.c.payload.contains(user_id)


def _of_author(table: Table, _company_id: str, user_id: str) -> ColumnElement[bool]:
    return table.c.author == user_id


def _own_pay(table: Table, _company_id: str, user_id: str) -> ColumnElement[bool]:
    """Returns the SQL condition for the person's own pay, and never a department's rate, whatever the department's
    name.
    """
    return (table.c.subject == user_id) & table.c.name.in_(("hourly", "monthly"))


PAY: Final = "compensation_values"
COSTS: Final = "costs"
"""The module that people's pay belongs to, in `PAY` and in the audit log."""

_SECRET = "öffnen einen Zugang und sagen nichts über die Person"  # noqa: S105 -- a sentence
_DEED = "sagt nur, wer aus der Verwaltung entschieden hat; das steht im Änderungsprotokoll"

PARTS: Final = (
    Part("users", "Konto", COMPANY, "stays", person_filter=lambda table, _, user_id: table.c.id == user_id),
    Part("person_values", "Stammdaten und Vereinbarungen", "hours_config", "with times"),
    # Rows that are found through another table go before its rows.
    Part(
        "review_confirmations",
        "Geprüfte Einträge",
        COMPANY,
        "with times",
        person_filter=_of_related_row("entries", "entry_id", _of_number),
    ),
    Part(
        "resolutions",
        "Entschiedene Stempel",
        COMPANY,
        "with times",
        person_filter=_of_related_row("stamps", "stamp_id", _while_held),
    ),
    Part("entries", "Zeiteinträge", COMPANY, "with times", person_filter=_of_number),
    Part("stamps", "Stempel", COMPANY, "with times", person_filter=_while_held),
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
    Part(PAY, "Stundensätze und Monatslöhne", COSTS, "with times", person_filter=_own_pay),
    Part("kept_balances", "Überträge von Zeitkonto und Urlaub", COMPANY, "with times"),
    Part("statements", "Zeitnachweise", COMPANY, "with times"),
    Part("duties", "Dienste", "schedule"),
    Part("told_duties", "Dienste, wie sie zuletzt mitgeteilt wurden", "schedule"),
    Part("swap_requests", "Übergabeanfragen", "schedule", person_filter=_either),
    Part("messages", "Nachrichten", PERSON),
    Part(
        "messages",
        "Nachrichten an die Verwaltung",
        PERSON,
        left_out="stehen in den Postfächern anderer; worum es geht, steht in den anderen Tabellen",
        person_filter=_told_to_others,
    ),
    Part("notice_choices", "Benachrichtigungen", PERSON),
    Part("push_subscriptions", "Browser für Push-Nachrichten", PERSON),
    Part("calendar_addresses", "Kalenderadresse", PERSON),
    Part("support_messages", "Anfragen an den Support", COMPANY, "stays", person_filter=_of_author),
    Part("support_replies", "Weitere Nachrichten an den Support", COMPANY, "stays", person_filter=_of_author),
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
        person_filter=lambda table, _, user_id: table.c.about == user_id,
    ),
    Part(
        "audit_entries",
        "Änderungsprotokoll",
        COMPANY,
        "stays",
        person_filter=lambda table, _, user_id: or_(
            table.c.subject == user_id, table.c.before.contains(user_id), table.c.after.contains(user_id)
        ),
    ),
)
"""All parts, in the order of display and of erasure."""

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
"""Tables with a column that may name a person, and the German reason why they are no part."""

SECRETS: Final = frozenset(
    {
        *("company_id", "password_hash", "username_key", "lock_token", "token_hash", "secret_hash", "secret"),
        *("waiting_secret", "accepted_step", "endpoint", "mark", "session_id", "file_id", "content", "digest"),
        *("previous", "hash", "no", "bits", "spared", "stamp_ids", "message_id"),
    }
)
"""Columns that no reader gets, because they contain secrets or have no meaning for a reader."""

NAMES: Final = frozenset(
    {"from_id", "to_id", "actor", "decided_by", "created_by", "made_by", "set_by", "confirmed_by", "author", "sent_by"}
)
"""Columns with the id of another person; a reader gets that person's username instead."""


OF_MODULE: Final = dict.fromkeys(("leave_halves", "leave_ill", "leave_parents", "leave_parents_back"), "absences")
"""The reader (`Part.reader`) of columns that belong to another module than their table, by column name."""


def shown_columns(table: Table, gets: Callable[[str], bool] = lambda _: True) -> list[Any]:
    """Returns the columns of a table that a reader gets. `gets`: whether they get the parts of a module."""
    readable = [column for column in table.columns if column.key not in SECRETS]
    return [column for column in readable if column.key not in OF_MODULE or gets(OF_MODULE[column.key])]
