"""What the device registry refuses."""

from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid


def assignment_overlaps() -> Problem:
    return conflict("assignment_overlaps", "Das Gerät gehörte in dieser Zeit einer anderen Firma.")


def assignment_in_future() -> Problem:
    return invalid("from", "Die Zuordnung darf nicht in der Zukunft beginnen.")
