"""Sentences for the operator about signatures that expire."""

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
    " „job_failed“; ist der Schlüssel update.key verloren, hilft „stempelwerk-cloud update-key“ und eine neue Wurzel"
    " (docs/key-ceremony.md)."
)
_TO_DO: Final = {"root": _BY_CEREMONY, "targets": _BY_CEREMONY, "snapshot": _BY_SERVICE, "timestamp": _BY_SERVICE}


def expiry(role: str, ends_at: datetime, *, is_over: bool) -> str:
    """Explains what the end of a role means for clocks, and the way out."""
    day = day_in_table(ends_at.date())
    if is_over:
        lead = f"Die Unterschrift „{role}“ ist am {day} abgelaufen. Uhren nehmen keine Updates mehr an;"
    else:
        lead = f"Die Unterschrift „{role}“ läuft am {day} ab. Danach nehmen Uhren keine Updates mehr an;"
    return f"{lead} gestempelt wird weiter. {_TO_DO.get(role) or _by_releaser(role)}"


def _by_releaser(channel: str) -> str:
    return (
        f"Wer Versionen herausgibt, unterschreibt den Kanal neu mit „stempelwerk release sign --channel {channel}“;"
        " veröffentlicht wird mit „stempelwerk release publish“."
    )
