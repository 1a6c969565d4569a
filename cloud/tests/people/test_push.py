"""Web push goes only to public hosts, over TLS, with our key and without content, and follows no redirects."""

import base64
import json
import ssl
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path

import pytest
import trustme
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from hypothesis import given
from hypothesis import strategies as st
from py_vapid import Vapid02, jwt
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.outbox import PermanentFailure, RetryLater
from stempelwerk_cloud.kit.outward import NoTarget, NotPublic, NotReached, Outward, Target, is_public, target_of
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.notices.push.pushing import PUSHING, Gone, Pushing, contact_of, seconds_until
from stempelwerk_cloud.people.notices.push.vapid import KEY_FILE, PushKey

from cloud.tests.people.push_service import HOST, PushService
from cloud.tests.settable_clock import START

ENDPOINT = f"https://{HOST}/send/abc?x=1"
PUBLIC = ["1.1.1.1", "8.8.8.8", "93.184.215.14", "100.63.255.255", "172.32.0.1", "192.0.1.1", "223.255.255.254"]
PUBLIC_6 = ["2606:4700:4700::1111", "2a00:1450:4001:82b::200a", "2001:4860:4860::8888", "2400:cb00::1"]
PRIVATE = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.0.170",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "192.168.255.255",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
]
PRIVATE_6 = [
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:8.8.8.8",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::a00:1",
    "100::1",
    "2001::1",
    "2001:0:7f00:1::",
    "2001:db8::1",
    "2001:10::1",
    "2002:7f00:1::",
    "2002:808:808::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "4000::1",
]
WRONG = [
    "",
    "https://",
    "https:///send",
    "http://push.example.org/",
    "ftp://push.example.org/",
    "file:///etc/passwd",
    "//push.example.org/",
    "push.example.org",
    "javascript:alert(1)",
    "https:push.example.org",
    "https://push.example.org:444/",
    "https://push.example.org:80/",
    "https://push.example.org:0/",
    "https://push.example.org:x/",
    "https://push.example.org:99999/",
    "https://user@push.example.org/",
    "https://user:secret@push.example.org/",
    "https://@push.example.org/",
    "https://push.example.org@127.0.0.1/",
    "https://push.example.org\\@127.0.0.1/",
    "https://push.example.org/#part",
    "https://push.example.org/\r\nX-More: 1",
    "https://push.example.org/a b",
    "https://push.example.org/ä",
    "https://pu sh.example.org/",
    "https://püsh.example.org/",
    "https://push_.example.org/",
    "https://-push.example.org/",
    "https://push..example.org/",
    "https://push.example.org./",
    "https://localhost/",
    "https://localhost./",
    "https://LOCALHOST/",
    "https://foo.localhost/",
    "https://printer.local/",
    "https://metadata.google.internal/",
    "https://router.lan/",
    "https://nas.home.arpa/",
    "https://intranet/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://0177.0.0.1/",
    "https://127.0.0.1./",
    "https://1.2.3/",
    "https://1.2.3.4.5/",
    "https://256.1.1.1/",
    "https://[::1/",
    "https://[127.0.0.1]/",
    "https://[v1.x]/",
    "https://[2606:4700:4700::1111]x/",
    "https://x[2606:4700:4700::1111]/",
    "https://push.example.org:/",
    f"https://push.example.org/{'x' * 2000}",
    *(f"https://{address}/" for address in PRIVATE),
    *(f"https://[{address}]/" for address in PRIVATE_6),
]
"""Endpoints that the service must not call."""


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def running(authority: trustme.CA) -> Iterator[PushService]:
    service = PushService(authority)
    service.start()
    yield service
    service.stop()


@pytest.fixture
def service(running: PushService) -> PushService:
    running.empty()
    return running


@pytest.fixture
def key(tmp_path: Path) -> PushKey:
    return PushKey(tmp_path / "data")


@pytest.fixture
def pushing(key: PushKey, service: PushService) -> Pushing:
    return Pushing(key, service.outward(), "mailto:betrieb@example.org")


@pytest.mark.parametrize("address", PUBLIC + PUBLIC_6)
def test_what_is_public_may_be_called(address: str) -> None:
    assert is_public(address)
    host = f"[{address}]" if ":" in address else address
    assert target_of(f"https://{host}/x") == Target(address, "/x")
    assert Outward(lambda *_: [(address, 443)]).addresses("push.example.org") == [(address, 443)]


@pytest.fixture(scope="module")
def names() -> dict[str, list[str]]:
    """Returns the addresses of each name."""
    return {}


@pytest.fixture(scope="module")
def asking(names: dict[str, list[str]]) -> Outward:
    return Outward(lambda name, *_: [(address, 443) for address in names[name]])


