"""Refusals about notices."""

from stempelwerk_cloud.kit.http.problems import Problem, conflict


def nothing_lapses() -> Problem:
    sentence = "Lege zuerst in der Urlaubsregelung fest, bis wann Resturlaub genommen werden muss."
    return conflict("nothing_lapses", sentence)


def too_early() -> Problem:
    return conflict("too_early", "Dieses Urlaubsjahr hat noch nicht begonnen.")


def too_late() -> Problem:
    return conflict("too_late", "Die Frist für diesen Urlaub ist schon vorbei.")
