"""What reading a company's data refuses."""

from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.http.problems import Problem


def one_at_a_time() -> Problem:
    return places.busy(429, "Die Daten deiner Firma werden gerade schon gelesen. Bitte gleich noch einmal versuchen.")


def too_many() -> Problem:
    return places.busy(503, "Gerade lesen schon mehrere Firmen ihre Daten. Bitte gleich noch einmal versuchen.")
