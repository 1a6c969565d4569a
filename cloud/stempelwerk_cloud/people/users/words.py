"""Refusals of the user calls."""

from stempelwerk_cloud.domain.tags import TagDamage, UnreadableTag
from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid
from stempelwerk_cloud.kit.security.passwords import Refusal

_ENTER_AGAIN = "Bitte in der Tabelle die Spalte als Text formatieren und die Tag-ID neu eingeben."
_DAMAGED_TAGS = {
    TagDamage.HEX_PREFIX: "Das 0x gehört nicht zur Tag-ID. Bitte nur die Zeichen dahinter eingeben.",
    TagDamage.SCIENTIFIC: "Diese Tag-ID ist eine Zahl mit Exponent, wie Tabellenprogramme sie schreiben: Stellen des "
    f"Chips fehlen. {_ENTER_AGAIN}",
    TagDamage.NUMBER_FORMAT: "Diese Tag-ID ist eine Zahl mit Tausenderpunkten oder Nachkommastellen, wie "
    f"Tabellenprogramme sie schreiben. {_ENTER_AGAIN}",
    TagDamage.ROUNDED: "Diese Tag-ID ist eine lange Zahl mit Nullen am Ende: Tabellenprogramme behalten nur 15 "
    f"Stellen. {_ENTER_AGAIN} Endet der Chip wirklich so, dann mit Doppelpunkten schreiben, zum Beispiel 14:11:22:33.",
}

_UNREADABLE_TAGS = {
    UnreadableTag.RANDOM: "Keine Uhr nimmt diese Tag-ID: Vier Bytes, die mit 08 beginnen, würfeln Handys und "
    "Bankkarten bei jedem Kontakt neu. Bitte einen Chip mit fester Nummer nehmen.",
    UnreadableTag.CASCADE: "Keine Uhr nimmt diese Tag-ID: Vier Bytes, die mit 88 beginnen, sind nur der Anfang einer "
    "längeren Nummer. Bitte den Chip noch einmal auslesen und alle 7 oder 10 Bytes eingeben.",
}


def username_taken() -> Problem:
    return conflict("username_taken", "Dieser Benutzername ist in der Firma bereits vergeben.")


def username_missing() -> Problem:
    return invalid("username", "Bitte einen Benutzernamen eingeben.")


def username_too_long(limit: int) -> Problem:
    sentence = f"Zu lang: höchstens {limit} Zeichen, und manches Schriftzeichen zählt mehrfach."
    return invalid("username", sentence, "username_too_long")


def login_incomplete(field: str) -> Problem:
    return invalid(field, "Bitte Firma wählen und Username/Passwort/Tag-ID ausfüllen.")


def of_another_company() -> Problem:
    return invalid("companyId", "companyId nennt eine andere Firma als die der Person.", "contradiction")


def tag_taken() -> Problem:
    return conflict("tag_taken", "Dieser Chip ist bereits einer anderen Person zugeordnet.")


def tag_held_then() -> Problem:
    return conflict("tag_held_then", "Der Chip gehörte zu diesem Zeitpunkt noch einer anderen Person.")


def tag_missing(member: str) -> Problem:
    return invalid(member, "Bitte eine Tag-ID eingeben.")


def tag_malformed(member: str) -> Problem:
    return invalid(
        member, "Die Tag-ID ist ungültig: Der Chip hat 4, 7 oder 10 Bytes, erlaubt sind A–Z, 0–9, Punkt und _."
    )


def tag_damaged(damage: TagDamage) -> Problem:
    return invalid("tagId", _DAMAGED_TAGS[damage], f"tag_{damage.value}")


def tag_unreadable(reason: UnreadableTag) -> Problem:
    return invalid("tagId", _UNREADABLE_TAGS[reason], f"tag_{reason.value}")


def tag_reserved(member: str, tag: str) -> Problem:
    return invalid(member, f"Die Tag-ID {tag} ist reserviert.")


def tag_from_in_future(member: str) -> Problem:
    return invalid(member, "Der Zeitpunkt, ab dem der Chip gilt, darf nicht in der Zukunft liegen.")


def password_refused(refusal: Refusal) -> Problem:
    return invalid("password", refusal.sentence, refusal.code)


def admins_at_operator_only() -> Problem:
    return invalid("role", "System-Admins gehören zur Firma des Betreibers.")


def council_is_employed() -> Problem:
    return invalid("worksCouncil", "Betriebsrat kann nur sein, wer die Rolle Mitarbeiter hat.")


def founder_creates() -> Problem:
    return Problem(403, "founder_only", "Nur Nutzer mit FOUNDER-Tag dürfen einen System-Admin anlegen.")


def founder_assigns() -> Problem:
    return Problem(403, "founder_only", "Nur Nutzer mit FOUNDER-Tag dürfen die Rolle 'System-Admin' zuweisen.")


def protected_delete() -> Problem:
    return Problem(403, "protected_user", "Nutzer kann aus Sicherheitsgründen nicht gelöscht werden")


def not_oneself() -> Problem:
    return conflict("own_user", "Das eigene Konto kann hier nicht gelöscht und in seiner Rolle nicht geändert werden.")
