"""The golden vectors, checked by other means: cryptography, the standards' own libraries, the schemas.

A wrong vector would make every program wrong in the same way; so here they are computed independently.
"""

import base64
import hashlib
import json
from datetime import datetime
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from http_message_signatures import HTTPMessageSignaturesException, HTTPMessageVerifier, HTTPSignatureKeyResolver
from http_message_signatures.algorithms import ED25519
from jsonschema import Draft202012Validator

from tools.tests.contract.documents import cases, topics, validator

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
RFC4648 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def each(topic: str) -> pytest.MarkDecorator:
    topic_cases = cases(topic)
    return pytest.mark.parametrize("case", topic_cases, ids=[case["id"] for case in topic_cases])


@pytest.mark.parametrize("topic", topics())
def test_every_case_says_what_it_shows_and_catches(topic: str) -> None:
    for case in cases(topic):
        assert case["comment"].rstrip(")").endswith("."), case["id"]
        assert case["catches"].strip(), case["id"]


@each("keyid")
def test_keyid_is_the_digest_of_the_raw_key(case: dict[str, Any]) -> None:
    text = case["input"]["publicKey"]
    try:
        raw = base64.b64decode(text, validate=True)
    except ValueError:
        raw = b""
    is_key = len(raw) == 32 and base64.b64encode(raw).decode() == text

    expected = base64.urlsafe_b64encode(hashlib.sha256(raw).digest()).decode().rstrip("=")
    assert case["expected"] == ({"keyid": expected} if is_key else {"refused": "key"})


@each("claim_code")
def test_claim_code_is_base32_of_the_same_digest(case: dict[str, Any]) -> None:
    digest = hashlib.sha256(base64.b64decode(case["input"]["publicKey"])).digest()
    plain = base64.b32encode(digest[:5]).decode()

    assert case["expected"]["claimCode"] == plain.translate(str.maketrans(RFC4648, CROCKFORD))


@each("signature_base")
def test_a_signature_verifies_and_belongs_to_its_key(case: dict[str, Any]) -> None:
    request, expected = case["input"], case["expected"]
    private = Ed25519PrivateKey.from_private_bytes(base64.b64decode(request["privateKey"]))
    signature = base64.b64decode(expected["signature"].removeprefix("sig1=:").removesuffix(":"))

    private.public_key().verify(signature, expected["signatureBase"].encode("ascii"))
    raw = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    assert dict(request["parameters"])["keyid"] == keyid(raw)


@each("signature_base")
def test_a_signature_is_accepted_by_a_library_for_the_standard(case: dict[str, Any]) -> None:
    vector, expected = case["input"], case["expected"]
    private = Ed25519PrivateKey.from_private_bytes(base64.b64decode(vector["privateKey"]))
    headers = {"Signature-Input": expected["signatureInput"], "Signature": expected["signature"]}
    if vector["body"] is not None:
        headers["Content-Digest"] = expected["contentDigest"]
    request = {"method": vector["method"], "targetUri": vector["targetUri"], "headers": headers, "body": vector["body"]}

    assert library_accepts(request, {dict(vector["parameters"])["keyid"]: private.public_key()})


class Keys(HTTPSignatureKeyResolver):
    def __init__(self, keys: dict[str, Ed25519PublicKey]) -> None:
        self.keys = keys

    def resolve_public_key(self, key_id: str) -> Ed25519PublicKey | None:
        return self.keys.get(key_id)


def keyid(raw: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(raw).digest()).decode().rstrip("=")


def library_accepts(request: dict[str, Any], keys: dict[str, Ed25519PublicKey]) -> bool:
    """Returns whether signature sig1 of the request fits one of the keys, apart from times and contract rules."""
    labels = request["headers"].get("Signature-Input", request["headers"].get("signature-input", ""))
    if labels.count("alg=") > 1:  # the library needs a tag to distinguish several signatures; the contract has no tags
        request = json.loads(json.dumps(request))
        for name in ("Signature-Input", "Signature"):
            request["headers"][name] = request["headers"][name].split(", proxy=")[0]
    verifier = HTTPMessageVerifier(signature_algorithm=ED25519, key_resolver=Keys(keys))
    verifier.validate_created_and_expires = lambda sig_input, max_age=None: None  # type: ignore[method-assign]
    message = SimpleNamespace(method=request["method"], url=request["targetUri"], headers=request["headers"])
    body = None if request["body"] is None else request["body"].encode()
    try:
        return bool(verifier.verify(message, max_age=None, body=body)) and "sig1=" in labels
    except HTTPMessageSignaturesException:
        return False