@pytest.mark.parametrize("address", PRIVATE + PRIVATE_6)
def test_what_is_not_public_is_never_connected_to_whatever_it_is_called(
    address: str, names: dict[str, list[str]], asking: Outward
) -> None:
    assert not is_public(address)
    for names["push.example.org"] in ([address], ["9.9.9.9", address], [address, "9.9.9.9"]):
        with pytest.raises(NotPublic):
            asking.addresses("push.example.org")
        with pytest.raises(NotPublic):
            asking.post(Target("push.example.org", "/"), {})


@given(st.ip_addresses(v=4))
def test_of_ipv4_we_call_nothing_that_python_knows_as_special(address: IPv4Address) -> None:
    if is_public(str(address)):
        assert address.is_global
        special = address.is_private or address.is_multicast or address.is_reserved or address.is_link_local
        assert not special


@given(st.ip_addresses(v=6) | st.ip_addresses(network="2000::/3"))
def test_of_ipv6_we_call_nothing_that_python_knows_as_special(address: IPv6Address) -> None:
    if is_public(str(address)):
        assert address.is_global
        assert address.ipv4_mapped is None
        assert address.sixtofour is None
        assert address.teredo is None
        special = address.is_multicast or address.is_reserved or address.is_site_local
        assert not special


@pytest.mark.parametrize("url", WRONG)
def test_an_address_that_is_none_of_a_public_push_service_is_refused(url: str) -> None:
    with pytest.raises(NoTarget):
        target_of(url)


@given(st.text(max_size=60) | st.text("abc.:/@[]%#?\\0127x-", max_size=60).map(lambda suffix: f"https://{suffix}"))
def test_whatever_is_sent_as_an_address_is_taken_apart_or_refused(url: str) -> None:
    try:
        target = target_of(url)
    except NoTarget:
        return
    assert target.path.startswith("/")
    assert target.path.isascii()
    assert is_public(target.host) or "." in target.host


def test_addresses_of_real_push_services_are_taken_apart_as_they_are() -> None:
    for url, host, path in (
        ("https://fcm.googleapis.com/fcm/send/d1:APA91b-_x", "fcm.googleapis.com", "/fcm/send/d1:APA91b-_x"),
        (
            "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
            "updates.push.services.mozilla.com",
            "/wpush/v2/gAAA",
        ),
        ("https://web.push.apple.com:443/QF=", "web.push.apple.com", "/QF="),
        ("HTTPS://db5p.notify.windows.com/w/?token=BQ%2b", "db5p.notify.windows.com", "/w/?token=BQ%2b"),
        ("https://9.9.9.9", "9.9.9.9", "/"),
    ):
        assert target_of(url) == Target(host, path)


def test_a_notice_has_our_key_and_no_content(pushing: Pushing, service: PushService) -> None:
    pushing.send(ENDPOINT, START)
    ((path, headers),) = service.requests
    assert path == "/send/abc?x=1"
    assert (headers["host"], headers["content-length"], headers["body"]) == (HOST, "0", "")
    assert (headers["ttl"], headers["urgency"], headers["topic"]) == ("86400", "normal", "nachricht")
    assert headers.keys() <= {"host", "content-length", "body", "authorization", "ttl", "urgency", "topic"}
    assert Vapid02.verify(headers["authorization"].replace(", ", ","))
    token, _, public = headers["authorization"].removeprefix("vapid t=").partition(", k=")
    assert public == pushing.key.public
    claims = jwt.decode(token, public)
    expires_at = int((START + timedelta(hours=12)).timestamp())
    assert claims == {"aud": f"https://{HOST}", "exp": expires_at, "sub": "mailto:betrieb@example.org"}
    assert json.loads(base64.urlsafe_b64decode(token.split(".")[0] + "==")) == {"typ": "JWT", "alg": "ES256"}


def test_without_a_contact_none_is_claimed(key: PushKey, service: PushService) -> None:
    Pushing(key, service.outward(), None).send(ENDPOINT, START)
    token = service.requests[0][1]["authorization"].removeprefix("vapid t=").partition(", ")[0]
    assert jwt.decode(token, key.public).keys() == {"aud", "exp"}


def test_the_contact_is_where_the_operator_is_found() -> None:
    assert contact_of(Settings(public_url="https://zeit.example.org")) == "https://zeit.example.org"
    local = Settings(public_url="http://localhost:8000", mail_from="Stempelwerk <zeit@example.org>")
    assert contact_of(local) == "mailto:zeit@example.org"
    assert contact_of(Settings(public_url=None, mail_from=None)) is None


