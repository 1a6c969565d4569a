"""The key is the device: made once, for one machine, readable by its owner only."""

import logging
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from stempelwerk_edge.cloud.identity import FILE_NAME, load_or_make
from stempelwerk_edge.errors import IdentityError
from stempelwerk_edge.machine.hardware import SystemMachine, read_hardware

from edge.tests.rig import Rig

DAMAGED = [b"", b"{}", b"not json", b"[" * 100_000, b'{"privateKey": "AAAA", "hardwareId": "board:1"}']


def test_the_key_is_made_once_and_found_again(tmp_path: Path) -> None:
    identity = load_or_make(tmp_path, ["board:1"])
    reloaded = load_or_make(tmp_path, ["board:1"])
    assert (identity.made_now, reloaded.made_now) == (True, False)
    assert (identity.keyid, identity.claim_code) == (reloaded.keyid, reloaded.claim_code)


def test_nobody_else_may_read_the_key(tmp_path: Path) -> None:
    load_or_make(tmp_path / "data", ["board:1"])
    assert stat.S_IMODE((tmp_path / "data" / FILE_NAME).stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700
    assert not list((tmp_path / "data").glob("*.new"))


def test_on_other_hardware_a_new_key_is_made_and_the_old_one_kept_aside(tmp_path: Path) -> None:
    first = load_or_make(tmp_path, ["board:1", "system:x"])
    second = load_or_make(tmp_path, ["board:2", "system:x"])
    assert second.made_now
    assert second.keyid != first.keyid
    assert second.hardware_id == "board:2"
    third = load_or_make(tmp_path, ["board:3"])
    assert third.keyid not in (first.keyid, second.keyid)
    assert len(list(tmp_path.glob(f"{FILE_NAME}.old-*"))) == 2


def test_a_way_to_tell_the_machine_that_is_missing_today_changes_nothing(tmp_path: Path) -> None:
    first = load_or_make(tmp_path, ["network:1", "system:x"])
    assert load_or_make(tmp_path, ["system:x"]).keyid == first.keyid
    assert load_or_make(tmp_path, ["board:9", "network:1"]).keyid == first.keyid


@pytest.mark.parametrize("content", DAMAGED)
def test_a_key_file_that_cannot_be_understood_is_set_aside(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    identity = load_or_make(tmp_path, ["board:1"])
    assert identity.made_now
    assert identity.was_damaged
    assert identity.set_aside == tmp_path / f"{FILE_NAME}.damaged-1"
    assert identity.set_aside.read_bytes() == content
    assert not load_or_make(tmp_path, ["board:1"]).was_damaged


def test_a_folder_in_the_place_of_the_key_file_is_set_aside_with_what_is_in_it(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).mkdir()
    (tmp_path / FILE_NAME / "found").touch()
    identity = load_or_make(tmp_path, ["board:1"])
    assert identity.was_damaged
    assert identity.set_aside is not None
    assert (identity.set_aside / "found").exists()
    assert load_or_make(tmp_path, ["board:1"]).keyid == identity.keyid


def codes(rig: Rig) -> dict[str, str]:
    """Levels of the entries in the clock's log at the cloud, by code."""
    return {entry["code"]: entry["level"] for entry in rig.cloud.logs.values()}


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_key_file_is_an_error_in_both_logs_and_the_queue_goes_under_the_new_key(
    rig: Rig, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    rig.wait(minutes=1)
    [former] = rig.cloud.devices
    rig.has_luck("down")
    rig.tap()
    rig.crash()
    (rig.directory / FILE_NAME).write_bytes(content)
    caplog.clear()
    with caplog.at_level(logging.ERROR, "stempelwerk_edge"):
        rig.start()
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == ["identity_damaged"]
    rig.tap()
    rig.has_luck("ok")
    rig.wait(minutes=5)
    assert rig.delivered() == rig.toned
    assert codes(rig)["identity_damaged"] == "error"
    assert (rig.directory / f"{FILE_NAME}.damaged-1").read_bytes() == content
    assert len(set(rig.cloud.devices) - {former}) == 1


def test_a_missing_key_file_of_a_clock_that_had_one_is_an_error(rig: Rig) -> None:
    rig.wait(minutes=1)
    rig.crash()
    (rig.directory / FILE_NAME).unlink()
    rig.start()
    rig.wait(minutes=5)
    assert codes(rig)["identity_missing"] == "error"


def test_a_first_start_and_a_moved_card_are_no_error(rig: Rig) -> None:
    rig.wait(minutes=2)
    assert not {code for code in codes(rig) if code.startswith("identity")}
    rig.machine.hardware = replace(rig.machine.hardware, hardware_id="board:2")
    rig.restart()
    rig.wait(minutes=5)
    identity_codes = {code: level for code, level in codes(rig).items() if code.startswith("identity")}
    assert identity_codes == {"identity_moved": "warn"}


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(IdentityError):
        load_or_make(tmp_path / "file" / "data", ["board:1"])


def machine(root: Path, **files: str) -> Path:
    for name, content in files.items():
        path = root / name.replace("__", "/").replace("_", "-")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return root


def test_the_boards_number_comes_before_the_cards(tmp_path: Path) -> None:
    board = {"sys__firmware__devicetree__base__serial_number": "10000000a3f1c2d4\0"}
    with_board = read_hardware(None, machine(tmp_path / "a", **board, etc__machine_id="abc\n"), tmp_path)
    without = read_hardware("SW-1", machine(tmp_path / "b", etc__machine_id="abc\n"), tmp_path)
    assert with_board.hardware_id.startswith("board:")
    assert with_board.serial.startswith("SW-")
    assert without.hardware_id in with_board.other_ids
    assert without.serial == "SW-1"
    assert without.mac == "00:00:00:00:00:00"


def network_device(root: Path, name: str, bus: str, address: str) -> None:
    hardware, device = root / "sys/devices" / bus, root / "sys/class/net" / name
    for folder in (hardware, device):
        folder.mkdir(parents=True)
    (device / "device").symlink_to(hardware)
    (device / "address").write_text(f"{address}\n")


def test_an_adapter_on_usb_names_no_machine(tmp_path: Path) -> None:
    network_device(tmp_path / "one", "eth1", "pci0", "b8:27:eb:00:00:01")
    alone = read_hardware(None, tmp_path / "one", tmp_path).hardware_id
    network_device(tmp_path / "one", "eth0", "usb1", "b8:27:eb:00:00:02")
    network_device(tmp_path / "other", "eth0", "usb1", "b8:27:eb:00:00:02")
    assert alone.startswith("network:")
    assert read_hardware(None, tmp_path / "one", tmp_path).hardware_id == alone
    assert read_hardware(None, tmp_path / "other", tmp_path).hardware_id.startswith("made:")


def test_a_machine_without_any_number_is_given_one_that_stays(tmp_path: Path) -> None:
    first = read_hardware(None, tmp_path / "empty", tmp_path / "data")
    assert first.hardware_id == read_hardware(None, tmp_path / "empty", tmp_path / "data").hardware_id
    assert first.hardware_id.startswith("made:")


def test_this_machine_can_be_asked(tmp_path: Path) -> None:
    machine = SystemMachine("SW-TEST", tmp_path)
    assert machine.hardware.serial == "SW-TEST"
    assert machine.disk_free_mb() >= 0
    address = machine.address()
    assert address is None or address.count(".") == 3
