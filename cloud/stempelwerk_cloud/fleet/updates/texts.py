"""German texts for the operator about signed files that expire."""

from datetime import datetime
from typing import Final

from stempelwerk_cloud.kit.german import day_in_table

_BY_CEREMONY: Final = (
    "Zwei Personen mit Wurzelschlüsseln und die mit dem Schlüssel „targets“ erneuern sie mit „stempelwerk release"
    " rotate“; veröffentlicht wird mit „stempelwerk release publish“. Schritt für Schritt steht es in"
    " docs/key-ceremony.md."
)
_BY_SERVICE: Final = (
    "Der Dienst unterschreibt sie sonst jeden Tag von selbst. Sieh in seinem Protokoll nach „update_key_missing“ und"
    " „job_failed“; ist der Schlüssel update.key verloren, gib ihn zuerst mit „stempelwerk-cloud forget-key update.key“"
    " auf; dann hilft „stempelwerk-cloud update-key“ und eine neue Wurzel (docs/key-ceremony.md)."
)
_UNKNOWN: Final = (
    "Die Uhrzeit des Servers ist zweifelhaft. Bis das geklärt ist, gilt hier nichts als abgelaufen, und Alarme dazu"
    " beginnen und enden nicht. Stell die Uhr des Servers richtig; stimmt sie, bestätige sie dort mit"
    " „stempelwerk-cloud confirm-time“."
)
_TO_DO: Final = {"root": _BY_CEREMONY, "targets": _BY_CEREMONY, "snapshot": _BY_SERVICE, "timestamp": _BY_SERVICE}


def explanation(role: str, state: str, ends_at: datetime | None) -> str:
    """Returns a German text with the consequence of the state for clocks, and the remedy. Empty while the state is
    `good`.
    """
    if state == "good":
        return ""
    if state == "unknown":
        return _UNKNOWN
    way_out = _TO_DO.get(role) or _by_releaser(role)
    if ends_at is None:
        return (
            f"Die Unterschrift „{role}“ ist beschädigt und lässt sich nicht lesen. Das gilt wie abgelaufen: Uhren"
            " nehmen keine Updates mehr an; gestempelt wird weiter. Hol die Datenbank mit „stempelwerk-cloud restore“"
            f" aus einer Sicherung zurück, oder lass neu unterschreiben. {way_out}"
        )
    day = day_in_table(ends_at.date())
    if state == "over":
        lead = f"Die Unterschrift „{role}“ ist am {day} abgelaufen. Uhren nehmen keine Updates mehr an;"
    else:
        lead = f"Die Unterschrift „{role}“ läuft am {day} ab. Danach nehmen Uhren keine Updates mehr an;"
    return f"{lead} gestempelt wird weiter. {way_out}"


def _by_releaser(channel: str) -> str:
    return (
        f"Wer Versionen herausgibt, unterschreibt den Kanal neu mit „stempelwerk release sign --channel {channel}“;"
        " veröffentlicht wird mit „stempelwerk release publish“."
    )
