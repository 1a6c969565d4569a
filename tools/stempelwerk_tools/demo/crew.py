"""The demo's joinery at any size: the twelve, and as many further colleagues as requested.

Pure: the same number makes the same people, and a larger joinery includes all people of a smaller one.
"""

import itertools
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import time

from .people import MAILS, OWNER, PEOPLE, Pattern, Person

MONTHS = 3
MOST_PEOPLE, LEAST_MONTHS, MOST_MONTHS = 1000, 2, 12
"""The limits of the demo's size. With two months at least, one can be closed while the other is open."""

_GIVEN_NAMES = (
    "Jürgen Ayşe Jörg Zofia Karl-Heinz Giulia Hasan Käthe Björn Anne-Marie Tomasz Özlem Uwe Marie-Luise Đorđe Fatima "
    "André Ngọc Günther Sofia Søren Irina René Brigitte Ali Heike João Monika Dirk Elif Volker Chloé Matthias Renate "
    "Rafał Lena Kemal Sabine Łukasz Petra Torben Claire Detlef Ursula Yusuf Birgit Sven Nina Eike Katarzyna "
    "Hans-Jürgen Antje Luís Gesine Marek Wiebke Nils Frauke Hinnerk Silke"
)
_FAMILY_NAMES = (
    "Müller Yılmaz Schäfer Kowalczyk Meyer-Brockmann Nguyễn Köhler Rossi Groß Çelik Möller Wiśniewski Hansen Petrović "
    "Lüders Okafor Jürgensen Ferreira Strauß Kaya Böttcher Popescu Clausen Haddad Größner Novák Thomsen O’Connor "
    "Krüger Şahin Sørensen Björnsson Vogel Horvat Paulsen Traoré Weiß Zieliński Hinrichs Rossi-Krämer Bäcker Tran "
    "Lorenzen Demir Fuß Ivanova Christiansen Arslan Schütt García Claußen Kamiński Matthießen Öztürk Ahrens Dubois "
    "Rühmkorf Szabó Feddersen Koç Brüggemann Lindqvist Harms Mendes Jöhnk Bah Tödter Wójcik Dührkop El-Amrani Kröger"
)
_GIVEN, _FAMILY = _GIVEN_NAMES.split(), _FAMILY_NAMES.split()
_NAMESAKE_EVERY = 40
"""The interval at which a father and a son share one name. Even, because given names of men have even indexes."""
_KINDS = (
    ("Geselle", Pattern.DAY, time(7, 0)),
    ("Montage", Pattern.PLAIN, time(6, 30)),
    ("Geselle", Pattern.PLAIN, time(6, 45)),
    ("Lackiererei", Pattern.DAY, time(7, 0)),
    ("Büro, Teilzeit", Pattern.HALF, time(8, 0)),
    ("Montage", Pattern.PLAIN, time(6, 30)),
    ("CNC, Nachtschicht", Pattern.NIGHT, time(22, 0)),
    ("Lager", Pattern.DAY, time(6, 45)),
    ("Büro", Pattern.DAY, time(7, 30)),
    ("Geselle", Pattern.DAY, time(7, 0)),
    ("Lager, Teilzeit", Pattern.HALF, time(8, 0)),
)
_ASKS_EVERY, _ADMINISTERS_EVERY = 16, 50
_SPELT = {ord(letter): plain for letter, plain in zip("äöüıłđø", ("ae", "oe", "ue", "i", "l", "d", "oe"), strict=True)}


@dataclass(frozen=True)
class Crew:
    """The people of the joinery, and the number of months of history."""

    people: tuple[Person, ...] = PEOPLE
    months: int = MONTHS

    @property
    def employees(self) -> tuple[Person, ...]:
        """All people but the owner."""
        return tuple(person for person in self.people if person is not OWNER)

    @property
    def asking(self) -> tuple[Person, ...]:
        """Returns further colleagues who make requests of their own and are still employed."""
        return tuple(
            person for person in self.people[len(PEOPLE) :: _ASKS_EVERY] if person.stays and person.role == "user"
        )

    @property
    def administrators(self) -> tuple[Person, ...]:
        return tuple(person for person in self.people if person.role == "companyAdmin")

    @property
    def mails(self) -> dict[str, str]:
        """The mail addresses of the people who have logged in before, by name."""
        colleagues = {*self.asking, *self.administrators} - {*PEOPLE}
        return MAILS | {
            person.name: f"{_ascii(person.name)}@holm.example" for person in self.people if person in colleagues
        }


def crew(people: int = len(PEOPLE), months: int = MONTHS) -> Crew:
    """Returns the joinery with this number of people, at least the twelve."""
    names = itertools.islice(_names(), people - len(PEOPLE))
    return Crew((*PEOPLE, *(_colleague(number, name) for number, name in enumerate(names))), months)


def _names() -> Iterator[str]:
    """Yields each pair of a given and a family name once."""
    for number in itertools.count():
        name = f"{_GIVEN[number % len(_GIVEN)]} {_FAMILY[7 * number % len(_FAMILY)]}"
        yield name
        if number % _NAMESAKE_EVERY == 0:
            yield f"{name} jun."


def _colleague(number: int, name: str) -> Person:
    job, pattern, start_time = _KINDS[number % len(_KINDS)]
    if administers := number % _ADMINISTERS_EVERY == _ADMINISTERS_EVERY // 2:
        job, pattern, start_time = "Büro, Personal", Pattern.DAY, time(7, 30)
    return Person(
        name,
        # An odd factor: no two numbers have the same tag. Some tags are short ones.
        f"{(number + 1) * 0x9E3779B1 % 2**28 | 0x50000000:08X}"
        if number % 5 == 2
        else f"04{(number + 1) * 0x1F35A7C9D1B3 % 2**48:012X}",
        job,
        pattern,
        start_time,
        "companyAdmin" if administers else "user",
        came_percent=20 + number % 50 if number % 14 == 5 and not administers else 0,
        left_percent=45 + number % 50 if number % 17 == 9 and not administers else 100,
        ill=number % 4,
        careful=True,
    )


def _ascii(name: str) -> str:
    plain = name.casefold().translate(_SPELT)
    folded = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode().rstrip(".")
    return folded.replace(" ", ".")
