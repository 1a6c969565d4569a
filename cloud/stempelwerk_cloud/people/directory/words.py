"""The modules that a company may use, and refusals of the directory to a known caller.

`login` and `support` always show and are no modules. A new company has all modules, so that it works at once; the
system administrator takes away what is not booked.
"""

import uuid
from typing import NamedTuple

from stempelwerk_cloud.kit.http.problems import Problem, conflict

_NAMESPACE = uuid.UUID("6f1c7ba6-5c0e-5b8f-9a6a-8d0a5d0c3a11")


class Feature(NamedTuple):
    """A module. `id`: its permanent id in the API; `key`: its name in code; `label`: its name for users."""

    id: str
    key: str
    label: str


def _feature(key: str, label: str) -> Feature:
    return Feature(str(uuid.uuid5(_NAMESPACE, key)), key, label)


FEATURES = (
    _feature("manage_employees", "Mitarbeiter verwalten"),
    _feature("schedule", "Dienstplan verwalten"),
    _feature("absences", "Abwesenheiten bestätigen"),
    _feature("costs", "Mitarbeiterkosten einsehen"),
    _feature("devices", "Geräte verwalten"),
    _feature("hours_config", "Arbeitszeiten konfigurieren"),
    _feature("monthly_mail", "Daten Export"),
    _feature("error_log", "Fehlerlog"),
    _feature("present", "Anwesende Mitarbeiter"),
    _feature("privacy", "Datenschutz zustimmen"),
    _feature("data_view", "Gespeicherte Firmendaten sehen"),
)
KEYS = tuple(feature.key for feature in FEATURES)
KEY_OF = {name: feature.key for feature in FEATURES for name in (feature.id, feature.key)}
"""The key of each feature by its id and by its key."""


def protected_edit(tag: str) -> Problem:
    return Problem(403, "protected_user", f"Dieser Nutzer kann nicht bearbeitet werden ({tag}).")


def own_account() -> Problem:
    return conflict("own_user", "Das eigene Konto kann hier nicht gesperrt oder zurückgesetzt werden.")


def feature_off() -> Problem:
    return Problem(403, "feature_off", "Dieses Modul ist für die Firma nicht freigeschaltet.")
