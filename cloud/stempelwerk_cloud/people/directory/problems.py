"""Refusals of the directory to a known caller."""

from stempelwerk_cloud.kit.http.problems import Problem, conflict


def protected_edit(tag: str) -> Problem:
    return Problem(403, "protected_user", f"Dieser Nutzer kann nicht bearbeitet werden ({tag}).")


def own_account() -> Problem:
    return conflict("own_user", "Das eigene Konto kann hier nicht gesperrt oder zurückgesetzt werden.")


def feature_off() -> Problem:
    return Problem(403, "feature_off", "Dieses Modul ist für die Firma nicht freigeschaltet.")
