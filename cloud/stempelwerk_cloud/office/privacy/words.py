"""Errors of agreeing to the privacy notice."""

from stempelwerk_cloud.kit.http.problems import Problem, invalid


def other_version(current: str) -> Problem:
    return invalid("version", f"Es gilt die Fassung {current}. Bitte lade die Seite neu.")


def not_taken_back() -> Problem:
    return invalid(
        "accepted", "Eine Zustimmung kann hier nicht zurückgenommen werden. Bitte wende dich an den Support."
    )
