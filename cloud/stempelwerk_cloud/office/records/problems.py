"""What calls about a person's records refuse."""

from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.http.problems import Problem, conflict


def still_employed() -> Problem:
    return conflict(
        "still_employed",
        "Die Person ist noch beschäftigt. Trage zuerst einen Austritt ein, der vorbei ist, oder lösche die Person.",
    )


def one_at_a_time() -> Problem:
    return places.busy(
        429, "In deiner Firma wird gerade eine andere Auskunft erstellt. Bitte gleich noch einmal versuchen."
    )
