"""The invented people of the demo's joinery: names, tags, and each person's daily pattern.

The twelve are listed here by name; a larger joinery has further colleagues, who are made by number (`crew.py`).
"""

from dataclasses import dataclass
from datetime import time
from enum import StrEnum
from typing import Literal

COMPANY = "Tischlerei Holm"
PASSWORD = "Hobelbank26"  # noqa: S105 - the demo listens on this machine only, and prints it
OPERATOR_COMPANY = "Plattform"
OPERATOR_USER = "Betreiber"
OPERATOR_MAIL = "betreiber@plattform.example"
ZONE = "Europe/Berlin"
REGION = "DE-SH"


class Pattern(StrEnum):
    """The pattern of a person's working days."""

    DAY = "day"  # stamps the midday break
    PLAIN = "plain"  # comes and goes, the break is deducted
    HALF = "half"
    NIGHT = "night"


@dataclass(frozen=True)
class Person:
    """A person of the joinery. `tag` is the number printed on the back; `starts_at` is local time.

    `came_percent`, `left_percent`: entry and exit within the history; 0 and 100 mean always employed. `ill`: times a
    year. `careful`: keeps public holidays and forgets less, and what was forgotten before the last two weeks is already
    corrected.
    """

    name: str
    tag: str
    job: str
    pattern: Pattern
    starts_at: time
    role: Literal["user", "companyAdmin"] = "user"
    came_percent: int = 0
    left_percent: int = 100
    ill: int = 0
    careful: bool = False

    @property
    def stays(self) -> bool:
        """Whether the person is employed throughout the history and still."""
        return (self.came_percent, self.left_percent) == (0, 100)

    @property
    def department(self) -> str:
        """The first word of the job; masters, journeymen and apprentices belong to the workshop."""
        word = self.job.split(",")[0]
        return word if word in ("Montage", "CNC", "Büro", "Lager", "Lackiererei") else "Werkstatt"


PEOPLE = (
    Person(
        "Ingrid Holm", "047B1E92C34D80", "Inhaberin, verwaltet die Firma", Pattern.PLAIN, time(7, 30), "companyAdmin"
    ),
    Person("Anna Brandt", "04A1B2C3D4E5F6", "Gesellin", Pattern.DAY, time(7, 0)),
    Person("Jan Petersen", "04D3F1028A6C80", "Meister", Pattern.DAY, time(6, 45)),
    Person("Mehmet Aydin", "0452C9A16B3E81", "Geselle", Pattern.DAY, time(7, 0)),
    Person("Lukas Schröder", "9C4E21B7", "Geselle", Pattern.PLAIN, time(7, 0)),
    Person("Svenja Albers", "0418E2D5774A80", "Montage", Pattern.PLAIN, time(6, 30)),
    Person("Piotr Nowak", "5A0F93C6", "Montage", Pattern.PLAIN, time(6, 30)),
    Person("Thomas Behrens", "04C6713D5E2A80", "CNC, Nachtschicht", Pattern.NIGHT, time(22, 0)),
    Person("Olga Weber", "04E88B0F1D6C80", "CNC, Nachtschicht", Pattern.NIGHT, time(22, 0)),
    Person("Finn Jansen", "041F5A9C2B7D80", "Auszubildender", Pattern.DAY, time(7, 15)),
    Person("Mia Lorenz", "0491D4E36A5B82", "Auszubildende", Pattern.DAY, time(7, 15)),
    Person("Karin Thiele", "0412345678ABCDEF9012", "Büro, Teilzeit", Pattern.HALF, time(8, 0)),
)
NEIGHBOUR = "Malerei Sommer"
NEIGHBOURS_OWNER = Person(
    "Kurt Sommer", "04B77D20F15C80", "Inhaber, dessen Uhr Ärger macht", Pattern.PLAIN, time(7, 0), "companyAdmin"
)
EMPLOYEE = PEOPLE[1]
OWNER = PEOPLE[0]
STRANGER = "0477C1D20E5B80"
"""A tag that is held to the clock but not assigned: it belongs to a new employee who has not been entered yet."""
# These have logged in before: their codes go to linked addresses. Their colleagues first link one.
MAILS = {
    EMPLOYEE.name: "anna.brandt@holm.example",
    OWNER.name: "ingrid.holm@holm.example",
    "Jan Petersen": "jan.petersen@holm.example",
    "Svenja Albers": "svenja.albers@holm.example",
}
# They have not stamped on the day the demo is made, so that a visitor begins with "Kommen".
FREE_TODAY = frozenset({EMPLOYEE.name, "Finn Jansen", "Mia Lorenz"})