def test_the_key_is_made_once_for_its_owner_alone_and_kept(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: PushKey(folder).public, range(16)))
    assert keys == {PushKey(folder).public}
    assert [path.name for path in folder.iterdir()] == [KEY_FILE]
    assert stat.S_IMODE((folder / KEY_FILE).stat().st_mode) == 0o600
    (public,) = keys
    point = base64.urlsafe_b64decode(public + "=")
    assert (len(public), len(point), point[0]) == (87, 65, 4)
    EllipticCurvePublicKey.from_encoded_point(SECP256R1(), point)


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_gone(pushing: Pushing, service: PushService, status: int) -> None:
    service.answer(status)
    with pytest.raises(Gone):
        pushing.send(ENDPOINT, START)


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_busy_push_service_is_asked_again_when_it_says(pushing: Pushing, service: PushService, status: int) -> None:
    service.answer(status, {"Retry-After": "77"})
    with pytest.raises(RetryLater) as later:
        pushing.send(ENDPOINT, START)
    assert later.value.pause == timedelta(seconds=77)
    service.answer(status)
    with pytest.raises(RetryLater) as later:
        pushing.send(ENDPOINT, START)
    assert later.value.pause is None


@pytest.mark.parametrize("status", [400, 401, 403, 413])
def test_what_a_push_service_refuses_is_not_sent_again(pushing: Pushing, service: PushService, status: int) -> None:
    service.answer(status)
    with pytest.raises(PermanentFailure, match=str(status)):
        pushing.send(ENDPOINT, START)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_nobody_is_followed_elsewhere(pushing: Pushing, service: PushService, status: int) -> None:
    for elsewhere in (f"https://127.0.0.1:{service.port}/in", f"https://{HOST}/other", "http://169.254.169.254/latest"):
        service.empty()
        service.answer(status, {"Location": elsewhere})
        with pytest.raises(PermanentFailure):
            pushing.send(ENDPOINT, START)
        assert [path for path, _ in service.requests] == ["/send/abc?x=1"]
        assert service.asked == [HOST]


def test_a_name_that_means_something_else_when_it_is_called_is_not_called(key: PushKey, service: PushService) -> None:
    answers = iter([[("9.9.9.9", 443)], service.find(HOST, 443), [("9.9.9.9", 443), ("10.0.0.1", 443)]])
    outward = service.outward(find=lambda *_: next(answers), allowed=is_public)
    assert outward.addresses(HOST) == [("9.9.9.9", 443)]
    for _ in range(2):
        with pytest.raises(PermanentFailure):
            Pushing(key, outward, None).send(ENDPOINT, START)
    assert service.requests == []


def test_a_name_is_asked_for_once_and_the_answer_is_connected_to(pushing: Pushing, service: PushService) -> None:
    pushing.send(ENDPOINT, START)
    assert service.asked == [HOST]


def test_of_several_addresses_the_next_is_tried(service: PushService) -> None:
    outward = service.outward(find=lambda *_: [("127.0.0.1", 1), ("127.0.0.1", service.port)])
    assert outward.post(target_of(ENDPOINT), {}).status == 201
    with pytest.raises(NotReached):
        service.outward(find=lambda *_: [("127.0.0.1", 1)]).post(target_of(ENDPOINT), {})


def test_a_certificate_of_another_or_of_nobody_is_no_push_service(service: PushService) -> None:
    with pytest.raises(NotReached):
        service.outward(tls=ssl.create_default_context()).post(target_of(ENDPOINT), {})
    with pytest.raises(NotReached):
        service.outward().post(target_of("https://other.example.org/"), {})
    assert service.requests == []


def test_a_name_that_nobody_knows_is_not_reached() -> None:
    def nowhere(*_: object) -> list[tuple[str, int]]:
        raise OSError("unknown")

    with pytest.raises(NotReached):
        Outward(nowhere).post(target_of(ENDPOINT), {})
    with pytest.raises(NotPublic):
        Outward(lambda *_: []).post(target_of(ENDPOINT), {})


def test_an_answer_without_end_is_read_no_further(service: PushService) -> None:
    service.answer(200, endless="body")
    assert service.outward().post(target_of(ENDPOINT), {}).status == 200


def test_a_service_that_trickles_is_left_at_the_deadline(service: PushService) -> None:
    service.answer(endless="head")
    with pytest.raises(NotReached):
        service.outward(seconds=0.3).post(target_of(ENDPOINT), {})


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("0", 0),
        (" 120 ", 120),
        (format_datetime(START + timedelta(minutes=2), usegmt=True), 120),
        ("Fri, 20 Nov 2026 07:59:00 GMT", -60),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("٣", None),
        ("Fri, 20 Nov 2026 07:59:00", None),
    ],
)
def test_what_a_retry_after_says(header: str, seconds: float | None) -> None:
    assert seconds_until(header, datetime(2026, 11, 20, 8, 0, tzinfo=UTC)) == seconds


def test_a_process_has_one_way_out_and_it_is_the_real_one(platform: Platform) -> None:
    pushing = PUSHING.of(platform)
    assert pushing is PUSHING.of(platform)
    for address in ("127.0.0.1", "::1"):
        with pytest.raises(NotPublic):
            pushing.outward.addresses(address)
    with pytest.raises(NotPublic):
        pushing.outward.addresses("localhost")
    assert PushKey(platform.settings.data_dir).public == pushing.key.public
