"""Errors of the calls about the monthly mail."""

from datetime import date

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid
from stempelwerk_cloud.office.monthly_mail.limits import MOST_A_DAY


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
