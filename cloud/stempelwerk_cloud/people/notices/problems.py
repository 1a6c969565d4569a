"""Refusals of the room, in German."""

from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid


def not_public() -> Problem:
    return invalid(
        "endpoint",
        "Diese Adresse ist für Push-Nachrichten nicht zulässig. Erlaubt sind https-Adressen öffentlicher Push-Dienste.",
    )


def no_address() -> Problem:
    return conflict(
        "no_mail_address",
        "Mit deinem Konto ist keine E-Mail-Adresse verknüpft. Benachrichtigungen per E-Mail sind so nicht möglich.",
    )
