"""Errors of the calls about a person's records."""

from stempelwerk_cloud.kit.http.problems import Problem, conflict


def still_employed() -> Problem:
    return conflict(
        "still_employed",
        "Die Person ist noch beschäftigt. Trage zuerst einen Austritt ein, der vorbei ist, oder lösche die Person.",
    )


STILL_READ = "Du lädst noch eine Auskunft herunter. Warte, bis sie da ist, oder brich sie ab."
SEVERAL_MADE = "Gerade werden schon mehrere Auskünfte aus deiner Firma erstellt."
