"""A text that nests without end is unreadable like any other, to each parser of what comes from outside."""

import json
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from stempelwerk_edge.cloud import wire
from stempelwerk_edge.cloud.identity import FILE_NAME, load_or_make
from stempelwerk_edge.cloud.membership import MembershipStore
from stempelwerk_edge.cloud.wire import NotOurs
from stempelwerk_edge.configuration import Settings
from stempelwerk_edge.errors import NotNow, SettingsError
from stempelwerk_edge.parsing import read_json, read_toml
from stempelwerk_edge.storage.clock_state import ClockState
from stempelwerk_edge.storage.journal import Journal
from stempelwerk_edge.updates.launcher import read, slots
from stempelwerk_edge.updates.slots import fill

from edge.tests.rig import Rig
from edge.tests.test_cloud_client import client, send
from edge.tests.updates.repository import SignedRepository, lay_down, places, program

DEEP = 100_000
NESTED = b"[" * DEEP + b"]" * DEEP
NESTED_OBJECT = b'{"a":' * DEEP + b"1" + b"}" * DEEP


@pytest.mark.parametrize("text", [NESTED, NESTED_OBJECT, b"[" * DEEP])
def test_json_that_nests_without_end_is_a_value_error(text: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_json(text)


def test_toml_that_nests_without_end_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="nested"):
        read_toml("a = " + NESTED.decode())


READERS: list[Callable[[bytes], object]] = [
    wire.read_welcome,
    lambda body: wire.read_receipt(body, "batch"),
    wire.read_people,
    wire.read_update,
    wire.read_log_results,
    wire.read_answer_results,
]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("text", [NESTED, NESTED_OBJECT])
def test_no_answer_is_read_from_it(reader: Callable[[bytes], object], text: bytes) -> None:
    with pytest.raises(NotOurs):
        reader(text)


def test_a_refusal_in_it_has_no_code() -> None:
    with pytest.raises(NotNow):
        send(client(lambda _: httpx.Response(422, content=NESTED_OBJECT)), "GET", "/")


@pytest.mark.parametrize("path", [wire.HEARTBEAT, wire.PEOPLE, wire.STAMPS, wire.LOGS, wire.ENROLL])
def test_a_clock_that_is_answered_so_stamps_on_and_delivers_later(rig: Rig, path: str) -> None:
    rig.answers(lambda _: httpx.Response(200, content=NESTED_OBJECT), path)
    rig.tap()
    rig.wait(minutes=5)
    rig.answers(None)
    rig.tap()
    rig.wait(minutes=20)
    assert rig.delivered() == rig.toned


def test_a_configuration_of_it_is_no_valid_toml(tmp_path: Path) -> None:
    path = tmp_path / "clock.toml"
    path.write_bytes(b"a = " + NESTED)
    with pytest.raises(SettingsError, match="kein gültiges TOML"):
        Settings.load(path)


def test_a_key_file_of_it_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(NESTED)
    assert load_or_make(tmp_path, ["board:1"]).made_now
    assert len(list(tmp_path.glob("identity.json.*"))) == 1


def test_a_kept_membership_of_it_is_forgotten(journal: Journal) -> None:
    state = ClockState(journal)
    state.put("standing", NESTED.decode())
    MembershipStore(state).load("key")


def metadata(repository: SignedRepository, name: str, content: bytes) -> None:
    [metadata_path] = [path for path in repository.files if path.startswith("metadata/") and path.endswith(name)][-1:]
    repository.files[metadata_path] = content


@pytest.mark.parametrize("depth", [300, 600, 900, DEEP])
@pytest.mark.parametrize("name", ["timestamp.json", "snapshot.json", "targets.json", "stable.json"])
def test_metadata_of_it_fill_no_slot(tmp_path: Path, name: str, depth: int) -> None:
    repository = SignedRepository()
    where = places(tmp_path, repository)
    target = repository.add("1.1.0", program("1.1.0"))
    nested = b'{"signatures": [], "signed": ' + b'{"a":' * depth + b"1" + b"}" * depth + b"}"
    metadata(repository, name, nested)
    lay_down(where, repository, target)
    assert not fill(where)
    assert slots(where) == {}
    assert read(where.base / "slots/report.json")["state"] == "refused"


@pytest.mark.parametrize("depth", [300, 900, DEEP])
def test_signed_metadata_with_it_fill_no_slot_and_end_no_updater(tmp_path: Path, depth: int) -> None:
    repository = SignedRepository()
    where = places(tmp_path, repository)
    target = repository.add("1.1.0", program("1.1.0"))
    name = "metadata/timestamp.json"
    content = json.loads(repository.files[name])
    open_json = json.dumps(content)[:-1].encode()
    repository.files[name] = open_json[:-1] + b', "x": ' + b'{"a":' * depth + b"1" + b"}" * depth + b"}}"
    lay_down(where, repository, target)
    assert not fill(where)
    assert read(where.base / "slots/report.json")["state"] == "refused"


@pytest.mark.parametrize("manifest", [NESTED, NESTED_OBJECT])
def test_a_signed_manifest_of_it_fills_no_slot(tmp_path: Path, manifest: bytes) -> None:
    repository = SignedRepository()
    where = places(tmp_path, repository)
    target = repository.add("1.1.0", program("1.1.0"))
    repository._target("stable", target, manifest)
    repository.publish()
    lay_down(where, repository, target)
    assert not fill(where)
    report = read(where.base / "slots/report.json")
    assert (report["state"], report["why"]) == ("refused", "NotTrusted: the manifest cannot be read")


def test_a_wish_of_it_is_no_wish(tmp_path: Path) -> None:
    where = places(tmp_path, SignedRepository())
    (where.base / "exchange/wanted.json").write_bytes(NESTED)
    assert not fill(where)
