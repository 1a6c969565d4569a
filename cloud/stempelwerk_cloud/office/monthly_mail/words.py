"""Errors of the calls about the monthly mail, and texts of the mail, of failures, and of messages to administrators."""

from datetime import date

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid
from stempelwerk_cloud.kit.mail import MailFailed, MailPutOff, MailUnencrypted
from stempelwerk_cloud.kit.mail_templates import Letter, render
from stempelwerk_cloud.office.monthly_mail.queries import MOST_A_DAY
from stempelwerk_cloud.office.monthly_mail.tables import Delivery


def no_password() -> Problem:
    return invalid("zipPassword", "Für eine ZIP-Datei brauchst du ein Passwort.")


def no_mail_server() -> Problem:
    return conflict("no_mail_server", "Für diese Installation ist kein Mailserver eingerichtet.")


def not_active() -> Problem:
    return conflict("not_active", "Der monatliche Versand ist nicht aktiv.")


def no_recipients() -> Problem:
    return conflict("no_recipients", "Es ist noch kein Empfänger eingetragen.")


def all_declined() -> Problem:
    sentence = (
        "Alle Empfänger haben diese E-Mails abbestellt, deshalb wurde nichts gesendet. Lade die Datei herunter und gib"
        " sie ihnen auf einem anderen Weg."
    )
    return conflict("all_declined", sentence)


def day_is_full(requested: int, remaining: int, next_day: date, retry_after_s: int) -> Problem:
    """Refuses mails beyond the limit of the day. `next_day` is the first day with room."""
    continuation = f"Ab {german.written_day(next_day)}, 00:00 Uhr, geht es weiter."
    if remaining == 0:
        reason = (
            f"Heute gingen schon {MOST_A_DAY} E-Mails mit dem Export raus oder stehen an. Mehr sind es am Tag nicht."
        )
    else:
        rest_text = "ist heute noch eine" if remaining == 1 else f"sind heute noch {remaining}"
        reason = (
            f"Am Tag gehen höchstens {MOST_A_DAY} E-Mails mit dem Export raus. Übrig {rest_text}, hier wären es"
            f" {requested}."
        )
    sentence = f"{reason} Jetzt wurde nichts gesendet. {continuation}"
    return Problem(429, "day_is_full", sentence, headers={"Retry-After": str(max(1, retry_after_s))})


def unknown_link() -> Problem:
    """Returns the same error for a forged or truncated token and for one of a closed company."""
    sentence = (
        "Dieser Link ist unvollständig, oder die Firma gibt es hier nicht mehr. Öffne den Link aus der neuesten E-Mail"
        " noch einmal; geändert wurde nichts."
    )
    return Problem(404, "unknown_link", sentence)


def not_begun() -> Problem:
    return invalid("month", "Dieser Monat hat noch nicht begonnen.")


def not_a_month() -> Problem:
    return invalid("month", "Kein Monat (JJJJ-MM).")


def file_gone() -> Problem:
    sentence = "Diese Datei gibt es hier nicht mehr. Lade den Monat unter „Daten Export“ neu herunter."
    return Problem(404, "file_gone", sentence)


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
