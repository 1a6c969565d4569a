"""What the users' calls refuse."""

from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid


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


def tag_reserved(member: str, tag: str) -> Problem:
    return invalid(member, f"Die Tag-ID {tag} ist reserviert.")


def tag_from_in_future(member: str) -> Problem:
    return invalid(member, "Der Zeitpunkt, ab dem der Chip gilt, darf nicht in der Zukunft liegen.")


def password_refused(sentence: str) -> Problem:
    return invalid("password", sentence)


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
