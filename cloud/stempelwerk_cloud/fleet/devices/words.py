"""Errors of the API that the device registry raises."""

from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid

DAYS_LIMIT = 400


def too_many_days() -> Problem:
    return invalid("to", f"Höchstens {DAYS_LIMIT} Tage auf einmal.")


def assignment_overlaps() -> Problem:
    return conflict("assignment_overlaps", "Das Gerät gehörte in dieser Zeit einer anderen Firma.")


def assignment_in_future() -> Problem:
    return invalid("from", "Die Zuordnung darf nicht in der Zukunft beginnen.")


def assignment_long_ago() -> Problem:
    return invalid("from", "Das Datum liegt zu weit zurück.")


def already_withdrawn() -> Problem:
    return conflict("already_withdrawn", "Das Gerät ist schon gesperrt oder außer Betrieb.")


def same_device() -> Problem:
    return invalid("deviceId", "Ein Gerät kann sich nicht selbst ersetzen.")


def no_spare_named() -> Problem:
    return invalid("deviceId", "Nenne das Ersatzgerät: seine Seriennummer oder seine Kennung.")


def spare_unknown() -> Problem:
    return invalid("serial", "Kein Gerät mit dieser Seriennummer ist frei.")


def claim_code_missing() -> Problem:
    return invalid(
        "claimCode",
        "Zur Seriennummer fehlt der Zuordnungscode des Ersatzgeräts: die acht Zeichen unter „Code dieser Uhr“ auf "
        "seinem Display.",
        "claim_code_missing",
    )


def claim_code_wrong() -> Problem:
    return invalid(
        "claimCode",
        "Kein freies Gerät mit dieser Seriennummer hat diesen Zuordnungscode. Lies ihn vom Display des Ersatzgeräts "
        "ab: die acht Zeichen unter „Code dieser Uhr“.",
        "claim_code_wrong",
    )


def spare_ambiguous() -> Problem:
    return conflict(
        "spare_ambiguous",
        "Mehrere Geräte haben diese Seriennummer und diesen Zuordnungscode. Nenne das Ersatzgerät mit seiner Kennung.",
    )


def two_spares_named() -> Problem:
    return invalid("serial", "Seriennummer, Zuordnungscode und Kennung gehören nicht zum selben Gerät.")


def already_replaced() -> Problem:
    return conflict("already_replaced", "Das Gerät ist schon ersetzt. Ersetze das, das jetzt an seiner Stelle steht.")


def spare_in_use() -> Problem:
    return conflict("spare_in_use", "Das Ersatzgerät gehört einer anderen Firma. Löse zuerst seine Zuordnung.")


def owner_changed() -> Problem:
    return conflict("owner_changed", "Die Zuordnung hat sich gerade geändert. Lade die Seite neu.")
