"""Consent to the privacy notice, and the papers about the processing of a company's data."""

from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import pytest
from pypdf import PdfReader
from stempelwerk_cloud.app import KEEPS, SETTINGS
from stempelwerk_cloud.kit.limits import machine_semaphore
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.subprocesses import subprocess_render
from stempelwerk_cloud.timekeeping.ledger.settings import HOLIDAY_REGION, REGIONS

from cloud.tests.office.people import set_company
from cloud.tests.room import logged
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import Site
from cloud.tests.world import Firm

AGREED = {"accepted": True, "version": "v1.0", "acceptedAt": "2031-01-01T00:00:00.000Z"}
NOT_YET = {"accepted": False, "version": "v1.0", "acceptedAt": None, "acceptedBy": None}


def _consent(firm: Firm) -> str:
    return f"/api/companies/{firm.id}/privacy-consent"


@pytest.mark.parametrize(
    ("body", "field"),
    [({"accepted": False, "version": "v1.0"}, "accepted"), ({"accepted": True, "version": "v0.9"}, "version")],
)
def test_what_is_no_agreement_to_this_version_is_refused(firm: Firm, body: dict[str, object], field: str) -> None:
    answer = firm.boss.put(_consent(firm), json=body)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, field)
    assert firm.boss.get(_consent(firm)).json() == NOT_YET


def test_the_servers_time_is_kept_and_no_other(firm: Firm, clock: SettableClock) -> None:
    now = clock.now()
    answer = firm.boss.put(_consent(firm), json=AGREED).json()
    assert answer["acceptedAt"][:19] == now.isoformat()[:19]
    assert answer["acceptedBy"] == "chefin"
    clock.advance(days=3)
    firm.boss = firm.world.again(firm.boss)
    second = firm.boss.put(_consent(firm), json=AGREED).json()
    assert second == answer == firm.boss.get(_consent(firm)).json()
    assert logged(firm.world, firm.id, "privacy.") == ["privacy.accepted"]
    elsewhere = firm.world.firm("Andere GmbH")
    assert elsewhere.boss.get(_consent(elsewhere)).json() == NOT_YET


def test_of_two_who_agree_at_once_one_is_written_down(firm: Firm) -> None:
    with ThreadPoolExecutor(2) as pool:
        answers = [answer.json() for answer in pool.map(lambda _: firm.boss.put(_consent(firm), json=AGREED), range(2))]
    assert answers[0] == answers[1]
    assert logged(firm.world, firm.id, "privacy.") == ["privacy.accepted"]


def _paper(firm: Firm, name: str) -> str:
    answer = firm.boss.get(f"/api/companies/{firm.id}/documents/{name}.pdf")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/pdf"
    return " ".join(" ".join(page.extract_text() for page in PdfReader(BytesIO(answer.content)).pages).split())


def test_a_paper_waits_for_no_more_than_its_place(
    platform: Platform, firm: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess_render, "PATIENCE_S", 0)
    place = machine_semaphore.try_take(platform, [f"paper of {firm.id} {firm.boss.id}"])
    assert place is not None
    path = f"/api/companies/{firm.id}/documents/verfahrensdokumentation.pdf"
    with place:
        refused = firm.boss.get(path)
        assert (refused.status_code, refused.json()["code"]) == (429, "files_busy")
    assert firm.boss.get(path).status_code == 200


def test_there_is_no_other_paper(firm: Firm) -> None:
    assert firm.boss.get(f"/api/companies/{firm.id}/documents/impressum.pdf").status_code == 404


def test_the_procedure_names_what_the_company_has_set(site: Site) -> None:
    firm = site.firm
    firm.boss = site.boss
    for name, value in (("break_policy", '"none"'), ("holiday_region", '"DE-BY"'), ("max_shift_hours", "12")):
        set_company(firm, name, value)
    text = _paper(firm, "verfahrensdokumentation")
    for sentence in (
        firm.name,
        "kein Abzug",
        "Bayern (DE-BY)",
        "(Stunden) 12",
        "Europe/Berlin",
        "SW-T-1",
        "Fehlerlog",
        "7 Tage",
    ):
        assert sentence in text
    assert "Andere GmbH" not in text


def test_every_land_has_its_name() -> None:
    regions = HOLIDAY_REGION.among or set()
    assert {HOLIDAY_REGION.in_words(region) for region in regions} == {
        f"{REGIONS[region.removeprefix('DE-')]} ({region})" for region in regions
    }
    assert len(set(REGIONS.values())) == len(regions) == 16


def test_the_contract_names_both_sides_and_marks_what_nobody_said(firm: Firm) -> None:
    platform = firm.world.platform
    assert "[Erika Mustermann]" in _paper(firm, "auftragsverarbeitung")
    platform.settings = platform.settings.model_copy(update={"imprint_name": "Werk GbR", "imprint_represented": "Ida"})
    text = _paper(firm, "auftragsverarbeitung")
    assert f"Auftraggeber (Verantwortlicher): {firm.name}" in text
    assert "Werk GbR" in text
    assert "Mustermann" not in text


@pytest.mark.parametrize("name", ["verfahrensdokumentation", "auftragsverarbeitung"])
def test_both_papers_say_how_long_times_and_notes_are_kept_as_the_company_has_set_it(firm: Firm, name: str) -> None:
    set_company(firm, "times_years", "5")
    set_company(firm, "sick_note_months", "7")
    text = _paper(firm, name)
    assert "(ab dem Ende ihres Jahres mindestens) 5 Jahre" in text
    assert "Bescheinigungen zu Krankmeldungen (nach der Entscheidung) 7 Monate" in text
    assert text.index("Übergabeanfragen 2 Jahre") < text.index("Verlauf der Uhren 90 Tage")


def test_the_procedure_is_signed_by_the_company_alone_and_the_contract_by_both(firm: Firm) -> None:
    procedure, contract = (_paper(firm, name) for name in ("verfahrensdokumentation", "auftragsverarbeitung"))
    assert "Erika Mustermann" not in procedure.partition("Ort, Datum, Unterschrift")[2]
    assert "Erika Mustermann" in contract.partition("Ort, Datum, Unterschrift")[2]
    assert "Den Monat prüfen und sperren" in procedure


def test_every_setting_and_every_period_has_its_words() -> None:
    assert all(setting.label for setting in SETTINGS)
    assert all(keep.period.line for keep in KEEPS if keep.period is not None)
