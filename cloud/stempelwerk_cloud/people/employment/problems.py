"""What the calls about employments refuse."""

from stempelwerk_cloud.kit.http.problems import Problem, invalid


def account_before_entry() -> Problem:
    return invalid("accountFrom", "Das Zeitkonto kann nicht vor dem Eintritt beginnen.")


def exit_before_entry() -> Problem:
    return invalid("exitDate", "Der Austritt liegt vor dem Eintritt.")
