"""What the resolving of held stamps refuses."""

from stempelwerk_cloud.kit.problems import Problem, conflict, invalid


def not_held() -> Problem:
    return conflict("not_held", "Dieser Stempel wartet nicht mehr.")


def tag_first() -> Problem:
    return conflict("tag_first", "Bitte zuerst den Tag einer Person zuordnen.")


def taken_in_future() -> Problem:
    return invalid("takenAt", "Die Zeit darf nicht in der Zukunft liegen.")


def release_overlaps() -> Problem:
    return conflict("release_overlaps", "Für diese Zeit sind die Stempel schon einer anderen Firma freigegeben.")


def period_reversed() -> Problem:
    return invalid("to", "Das Ende darf nicht vor dem Anfang liegen.")
