"""Refusals of the calls about hours and weekly targets."""

from stempelwerk_cloud.kit.http.problems import Problem, invalid


def named_twice(index: int) -> Problem:
    return invalid(f"items.{index}.userId", "Diese Person ist schon genannt.")
