"""The public pages' details of an installation: its operator, remaining samples, and refused values."""

from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi.testclient import TestClient
from stempelwerk_cloud.__main__ import main
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.site import service

from cloud.tests.settable_clock import SettableClock

OWN: dict[str, Any] = {
    "imprint_name": "Holz & Söhne GmbH",
    "imprint_represented": "Hanna Holz",
    "imprint_street": "Werkstraße 7",
    "imprint_city": "10115 Berlin",
    "imprint_email": "hallo@holz.example",
    "imprint_phone": "030 123 45-67",
    "imprint_register": "Amtsgericht Charlottenburg, HRB 1",
    "imprint_vat_id": "DE123456789",
    "imprint_host": "Rechenhaus AG, Berlin",
    "imprint_authority": "Berliner Beauftragte für Datenschutz",
}


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """Uses SQLite only: the database is irrelevant here."""
    return sqlite_url


def _set(platform: Platform, **values: Any) -> None:
    platform.settings = Settings(**platform.settings.model_dump() | values)


def _site(client: TestClient, **headers: str) -> dict[str, Any]:
    answer = client.get("/api/site", headers=headers)
    assert answer.status_code == 200, answer.text
    site: dict[str, Any] = answer.json()
    return site


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("IMPRINT_NAME", "Holz\nSet-Cookie: x"),
        ("IMPRINT_STREET", "Werk\x00straße"),
        ("IMPRINT_CITY", "Ber\u2028lin"),
        ("IMPRINT_HOST", "x" * 501),
        ("IMPRINT_EMAIL", "hallo"),
        ("IMPRINT_EMAIL", "hallo@holz.example, b@holz.example"),
        ("IMPRINT_PRIVACY_EMAIL", "Hanna <hallo@holz.example>"),
        ("IMPRINT_PHONE", "ruf an"),
        ("IMPRINT_PHONE", "+49"),
        ("INQUIRY_EMAIL", "hallo@holz.example\nBcc: b@holz.example"),
    ],
)
def test_what_cannot_stand_on_a_page_is_refused_at_the_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str
) -> None:
    if "\0" in value:
        with pytest.raises(ValueError, match="control characters"):
            Settings(imprint_street=value)
        return
    monkeypatch.setenv(f"STEMPELWERK_{name}", value)
    assert main(["migrate"]) == 1
    error_text = capsys.readouterr().err
    assert error_text.startswith(f"STEMPELWERK_{name}: ")
    assert " expected" in error_text
    assert len(error_text.splitlines()) == 1


def test_an_installation_that_says_nothing_shows_samples_that_are_told_to_be_some(client: TestClient) -> None:
    site = _site(client)
    operator = site["operator"]
    assert site["complete"] is False
    assert operator["country"] == {"text": "Deutschland", "sample": False}
    assert {name for name, entry in operator.items() if not entry["sample"]} == {"country"}
    assert operator["name"]["text"] == "Stempelwerk (in Gründung)"
    assert operator["street"]["text"] == "Musterstraße 1"
    assert operator["city"]["text"] == "12345 Musterstadt"
    assert operator["email"]["text"] == operator["privacyEmail"]["text"] == "kontakt@stempelwerk.example"
    assert (operator["phone"]["text"], operator["phoneUri"]["text"]) == ("+49 30 0000000", "tel:+49300000000")
    assert operator["register"]["text"] == operator["vatId"]["text"] == "wird ergänzt"


def test_blank_is_as_if_nothing_were_said(client: TestClient, platform: Platform) -> None:
    site_before = _site(client)
    _set(platform, **dict.fromkeys(OWN, "  "), inquiry_email=" ", imprint_country="", imprint_privacy_email="")
    assert _site(client)["operator"] == site_before["operator"]
    assert _site(client)["inquiries"] is False


def test_what_the_operator_says_is_shown_and_is_no_sample(client: TestClient, platform: Platform) -> None:
    _set(platform, **OWN, inquiry_email="anfragen@holz.example")
    site = _site(client)
    assert (site["complete"], site["inquiries"]) == (True, True)
    assert site["operator"]["name"] == {"text": "Holz & Söhne GmbH", "sample": False}
    assert site["operator"]["privacyEmail"] == {"text": "hallo@holz.example", "sample": False}
    _set(platform, imprint_privacy_email="daten@holz.example", imprint_vat_id=None)
    site = _site(client)
    assert site["complete"] is False
    assert site["operator"]["privacyEmail"] == {"text": "daten@holz.example", "sample": False}
    assert [name for name, entry in site["operator"].items() if entry["sample"]] == ["vatId"]


def test_the_operators_own_company_in_the_database_is_something_else(client: TestClient, platform: Platform) -> None:
    _set(platform, operator="Plattform Nord")
    assert "Plattform Nord" not in client.get("/api/site").text


@pytest.mark.parametrize(
    ("number", "dialled"),
    [
        ("030 123 45-67", "tel:+49301234567"),
        ("+49 (0)30 1234567", "tel:+49301234567"),
        ("0049 30/1234567", "tel:+49301234567"),
        ("+43 1 58858", "tel:+43158858"),
        ("(030) 12 34 567", "tel:+49301234567"),
    ],
)
def test_a_number_can_be_dialled_however_it_is_written(number: str, dialled: str) -> None:
    assert service.phone_uri(number) == dialled


def test_today_is_the_day_in_berlin(client: TestClient, clock: SettableClock) -> None:
    clock.set(datetime(2026, 11, 23, 22, 59, tzinfo=UTC))
    assert (_site(client)["today"], _site(client)["todayText"]) == ("2026-11-23", "23. November 2026")
    clock.set(datetime(2027, 2, 28, 23, 0, tzinfo=UTC))
    assert (_site(client)["today"], _site(client)["todayText"]) == ("2027-03-01", "1. März 2027")


@pytest.mark.parametrize(
    "host",
    ['x"><script>alert(1)</script>', "zeit.example.de/evil", "a b", "zeit.example.de:99999x", "user@evil", "[::1"],
)
def test_a_host_that_is_none_is_not_repeated(client: TestClient, host: str) -> None:
    assert _site(client, host=host)["origin"] == "http://localhost"


@pytest.mark.parametrize("host", ["zeit.example.de", "zeit.example.de:8443", "127.0.0.1:8000", "[::1]:8000"])
def test_without_a_public_address_it_is_where_the_request_came_to(client: TestClient, host: str) -> None:
    assert _site(client, host=host)["origin"] == f"http://{host}"


def test_the_public_address_stands_whatever_a_request_says(client: TestClient, platform: Platform) -> None:
    _set(platform, public_url="https://zeit.holz.example/")
    assert _site(client, host="evil.example")["origin"] == "https://zeit.holz.example"
