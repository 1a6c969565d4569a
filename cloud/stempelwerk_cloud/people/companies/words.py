"""Refusals of the company calls."""

from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid


def name_taken() -> Problem:
    return conflict("company_exists", "Eine Firma mit diesem Namen gibt es bereits.")


def name_missing() -> Problem:
    return invalid("name", "Bitte einen Firmennamen eingeben.")


def name_too_long(limit: int) -> Problem:
    sentence = f"Zu lang: höchstens {limit} Zeichen, und manches Schriftzeichen zählt mehrfach."
    return invalid("name", sentence, "name_too_long")


def operator_stays() -> Problem:
    return conflict("operator_company", "Die Firma des Betreibers kann nicht gelöscht werden.")


def unknown_feature() -> Problem:
    return invalid("featureIds", "Unter den Modulen ist ein unbekanntes.")
