"""What the monthly mail says, why one has not gone out, and what administrators are told then."""

from datetime import date

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.mail import MailFailed, MailPutOff, MailUnencrypted
from stempelwerk_cloud.kit.mail_templates import Letter, written
from stempelwerk_cloud.office.monthly_mail.tables import Delivery

NO_MAIL_SERVER = "Für diese Installation ist kein Mailserver eingerichtet."
NOT_MADE = "Die Datei konnte noch nicht erstellt werden."
NOT_SENT = "Eine E-Mail mit dem Export ging nicht raus"
_BRINGS: dict[Delivery, str] = {
    "file": "Die Datei hängt an dieser E-Mail.",
    "zip": "Die Datei hängt verschlüsselt an dieser E-Mail. Das Passwort steht nicht in dieser E-Mail.",
    "link": "Die Datei liegt 30 Tage lang in Stempelwerk; zum Herunterladen meldest du dich an.",
}


def subject(company: str, month: date, *, draft: bool) -> str:
    return f"{'Entwurf: ' * draft}Arbeitszeiten {german.month(month)}, {' '.join(company.split())}"


def letter(company: str, month: date, delivery: Delivery, link: str | None, *, draft: bool) -> Letter:
    """`link`: where the file is, for who logs in."""
    return written(
        "month_export",
        company=company,
        month=german.month(month),
        draft="ja" if draft else None,
        brings=_BRINGS[delivery],
        link=link if delivery == "link" else None,
    )


def why(error: MailFailed) -> str:
    """For administrators; no address is in it."""
    if isinstance(error, MailUnencrypted):
        return "Der Mailserver bietet keine Verschlüsselung an, und ohne sie wird nichts gesendet."
    if isinstance(error, MailPutOff):
        return "Der Mailserver nimmt die E-Mail gerade nicht an."
    return f"Der Mailserver ist nicht erreichbar oder hat die E-Mail abgelehnt ({error})."


def given_up(month: date, count: int) -> str:
    mails = "Eine E-Mail" if count == 1 else f"{count} E-Mails"
    what = "ging" if count == 1 else "gingen"
    return f"{mails} mit dem Export für {german.month(month)} {what} nicht raus. Warum, steht unter „Daten Export“."
