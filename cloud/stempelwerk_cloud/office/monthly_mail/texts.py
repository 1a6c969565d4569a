"""Texts of the monthly mail, of failures, and of the messages to administrators."""

from datetime import date

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.mail import MailFailed, MailPutOff, MailUnencrypted
from stempelwerk_cloud.kit.mail_templates import Letter, render
from stempelwerk_cloud.office.monthly_mail.limits import MOST_A_DAY
from stempelwerk_cloud.office.monthly_mail.tables import Delivery

NO_MAIL_SERVER = "Für diese Installation ist kein Mailserver eingerichtet."
DECLINED = "Dieser Empfänger hat die E-Mails abbestellt."
SOMEBODY_DECLINED = "Ein Empfänger hat die E-Mails mit dem Export abbestellt"
NOT_MADE = "Die Datei konnte noch nicht erstellt werden."
NOT_SENT = "Eine E-Mail mit dem Export ging nicht raus"
_DRAFT = (
    "Das ist ein Entwurf: Beim Erstellen lief der Monat noch, oder jemand war noch eingestempelt. Die endgültige Datei"
    " gibt es in Stempelwerk unter „Daten Export“."
)
_BRINGS: dict[Delivery, str] = {
    "file": "Die Datei hängt an dieser E-Mail.",
    "zip": "Die Datei hängt verschlüsselt an dieser E-Mail. Das Passwort steht nicht in dieser E-Mail.",
    "link": "Die Datei liegt 30 Tage lang in Stempelwerk; zum Herunterladen meldest du dich an.",
}


def subject(company: str, month: date, *, draft: bool) -> str:
    return f"{'Entwurf: ' * draft}Arbeitszeiten {german.month(month)}, {' '.join(company.split())}"


def letter(
    company: str, month: date, delivery: Delivery, link: str | None, decline_link: str | None, *, draft: bool
) -> Letter:
    """Returns the mail. `link`: the page of the file, after a login. `decline_link`: the page for declining. None:
    unknown.
    """
    return render(
        "month_export",
        company=company,
        month=german.month(month),
        draft=_DRAFT if draft else None,
        brings=_BRINGS[delivery],
        link=link if delivery == "link" else None,
        decline_link=decline_link,
    )


def has_declined(recipient: str) -> str:
    return (
        f"{recipient} hat die E-Mails mit dem Export abbestellt. Zurücknehmen kann das nur der Empfänger, mit dem"
        " Link in einer der E-Mails. Wer gerade keine bekommt, steht unter „Daten Export“."
    )


def put_off(day: date) -> str:
    return f"Am Tag gehen höchstens {MOST_A_DAY} E-Mails raus. Diese folgt am {german.written_day(day)}."


def why(error: MailFailed) -> str:
    """Returns the reason for administrators, without any address."""
    if isinstance(error, MailUnencrypted):
        return "Der Mailserver bietet keine Verschlüsselung an, und ohne sie wird nichts gesendet."
    if isinstance(error, MailPutOff):
        return "Der Mailserver nimmt die E-Mail gerade nicht an."
    return f"Der Mailserver ist nicht erreichbar oder hat die E-Mail abgelehnt ({error})."


def given_up(month: date, count: int) -> str:
    mails = "Eine E-Mail" if count == 1 else f"{count} E-Mails"
    verb = "ging" if count == 1 else "gingen"
    return f"{mails} mit dem Export für {german.month(month)} {verb} nicht raus. Warum, steht unter „Daten Export“."
