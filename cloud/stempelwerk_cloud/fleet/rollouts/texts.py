"""German texts about why a rollout was stopped."""

from stempelwerk_cloud.domain.rollouts import FAILED, Alarm

WITHDRAWN = "Die Version wurde zurückgezogen."
_SIGNS = {
    FAILED: "Update gescheitert",
    "silent": "Keine Meldung seit zwei Stunden",
    "queue": "Stempel bleiben liegen",
    "time": "Uhrzeit nicht gesichert",
    "reader": "Leser gestört",
    "errors": "Fehler im Protokoll",
    "odd": "Stempel fehlen (ungerade Zahl am Tag)",
    "taps": "Weniger Stempel als sonst",
}


def because(alarm: Alarm) -> str:
    updated, theirs = alarm.updated, alarm.others
    compared = f", {theirs.shown} von {theirs.of} anderen" if theirs.of else ""
    return f"{_SIGNS[alarm.sign]}: {updated.shown} von {updated.of} aktualisierten Uhren{compared}."


def replaced(version: str) -> str:
    return f"Abgelöst durch Version {version}."
