"""What the calls about the monthly mail refuse."""

from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid


def no_password() -> Problem:
    return invalid("zipPassword", "Für eine ZIP-Datei brauchst du ein Passwort.")


def no_mail_server() -> Problem:
    return conflict("no_mail_server", "Für diese Installation ist kein Mailserver eingerichtet.")


def not_active() -> Problem:
    return conflict("not_active", "Der monatliche Versand ist nicht aktiv.")


def no_recipients() -> Problem:
    return conflict("no_recipients", "Es ist noch kein Empfänger eingetragen.")


def not_begun() -> Problem:
    return invalid("month", "Dieser Monat hat noch nicht begonnen.")


def file_gone() -> Problem:
    sentence = "Diese Datei gibt es hier nicht mehr. Lade den Monat unter „Daten Export“ neu herunter."
    return Problem(404, "file_gone", sentence)
