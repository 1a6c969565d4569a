"""Errors of calls about releases, and German texts for the operator about signed files that expire."""

from datetime import datetime
from typing import Final

from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.german import day_in_table
from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid


def no_bundle() -> Problem:
    return invalid("file", "Das ist kein Paket mit Updates, oder es ist zu groß.")


def unpacking() -> Problem:
    return places.busy(429, "Gerade wird schon ein Paket mit Updates ausgepackt. Bitte gleich noch einmal versuchen.")


def bundle_too_large() -> Problem:
    return Problem(413, "too_large", "Das Paket ist zu groß: höchstens 100 MB.")


def missing(missing_part: str) -> Problem:
    return invalid("file", f"Im Paket fehlt {missing_part}.", "incomplete_bundle")


def not_trusted(why: str) -> Problem:
    return invalid("file", f"Die Unterschriften des Pakets stimmen nicht: {why}", "not_trusted")


def older(role: str) -> Problem:
    return invalid("file", f"{role} ist älter als das, was schon veröffentlicht ist.", "older")


def unknown_key() -> Problem:
    return invalid(
        "file", "Die Wurzel kennt den Schlüssel dieser Cloud nicht. Trage ihn ein und unterschreibe neu.", "unknown_key"
    )


def other_keys() -> Problem:
    return _not_ours("Schlüssel sind Ed25519.")


def one_signature() -> Problem:
    return _not_ours("Eine Wurzel unterschreiben mindestens zwei.")


def names_without_version() -> Problem:
    return _not_ours("Die Dateien tragen ihre Version im Namen (consistent_snapshot).")


def other_targets() -> Problem:
    return _not_ours("targets gibt stable und beta weiter und sonst nichts.")


def other_paths(channel: str) -> Problem:
    return _not_ours(f"{channel} hat {channel}/* und das allein.")


def delegates(channel: str) -> Problem:
    return _not_ours(f"{channel} darf nichts weitergeben.")


def names_foreign_path(channel: str, path: str) -> Problem:
    return _not_ours(f"{channel} nennt {path}.")


def other_version(file_name: str) -> Problem:
    return _not_ours(f"{file_name} trägt eine andere Version im Namen.")


def _not_ours(violation: str) -> Problem:
    return invalid("file", f"So ist das Verzeichnis nicht vereinbart: {violation}", "not_ours")


def not_as_signed(target: str) -> Problem:
    return invalid("file", f"{target} ist nicht das, was unterschrieben ist.", "not_as_signed")


def file_too_large(target: str, most_mb: int) -> Problem:
    return invalid(
        "file",
        f"{target} ist größer als {most_mb} MB, und mehr lädt keine Stempeluhr."
        " Verkleinere die Datei oder nimm sie heraus, und unterschreibe das Paket neu.",
        "file_too_large",
    )


def too_many_wheels(manifest: str, limit: int) -> Problem:
    return invalid(
        "file",
        f"{manifest} nennt mehr als {limit} Wheels, und mehr lädt keine Stempeluhr."
        " Fasse sie zusammen, und unterschreibe das Paket neu.",
        "too_many_wheels",
    )


def version_taken(target: str) -> Problem:
    return conflict("version_taken", f"{target} gibt es schon mit anderem Inhalt. Nimm eine neue Versionsnummer.")


def already_withdrawn() -> Problem:
    return conflict("already_withdrawn", "Diese Version ist schon zurückgezogen.")


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
