"""Refusals about company holidays."""

from stempelwerk_cloud.kit.http.problems import Problem, conflict


def overlaps() -> Problem:
    return conflict("overlap", "In diesem Zeitraum sind schon Betriebsferien eingetragen.")


def all_passed() -> Problem:
    return conflict("all_passed", "Diese Betriebsferien sind schon vorbei.")
