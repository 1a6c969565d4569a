"""Why a signature was refused: in the service's log and never in the answer, with the address that was expected."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from structlog.testing import capture_logs

from cloud.tests.device_client import HOST, STAMPS, Clock, sign
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import ANNA, MORNING, Site
from cloud.tests.world import World

PUBLIC = "https://zeit.example"
SAID = "Die Anfrage ist nicht gültig unterschrieben."
PEOPLE = "/api/devices/people"
ENROL = "/api/devices/enroll"


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """The database plays no part here."""
    return sqlite_url


def _refused(call: Callable[[], Any]) -> dict[str, Any]:
    """The line that the log has of a call, which is answered 401 and with nothing of it."""
    with capture_logs() as lines:
        answer = call()
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["detail"]) == (401, "bad_signature", SAID)
    assert set(problem) == {"type", "title", "status", "detail", "code", "message"}
    (line,) = [line for line in lines if line["event"] == "signature_refused"]
    assert (line["log_level"], line["client"]) == ("warning", "testclient")
    return {name: value for name, value in line.items() if name not in {"event", "log_level", "client"}}


def _is_public(site: Site, url: str = PUBLIC) -> None:
    platform = site.world.platform
    platform.settings = platform.settings.model_copy(update={"public_url": url})


def _headers(device: Clock, uri: str, method: str = "GET", body: bytes = b"") -> dict[str, str]:
    return sign(device.key, device.keyid, method, uri, body, int(device.now.now().timestamp()), "n")


def _people(site: Site, uri: str, called: str = PEOPLE, **headers: str) -> Any:
    """Asks for the people by a request that is signed for this address."""
    return site.world.client.get(called, headers=_headers(site.device, uri) | headers)


@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        ({}, "no signature"),
        ({"Signature-Input": "sig1=(", "Signature": "sig1=:AA==:"}, "unreadable header"),
        ({"Signature-Input": 'sig2=("@method")', "Signature": "sig2=:AA==:"}, "no readable sig1"),
        ({"Signature-Input": 'sig1=("@method");created=1', "Signature": "sig1=:AA==:"}, "created, nonce or keyid"),
    ],
)
def test_what_cannot_be_read_is_named(site: Site, headers: dict[str, str], reason: str) -> None:
    assert _refused(lambda: site.world.client.get(PEOPLE, headers=headers)) == {"reason": reason}


def test_a_changed_body_is_named_and_nothing_of_it(site: Site) -> None:
    device = site.device
    headers, body = device.signed(device.batch(device.tap(ANNA, MORNING)))
    lines = _refused(lambda: site.world.client.post(STAMPS, content=body + b" ", headers=headers))
    assert lines == {"reason": "content-digest", "keyid": device.keyid}


def test_what_a_header_names_makes_no_line_longer_than_it_need_be(site: Site) -> None:
    name = "x" * 5000
    parameters = f';created=1;nonce="n";keyid="{site.device.keyid}";alg="ed25519"'
    headers = {"Signature-Input": f'sig1=("@method" "@target-uri" "{name}"){parameters}', "Signature": "sig1=:AA==:"}
    lines = _refused(lambda: site.world.client.get(PEOPLE, headers=headers))
    assert lines == {"reason": f"no {name}"[:100], "keyid": site.device.keyid}


def test_another_address_than_the_public_one_is_called(site: Site) -> None:
    _is_public(site)
    assert _refused(lambda: _people(site, f"{HOST}{PEOPLE}")) == {
        "reason": "signature",
        "keyid": site.device.keyid,
        "expected": f"{PUBLIC}{PEOPLE}",
        "called": f"{HOST}{PEOPLE}",
        "effect": "the clock calls another address than STEMPELWERK_PUBLIC_URL",
    }


def test_no_line_has_a_query(site: Site) -> None:
    _is_public(site)
    for signed, called in ((f"{PEOPLE}?since=SECRET", f"{PEOPLE}?since=SECRET"), (f"{PEOPLE}?", PEOPLE)):
        lines = _refused(lambda signed=signed, called=called: _people(site, HOST + signed, called))
        assert (lines["expected"], lines["called"]) == (f"{PUBLIC}{PEOPLE}", f"{HOST}{PEOPLE}")


def test_only_what_the_clock_has_signed_is_called_its_address(site: Site) -> None:
    _is_public(site)
    lines = _refused(lambda: _people(site, f"http://third.example{PEOPLE}", Host="forged.example"))
    assert lines == {"reason": "signature", "keyid": site.device.keyid, "expected": f"{PUBLIC}{PEOPLE}"}


def test_without_a_public_address_that_of_the_request_was_expected(site: Site) -> None:
    lines = _refused(lambda: _people(site, f"{PUBLIC}{PEOPLE}", Host="zeit.example"))
    assert lines == {"reason": "signature", "keyid": site.device.keyid, "expected": f"http://zeit.example{PEOPLE}"}


def test_a_batch_among_others_is_told_too(site: Site) -> None:
    _is_public(site)
    device = site.device
    body = json.dumps(device.batch(device.tap(ANNA, MORNING))).encode()
    headers = _headers(device, HOST + STAMPS, "POST", body)
    lines = _refused(lambda: site.world.client.post(STAMPS, content=body, headers=headers))
    assert (lines["expected"], lines["called"]) == (PUBLIC + STAMPS, HOST + STAMPS)
    assert site.times() == []


def test_what_is_accepted_logs_nothing(site: Site) -> None:
    with capture_logs() as lines:
        site.device.deliver(site.device.tap(ANNA, MORNING))
        assert site.device.send("GET", f"{PEOPLE}?").status_code == 200
    assert [line for line in lines if line["event"] == "signature_refused"] == []


# -- enrolment without its texts, which tests for a clock whether its address fits


def test_an_enrolment_of_another_key_is_refused_before_its_texts_are_judged(world: World, clock: SettableClock) -> None:
    thief, victim = Clock(world.client, clock), Clock(world.client, clock, "SW-2")
    body = json.dumps({"proto": 1, "publicKey": "A" * 43 + "="}).encode()
    lines = _refused(
        lambda: world.client.post(ENROL, content=body, headers=_headers(thief, HOST + ENROL, "POST", body))
    )
    assert lines == {"reason": "keyid"}
    assert victim.enrol().status_code == 200


def test_an_enrolment_without_texts_says_that_the_address_is_another(site: Site) -> None:
    _is_public(site)
    stranger = Clock(site.world.client, site.clock, "SW-9")
    lines = _refused(lambda: stranger.enrol(serial=None, mac=None, profile=None, version=None, hardwareId=None))
    assert (lines["expected"], lines["called"]) == (PUBLIC + ENROL, HOST + ENROL)


def test_an_enrolment_without_texts_says_that_the_address_fits_and_enrols_nobody(
    world: World, clock: SettableClock
) -> None:
    stranger = Clock(world.client, clock)
    answer = stranger.enrol(serial=None, mac=None, profile=None, version=None, hardwareId=None)
    assert (answer.status_code, answer.json()["code"]) == (422, "unreadable_enrolment")
    assert world.founder.get("/api/devices").json() == []


@pytest.mark.parametrize(
    ("change", "code"),
    [({"proto": 2}, "unknown_proto"), ({"publicKey": None}, "unreadable_enrolment")],
)
def test_what_is_needed_to_verify_is_judged_before_the_signature(
    world: World, clock: SettableClock, change: dict[str, object], code: str
) -> None:
    stranger = Clock(world.client, clock)
    body = json.dumps({"proto": 1, "publicKey": "A" * 43 + "="} | change).encode()
    headers = _headers(stranger, "http://third.example/", "POST", body)
    answer = world.client.post(ENROL, content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
