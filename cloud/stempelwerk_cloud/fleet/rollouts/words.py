"""Errors of calls about rollouts, and German texts about why a rollout was stopped."""

from stempelwerk_cloud.domain.rollouts import FAILED, Alarm
from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid


def version_unknown() -> Problem:
    return invalid("version", "Diese Version ist in diesem Kanal nicht veröffentlicht.")


def version_withdrawn() -> Problem:
    return conflict("version_withdrawn", "Diese Version wurde zurückgezogen.")


def channel_taken() -> Problem:
    return conflict("rollout_running", "In diesem Kanal läuft schon ein Rollout. Halte ihn zuerst an.")


def stages_wrong() -> Problem:
    return invalid("stages", "Jede Stufe muss weiter reichen als die davor, und die letzte muss 100 % sein.")


def superseded() -> Problem:
    return conflict("rollout_superseded", "In diesem Kanal gibt es einen neueren Rollout.")


def not_running() -> Problem:
    return conflict("rollout_state", "Nur ein laufender Rollout lässt sich anhalten.")


def not_paused() -> Problem:
    return conflict("rollout_state", "Nur ein angehaltener Rollout lässt sich fortsetzen.")


def rolled_back() -> Problem:
    return conflict("rollout_state", "Der Rollout ist schon zurückgerollt.")


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
