"""The content of a scanner's flash is prepared and listed; scanners can verify a signed image."""

import hashlib
import json
import struct
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from stempelwerk_tools.__main__ import main
from stempelwerk_tools.firmware import build, flash

SIGNATURE = 384


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Returns the maker's private and public key."""
    folder = tmp_path_factory.mktemp("keys")
    key = rsa.generate_private_key(65537, build.KEY_BITS)
    private, public = folder / "maker.pem", folder / "maker.pub"
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public.write_bytes(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return private, public


@pytest.mark.parametrize("board", build.BOARDS)
def test_every_board_is_laid_out_and_every_command_names_what_is_there(
    board: str, keys: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["flash", board, "--serial", "SW-GO-7", "--maker", str(keys[1]), "--out", str(tmp_path)]) == 0

    folder, output = tmp_path / board, capsys.readouterr().out
    laid = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    sources = {path.relative_to(build.FIRMWARE).with_suffix(".mpy") for path in build.FIRMWARE.glob("scanner/*.py")}
    assert laid >= {f"a/{source.as_posix()}" for source in sources} | {"boot.py", "main.py", "unit.json"}
    assert all(name in output for name in laid)
    assert json.loads((folder / "unit.json").read_bytes())["board"] == board
    wired = build.wiring(board)
    assert f"GPIO {wired['signal']['green']}" in output
    assert f"PN532 ({wired['reader']['bus'].upper()})" in output
    for command in flash.commands(folder, "/dev/ttyACM0"):
        assert all(Path(word).exists() for word in command if word.startswith(str(tmp_path)))
        assert command[:3] == ["mpremote", "connect", "/dev/ttyACM0"]


def test_a_dry_run_names_the_port_and_touches_no_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flash, "_do", lambda _: pytest.fail("a board was touched"))

    assert main(["flash", "rp2040", "--dry-run", "--port", "/dev/ttyACM7", "--out", str(tmp_path)]) == 0

    output = capsys.readouterr().out
    assert "mpremote connect /dev/ttyACM7 cp" in output
    assert "In unit.json steht SW-00000001" in output


def test_no_board_gets_a_serial_number_that_another_has_by_default(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flash, "_do", lambda _: pytest.fail("a board was touched"))

    with pytest.raises(SystemExit) as ended:
        main(["flash", "rp2040", "--port", "/dev/ttyACM7", "--out", str(tmp_path)])

    assert ended.value.code == 2
    assert "--serial" in capsys.readouterr().err


def test_no_two_parts_of_a_board_share_a_pin() -> None:
    for board in build.BOARDS:
        wired = build.wiring(board)
        parts = [
            wired["reader"],
            wired["line"],
            wired["signal"],
            wired.get("battery", {}),
            {"docked": wired.get("docked")},
        ]
        pins = [
            pin
            for part in parts
            for name, pin in part.items()
            if isinstance(pin, int) and name not in ("id", "divider")
        ]
        assert len(set(pins)) == len(pins), board
        assert wired["name"] == board


def test_bytecode_begins_as_bytecode_does() -> None:
    modules = build.compile_modules()

    assert all(content[:2] == b"M\x06" for content in modules.values())
    assert sum(map(len, modules.values())) < 48 * 1024


def test_an_image_holds_every_module_and_the_makers_signature(keys: tuple[Path, Path]) -> None:
    image = build.image("rp2350", keys[0])

    modulus = int(json.loads(build.unit("SW-1", "rp2350", keys[1]))["maker"], 16)
    opened = pow(int.from_bytes(image[4 : 4 + SIGNATURE], "big"), 65537, modulus).to_bytes(SIGNATURE, "big")
    payload = image[4 + SIGNATURE :]
    assert image[:4] == b"SWF1"
    assert opened.startswith(b"\0\1\xff")
    assert opened.endswith(hashlib.sha256(payload).digest())
    assert payload[:8].rstrip(b"\0") == b"rp2350"
    offset, files = 21, {}
    for _ in range(payload[20]):
        name = payload[offset + 1 : offset + 1 + payload[offset]].decode()
        offset += 1 + payload[offset]
        (size,) = struct.unpack(">I", payload[offset : offset + 4])
        files[name] = payload[offset + 4 : offset + 4 + size]
        offset += 4 + size
    assert offset == len(payload)
    assert files == build.compile_modules()


@pytest.mark.parametrize("serial", ["", "sw-1", "SW 1", "SW-12345678901234", "ÄÖ"])
def test_an_invalid_serial_number_is_refused(serial: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["flash", "rp2040", "--serial", serial, "--out", str(tmp_path)]) == 1
    assert "Eine Seriennummer hat 1 bis 16 Zeichen" in capsys.readouterr().err


def test_an_invalid_makers_key_is_refused(keys: tuple[Path, Path], tmp_path: Path) -> None:
    small = tmp_path / "small.pem"
    key = rsa.generate_private_key(65537, 2048)
    small.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    junk = tmp_path / "junk.pem"
    junk.write_text("PRIVATE", "utf-8")

    for path in (small, junk, tmp_path / "missing"):
        with pytest.raises(build.FirmwareError):
            build.image("rp2040", path)
    with pytest.raises(build.FirmwareError, match="keinen privaten Schlüssel"):
        build.image("rp2040", keys[1])


def test_without_mpremote_nothing_is_done_and_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(flash.shutil, "which", lambda _: None)
    monkeypatch.setattr(flash.subprocess, "run", _not_called_but_for(flash.subprocess.run, "mpy-cross"))

    assert main(["flash", "rp2040", "--serial", "SW-1", "--out", str(tmp_path), "--port", "/dev/ttyACM0"]) == 1
    assert "pip install mpremote" in capsys.readouterr().err


def _not_called_but_for(run, name):  # type: ignore[no-untyped-def]
    def called(call, **how):  # type: ignore[no-untyped-def]
        assert call[0].endswith(name)
        return run(call, **how)

    return called


def test_a_step_that_fails_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "mpremote"
    program.write_text(f'#!/bin/sh\necho "$4" >> {tmp_path}/calls\n[ "$3" != cp ]\n', "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")

    assert main(["flash", "esp32", "--serial", "SW-1", "--out", str(tmp_path / "out"), "--port", "/dev/ttyUSB0"]) == 1
    assert len((tmp_path / "calls").read_text("utf-8").splitlines()) == 2


def test_the_interpreter_runs_an_image_that_this_made(keys: tuple[Path, Path], tmp_path: Path) -> None:
    image = tmp_path / "image.swf"
    image.write_bytes(build.image("rp2040", keys[0]))
    (tmp_path / "unit.json").write_bytes(build.unit("SW-1", "rp2040", keys[1]))

    done = subprocess.run(
        ["node", "tests/image.mjs", str(image), str(tmp_path / "unit.json")],
        cwd=build.FIRMWARE,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout.strip() == "written, chosen and started", done.stderr[-500:]
