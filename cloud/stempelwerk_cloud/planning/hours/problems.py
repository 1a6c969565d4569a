"""What the calls about hours and weekly targets refuse."""

from stempelwerk_cloud.kit.http.problems import Problem, invalid


def named_twice(index: int) -> Problem:
    return invalid(f"items.{index}.userId", "Diese Person ist schon genannt.")