BY_CONTRACT_ONLY = {
    "enroll-with-another-key",  # a known key signs, but not the one in the body
    "target-uri-not-covered",
    "method-not-covered",
    "only-sha-512",
    "no-created",
    "no-nonce",
    "no-alg",
}
"""Refused by the contract, where the standard would let a signature pass."""


@each("signature_check")
def test_a_library_for_the_standard_agrees_on_the_signature(case: dict[str, Any]) -> None:
    check_input, expected = case["input"], case["expected"]
    raws = [base64.b64decode(device["publicKey"]) for device in check_input["devices"]]
    if check_input["request"]["targetUri"].endswith("/enroll"):
        raws.append(base64.b64decode(json.loads(check_input["request"]["body"])["publicKey"]))
    keys = {keyid(raw): Ed25519PublicKey.from_public_bytes(raw) for raw in raws}

    signed = library_accepts(check_input["request"], keys)

    assert signed == (expected.get("code") not in {"bad_signature", "unknown_device"} or case["id"] in BY_CONTRACT_ONLY)


@each("canonical_form")
def test_a_digest_is_that_of_the_form_and_the_form_is_the_stamp(case: dict[str, Any]) -> None:
    stamp = case["input"].get("stamp") or json.loads(case["input"]["json"])
    form = json.loads(case["expected"]["canonical"])
    member_names = [
        "assignment",
        "boot",
        "boottimeMs",
        "direction",
        "id",
        "quality",
        "seq",
        "shown",
        "tag",
        "via",
        "wall",
    ]

    assert list(form) == member_names
    assert form == {
        **{name: stamp.get(name) for name in member_names},
        "id": stamp["id"].lower(),
        "boot": stamp["boot"].lower(),
    }
    assert case["expected"]["sha256"] == hashlib.sha256(case["expected"]["canonical"].encode()).hexdigest()


@each("batches")
def test_a_stamp_is_quarantined_exactly_when_it_does_not_fit_the_schema(case: dict[str, Any]) -> None:
    results = case["expected"].get("results")
    if results is None:
        assert case["expected"]["status"] in {413, 422} or "repeat" in case["input"]
        return
    body = case["input"].get("body") or json.loads(case["input"]["bodyText"])
    fits = [validator("common#/$defs/stamp").is_valid(stamp) for stamp in body["stamps"]]

    assert fits == [result["outcome"] != "quarantined" for result in results]


@each("delivery")
def test_no_answer_makes_a_clock_forget_a_stamp(case: dict[str, Any]) -> None:
    expected, stamps = case["expected"], case["input"]["clock"]["stamps"]

    assert sorted(expected["delivered"] + expected["keep"] + expected["setAside"]) == sorted(stamps)
    if case["input"]["answer"].get("status") != 200:
        assert expected["delivered"] == []
    assert (expected["batch"] == "repeat") <= (expected["keep"] == stamps)


@each("delivery")
def test_only_an_answer_that_names_the_stamp_delivers_it(case: dict[str, Any]) -> None:
    body = case["input"]["answer"].get("body") or ""
    for stamp in case["expected"]["delivered"]:
        stamp_results = [
            result for result in json.loads(body)["results"] if isinstance(result, dict) and result["id"] == stamp
        ]
        assert stamp_results
        assert {result["outcome"] for result in stamp_results} <= {"stored", "duplicate", "variant", "quarantined"}


@each("people_shown")
def test_a_clock_says_no_figure_but_of_its_own_day_and_none_that_is_nonsense(case: dict[str, Any]) -> None:
    shown_input, figures = case["input"], case["expected"]
    zone = ZoneInfo(shown_input["timeZone"])
    answered, tapped = (
        datetime.fromisoformat(shown_input[name]).astimezone(zone).date().isoformat()
        for name in ("answeredAt", "tapAt")
    )
    numbers = _valid_numbers(shown_input["person"]) if shown_input.get("day", answered) == tapped else {}

    assert (figures["balanceMinutes"] is None) == ("balanceMinutes" not in numbers)
    assert figures["openHandovers"] == (numbers.get("openHandovers") or None)
    assert figures["unreadMessages"] == (numbers.get("unreadMessages") or None)


