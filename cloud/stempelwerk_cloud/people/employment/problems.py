"""What the calls about employments refuse."""

from stempelwerk_cloud.kit.http.problems import Problem, invalid


def exit_before_entry() -> Problem:
    return invalid("exitDate", "Der Austritt liegt vor dem Eintritt.")
