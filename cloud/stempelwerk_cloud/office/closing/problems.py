"""What calls about a company's end refuse."""

from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.http.problems import Problem


def one_at_a_time() -> Problem:
    return places.busy(
        429, "In deiner Firma wird gerade eine andere Datei erstellt. Bitte gleich noch einmal versuchen."
    )
