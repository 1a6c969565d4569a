"""Refusals of the employment calls, and names of weekdays in the audit log."""

from collections.abc import Sequence
from datetime import date

from stempelwerk_cloud.kit.http.problems import Problem, invalid


def account_before_entry() -> Problem:
    return invalid("accountFrom", "Das Zeitkonto kann nicht vor dem Eintritt beginnen.")


def exit_before_entry() -> Problem:
    return invalid("exitDate", "Der Austritt liegt vor dem Eintritt.")


def duplicate_numbers(user_ids: Sequence[str]) -> Problem:
    """Builds the refusal. `userIds`: the people whose numbers another person would have too."""
    sentence = "Eine Personalnummer gehört dann zwei Personen. Gespeichert wurde nichts."
    return Problem(409, "duplicate_personnel_number", sentence, extra={"userIds": sorted(user_ids)})


def plans_after_exit(open_plans: Sequence[tuple[str, str, date]]) -> Problem:
    """Builds the refusal. `plans`: kind, id and first day (`date`) of each, by day."""
    in_order = sorted(open_plans, key=lambda plan: (plan[2], plan[0], plan[1]))
    plans = [{"kind": kind, "id": id_, "date": day.isoformat()} for kind, id_, day in in_order]
    sentence = "Nach dem Austritt liegen noch Dienste, Anträge, Urlaub, Abwesenheiten oder Übergaben."
    return Problem(409, "plans_after_exit", sentence, extra={"plans": plans})


WEEKDAYS = ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So")
"""Labels by the weekday's number."""
