"""Refusals of the calls about free days."""

from stempelwerk_cloud.kit.http.problems import Problem, invalid


def other_year(index: int) -> Problem:
    return invalid(f"days.{index}.date", "Der Tag liegt nicht in diesem Jahr.")


def named_twice(index: int) -> Problem:
    return invalid(f"days.{index}.date", "Dieser Tag ist schon genannt.")