@each("people_shown")
def test_a_person_with_new_members_fits_the_released_schema(case: dict[str, Any]) -> None:
    members = case["input"]["person"]
    person = {"userId": "u-1", "name": "M. Eiche", "tags": []} | members
    answer = {"revision": "1", "reset": True, "people": [person], "removed": []}

    released = validator("people-answer").is_valid(answer)
    assert released == (members["balanceMinutes"] is None or type(members["balanceMinutes"]) is int)


@each("people_limits")
def test_limits_warn_by_minutes_of_the_wall_clock(case: dict[str, Any]) -> None:
    person_input, expected = case["input"], case["expected"]
    zone, person = ZoneInfo(person_input["timeZone"]), person_input["person"]
    limits = _limits(person.get("limits"))
    tapped = _wall_minutes(person_input["tapAt"], zone)
    start, end = tapped, tapped + 1
    if person["state"] == "in":
        start, end = _wall_minutes(person["since"], zone), tapped
        worked = end - start
        deducted = max([0, *(min(pause, worked - threshold) for threshold, pause in limits["breaks"])])
        long_day, short_rest = worked - deducted > limits["shiftMinutes"], False
    else:
        long_day = False
        short_rest = (
            person["since"] is not None
            and 300
            <= (datetime.fromisoformat(person_input["tapAt"]) - datetime.fromisoformat(person["since"])).total_seconds()
            / 60
            < limits["restMinutes"]
        )
    night = limits.get("night")
    minutes = {minute % 1440 for minute in range(start, end)}
    assert expected == {
        "longDay": limits["shiftMinutes"] if long_day else None,
        "shortRest": limits["restMinutes"] if short_rest else None,
        "night": night if night is not None and minutes & _minutes_of_night(night) else None,
    }


@each("people_limits")
def test_a_person_with_limits_fits_the_released_schema(case: dict[str, Any]) -> None:
    person = {"userId": "u-1", "name": "M. Eiche", "tags": []} | case["input"]["person"]
    assert validator("people-answer").is_valid({"revision": "1", "reset": True, "people": [person], "removed": []})


@each("people_limits_day")
def test_the_list_spells_limits_that_a_clock_can_read_and_no_word(case: dict[str, Any]) -> None:
    limits = case["expected"]["limits"]
    assert limits is None or _limits(limits) == limits


_MINUTES = {"type": "integer", "minimum": 0, "maximum": 1440}
_TIME = {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"}
_LIMITS = Draft202012Validator(
    {
        "type": "object",
        "required": ["shiftMinutes", "restMinutes", "breaks"],
        "properties": {
            "shiftMinutes": _MINUTES | {"minimum": 1},
            "restMinutes": _MINUTES,
            "breaks": {"type": "array", "items": {"type": "array", "items": _MINUTES, "minItems": 2, "maxItems": 2}},
            "night": {"type": ["array", "null"], "items": _TIME, "minItems": 2, "maxItems": 2, "uniqueItems": True},
        },
    }
)


def _limits(member: object) -> dict[str, Any]:
    """Returns the limits that the page's table derives from a member."""
    if isinstance(member, dict) and _LIMITS.is_valid(member):
        return member
    return {"shiftMinutes": 600, "restMinutes": 660, "breaks": [[360, 30], [540, 45]]}


def _wall_minutes(text: str, zone: ZoneInfo) -> int:
    local = datetime.fromisoformat(text).astimezone(zone)
    return local.toordinal() * 1440 + local.hour * 60 + local.minute


def _minutes_of_night(night: list[str]) -> set[int]:
    start, end = (int(text[:2]) * 60 + int(text[3:]) for text in night)
    return {minute % 1440 for minute in range(start, end if end > start else end + 1440)}


def _valid_numbers(person: dict[str, Any]) -> dict[str, int]:
    """Returns the members that are valid numbers."""
    numbers = {name: value for name, value in person.items() if type(value) is int}
    return {name: value for name, value in numbers.items() if value >= 0 or name == "balanceMinutes"}
