"""Refusals of resolving held stamps."""

from datetime import datetime, timedelta

from stempelwerk_cloud.domain.instants import MINUTE
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid


def not_held() -> Problem:
    return conflict("not_held", "Dieser Stempel wartet nicht mehr.")


def tag_first() -> Problem:
    return conflict("tag_first", "Bitte zuerst den Chip einer Person zuordnen.")


def taken_in_future() -> Problem:
    return invalid("takenAt", "Die Zeit darf nicht in der Zukunft liegen.")


def taken_outside(first: datetime, last: datetime) -> Problem:
    """Returns 422 with the earliest and the latest possible time of the stamp (local, both allowed).

    The sentence names whole minutes, because that is what people enter.
    """
    earliest, latest = _minute(first + MINUTE - timedelta(microseconds=1)), _minute(last)
    return invalid("takenAt", f"Dieser Stempel kann frühestens {earliest} und spätestens {latest} entstanden sein.")


def release_overlaps() -> Problem:
    return conflict("release_overlaps", "Für diese Zeit sind die Stempel schon einer anderen Firma freigegeben.")


def adoption_overlaps() -> Problem:
    return conflict(
        "release_overlaps",
        "Stempel dieser Uhr aus dieser Zeit sind schon einer anderen Firma freigegeben. Wähle einen späteren "
        "Zeitpunkt, oder lass „Gilt ab“ leer.",
    )


def period_reversed() -> Problem:
    return invalid("to", "Das Ende darf nicht vor dem Anfang liegen.")


def _minute(local: datetime) -> str:
    return f"am {german.written_day(local)} um {local:%H:%M} Uhr"
