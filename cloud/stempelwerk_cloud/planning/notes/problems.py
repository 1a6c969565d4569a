"""What the notes' calls refuse."""

from stempelwerk_cloud.kit.http.problems import Problem, invalid


def empty() -> Problem:
    return invalid("text", "Bitte eine Notiz eingeben.")
