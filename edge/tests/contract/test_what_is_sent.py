"""A clock's messages fit the contract's schemas, whatever its machine and its mistakes are called."""

import json
import logging
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from stempelwerk_edge.cloud import wire
from stempelwerk_edge.cloud.answers import A_REQUEST
from stempelwerk_edge.logbook import Logbook
from stempelwerk_edge.machine.hardware import Hardware
from stempelwerk_edge.machine.trusted_time import TrustedTime
from stempelwerk_edge.storage.journal import connect_sqlite
from stempelwerk_edge.storage.rows import GoneAnswer

from edge.tests.clockwork import TestClock, TestIds
from edge.tests.contract.conftest import CONTRACT

NASTY = ["", "\0", "x" * 65, "a\0b", "\udc80", "\ud83d", "Werkstatt \N{GRINNING FACE}" * 20, "\x1f\u2028"]
texts = st.one_of(st.sampled_from(NASTY), st.text(st.characters(codec=None), max_size=100), st.text(min_size=490))
things = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), texts, st.builds(Path, st.just("a/b"))),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=6,
)


def assert_fits(body: bytes, schema: str) -> Any:
    """The body is JSON in UTF-8 that fits a schema of the contract; the body read."""
    files = sorted((CONTRACT / "schemas").glob("*.json"))
    registry: Registry[Any] = Registry().with_resources(
        (path.name, Resource.from_contents(json.loads(path.read_text("utf-8")))) for path in files
    )
    message = json.loads(body.decode("utf-8"), parse_constant=pytest.fail)
    Draft202012Validator({"$ref": f"{schema}.json"}, registry=registry).validate(message)
    return message


@given(texts, texts, texts, texts, texts)
def test_any_machine_can_enrol(serial: str, mac: str, hardware_id: str, profile: str, version: str) -> None:
    message = wire.enrolment(Hardware(hardware_id, serial, mac), profile, version, bytes(32))
    assert_fits(wire.encode(message), "enroll-request")


def test_an_ordinary_machine_enrols_under_its_own_names() -> None:
    message = wire.enrolment(Hardware("board:1", "SW-Ä-1", "b8:27:eb:4a:10:9c"), "core", "1.4.0", bytes(32))
    assert [message[name] for name in ("serial", "mac", "hardwareId", "profile", "version")] == [
        "SW-Ä-1",
        "b8:27:eb:4a:10:9c",
        "board:1",
        "core",
        "1.4.0",
    ]


@given(
    st.lists(
        st.builds(
            GoneAnswer,
            st.uuids().map(str),
            st.uuids().map(str),
            st.dates().map(date.isoformat),
            st.times().map(lambda time: f"{time:%H:%M}"),
            st.datetimes(datetime(1970, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 - drawn with its zone
        ),
        min_size=1,
        max_size=A_REQUEST,
    )
)
def test_what_people_answer_is_sent_as_the_cloud_can_read_it(kept: list[GoneAnswer]) -> None:
    sent = assert_fits(wire.encode(wire.answers(kept)), "answers-request")
    assert [answer["id"] for answer in sent["answers"]] == [answer.id for answer in kept]


@pytest.fixture(autouse=True, scope="module")
def unlogged() -> Iterator[None]:
    """Turns off logging: the drawn text is not always text that a report of tests could carry."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


@given(st.lists(st.tuples(texts, texts, st.dictionaries(texts, things, max_size=4)), min_size=1, max_size=4))
def test_whatever_is_reported_the_logbook_sends_what_the_cloud_can_read(
    reports: list[tuple[str, str, dict[str, object]]],
) -> None:
    with TemporaryDirectory() as folder:
        logbook = Logbook(Path(folder), TrustedTime(TestClock()), TestIds(), connect_sqlite)
        for code, message, meta in reports:
            logbook.report("warn", code, message, meta)
        entries = logbook.waiting(100)
        logbook.close()
    sent = assert_fits(wire.encode(wire.logs(entries)), "logs-request")
    assert len(sent["entries"]) == len({(code, message) for code, message, _ in reports})
