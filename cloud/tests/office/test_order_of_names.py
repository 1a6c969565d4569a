"""Lists of people have one German order, whatever the database's collation, and page by page."""

from typing import Any

from stempelwerk_cloud.planning.facts.tables import Duty

from cloud.tests.databases import ON_BOTH
from cloud.tests.office.people import set_weekly, worked
from cloud.tests.paging import pages
from cloud.tests.room import given
from cloud.tests.world import Firm, World

pytestmark = ON_BOTH

NAMES = ["Abel", "Äbel", "Ängst", "anna", "ben", "Émile", "Emily", "Muller", "Müller", "Öznur", "Paul", "Übel", "Ulf"]
DAY = "2026-11-18"


def _usernames(rows: list[dict[str, Any]]) -> list[str]:
    return [row["username"] for row in rows if row["username"] != "chefin"]


def test_umlauts_stand_with_their_vowels_in_every_list_of_people(firm: Firm, world: World) -> None:
    set_weekly(firm, 2400)
    colleagues = [world.user(firm.id, name) for name in reversed(NAMES) if name not in {"anna", "ben"}]
    people = [firm.anna, firm.ben, *colleagues]
    for person in people:
        worked(person, DAY, "08:00", "12:00")
        given(person, Duty, date=DAY)
        given(person, Duty, date="2026-11-19")
    boss, company = firm.boss, f"/api/companies/{firm.id}"
    firm.boss.put(f"{company}/compensation-config", json={"defaultHourlyCents": 1500})

    for path in ("users", "accounts?month=2026-11", "employee-weekly-targets"):
        assert _usernames(boss.get(f"{company}/{path}").json()) == NAMES, path
    assert _usernames(boss.get(f"{company}/compensation-costs?month=2026-11").json()["items"]) == NAMES
    attendance = boss.get(f"{company}/attendance?date={DAY}").json()
    assert _usernames(attendance["expected"]) == NAMES

    duties = f"{company}/schedule?from={DAY}&to=2026-11-19"
    assert _usernames(boss.get(duties).json()) == NAMES * 2
    for limit in (1, 5):
        assert _usernames([row for page in pages(boss, f"{duties}&limit={limit}") for row in page]) == NAMES * 2

    csv = boss.get(f"{company}/export?month=2026-11&format=csv").content.decode("utf-8-sig").splitlines()
    assert list(dict.fromkeys(line.split(";")[1] for line in csv[1:] if line.split(";")[1] in NAMES)) == NAMES


def test_companies_stand_in_the_same_order(world: World) -> None:
    in_order = ["Abel GmbH", "Ärzte am Ring", "Böhm", "Bohrer AG", "Zöllner"]
    for name in reversed(in_order):
        assert world.founder.post("/api/companies", json={"name": name}).status_code == 201
    rows = world.founder.get("/api/companies").json()
    assert [row["name"] for row in rows if row["name"] in in_order] == in_order
