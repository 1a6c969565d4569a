"""A tag is given from a held stamp as it is given to a person's login: to the same people, and for the same times."""

from typing import Any

import pytest
from httpx2 import Response
from stempelwerk_cloud.people.directory.callers import COMPANY_ADMIN, USER

from cloud.tests.stamping import MORNING, NOBODY, Site, hours
from cloud.tests.world import Firm, Somebody, World

NOW = "2026-11-20T08:00:00Z"


@pytest.fixture
def staff(world: World) -> Somebody:
    """A companyAdmin of the operator's company who is no system administrator."""
    return world.user(world.operator_id, "personal", COMPANY_ADMIN)


def _give(giver: Somebody, company_id: str, user_id: str, tag: str = NOBODY, valid_from: str = NOW) -> Response:
    body = {"tag": tag, "userId": user_id, "from": valid_from}
    return giver.post(f"/api/companies/{company_id}/held-stamps/assign", json=body)


def _refused(answer: Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def _status_and_code(answer: Response) -> tuple[int, Any]:
    return answer.status_code, [error["field"] for error in answer.json()["errors"]]


def test_who_does_not_see_a_system_administrator_gives_them_no_tag(world: World, staff: Somebody) -> None:
    for hidden in (world.founder, world.admin()):
        assert _refused(_give(staff, world.operator_id, hidden.id)) == (404, "not_found")
    colleague = world.user(world.operator_id, "kollegin", USER)
    assert _give(staff, world.operator_id, colleague.id).json() == {"booked": 0}


def test_nobody_gives_a_tag_to_somebody_protected(world: World) -> None:
    answer = _give(world.founder, world.operator_id, world.founder.id)
    changed = world.founder.put(f"/api/users/{world.founder.id}", json={"tagId": NOBODY})
    assert _refused(answer) == _refused(changed) == (403, "protected_user")
    assert answer.json()["detail"] == changed.json()["detail"]


def test_a_person_of_another_company_gets_no_tag_here(world: World, firm: Firm) -> None:
    other_firm = world.firm("Andere")
    for giver in (world.founder, firm.boss):
        assert _refused(_give(giver, firm.id, other_firm.anna.id)) == (404, "not_found")
    assert _give(other_firm.boss, other_firm.id, other_firm.anna.id).status_code == 200


def test_no_tag_is_given_for_a_time_to_come(firm: Firm) -> None:
    to_come = _give(firm.boss, firm.id, firm.anna.id, valid_from="2099-01-01T00:00:00Z")
    assert _status_and_code(to_come) == (422, ["from"])
    assert _give(firm.boss, firm.id, firm.ben.id).json() == {"booked": 0}, "nobody holds it"


def test_a_clock_that_is_a_little_ahead_gives_the_tag_now(site: Site) -> None:
    soon = (MORNING + hours(12)).replace(second=30).isoformat().replace("+00:00", "Z")
    assert _give(site.boss, site.firm.id, site.firm.anna.id, valid_from=soon).json() == {"booked": 0}
    (entry,) = site.boss.get(f"/api/companies/{site.firm.id}/audit?action=stamps.tag_given").json()
    assert entry["after"]["from"] == "2026-11-20T18:00:00.000Z"


@pytest.mark.parametrize("tag", [" ", "kein Chip!", "FOUNDER"])
def test_what_is_no_tag_is_refused_under_its_name(firm: Firm, tag: str) -> None:
    assert _status_and_code(_give(firm.boss, firm.id, firm.anna.id, tag=tag)) == (422, ["tag"])


def test_a_tag_that_a_clock_has_read_is_given_even_if_it_resembles_a_rounded_number(firm: Firm) -> None:
    assert _give(firm.boss, firm.id, firm.anna.id, tag="14112233445566700000").json() == {"booked": 0}
