"""Secrets: the vault and its key file, an authenticator's codes, codes that people type."""

import base64
import importlib.util
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pyotp
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.kit.clock import SystemIds
from stempelwerk_cloud.kit.security import codes, passwords, totp
from stempelwerk_cloud.kit.security.vault import KEY_FILE, Sealed, Vault

from cloud.tests.settable_clock import START


def test_a_process_with_the_same_folder_decrypts_the_secret(tmp_path: Path) -> None:
    sealed = Vault(tmp_path / "data").encrypt("geheim")
    assert b"geheim" not in sealed
    assert Vault(tmp_path / "data").decrypt(sealed) == "geheim"
    assert (tmp_path / "data" / KEY_FILE).stat().st_mode & 0o777 == 0o600
    assert [file.name for file in (tmp_path / "data").iterdir()] == [KEY_FILE]


def test_another_key_and_altered_bytes_open_nothing(tmp_path: Path) -> None:
    sealed = Vault(tmp_path / "one").encrypt("geheim")
    with pytest.raises(Sealed):
        Vault(tmp_path / "two").decrypt(sealed)
    altered = sealed[:30] + (b"A" if sealed[30:31] != b"A" else b"B") + sealed[31:]
    with pytest.raises(Sealed):
        Vault(tmp_path / "one").decrypt(altered)


NO_HARD_LINKS = """
import errno, os
def refuse(*_):
    raise OSError(errno.{name}, os.strerror(errno.{name}))
os.link = refuse
"""
"""The answer of exFAT and FAT, shares and mounts of containers. A test's kernel may lack all of them."""


@pytest.mark.parametrize("system", ["", "EPERM", "EOPNOTSUPP", "ENOSYS"], ids=lambda name: name or "with hard links")
def test_processes_that_start_at_once_agree_on_one_key_on_every_file_system(tmp_path: Path, system: str) -> None:
    program = (NO_HARD_LINKS.format(name=system) if system else "") + (
        "import sys; from pathlib import Path; from stempelwerk_cloud.kit.security.vault import Vault;"
        "sys.stdin.read(1); print(Vault(Path(sys.argv[1])).encrypt('geheim').decode())"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    with ThreadPoolExecutor(4) as pool:
        sealed_texts = list(pool.map(lambda process: process.communicate("x")[0].strip(), started))
    assert [Vault(tmp_path).decrypt(sealed.encode()) for sealed in sealed_texts] == ["geheim"] * 4
    assert [file.name for file in tmp_path.iterdir()] == [KEY_FILE]


def test_the_app_and_the_service_agree(tmp_path: Path) -> None:
    secret = totp.new_secret(SystemIds())
    assert len(base64.b32decode(secret)) == totp.SECRET_BYTES
    assert totp.matching_step(secret, pyotp.TOTP(secret).at(START), START, 0) == totp.step_of(START)


@given(st.integers(-4, 4), st.integers(-4, 4), st.integers(0, 29))
def test_a_code_counts_within_a_step_and_after_the_last_accepted(off: int, accepted: int, second: int) -> None:
    secret, now = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", START + timedelta(seconds=second)
    step = totp.step_of(now) + off
    code = pyotp.TOTP(secret).generate_otp(step)
    last_step = totp.step_of(now) + accepted
    matched = totp.matching_step(secret, code, now, last_step)
    assert matched == (step if abs(off) <= 1 and off > accepted else None)


@pytest.mark.parametrize("code", ["", "12345", "1234567", "abcdef", "١٢٣٤٥٦", "12 456"])
def test_an_invalid_code_matches_no_step(code: str) -> None:
    assert totp.matching_step("JBSWY3DPEHPK3PXP", code, START, 0) is None


def test_codes_are_made_of_what_people_can_read_and_say() -> None:
    ids = SystemIds()
    new_codes = {codes.grouped(ids) for _ in range(200)}
    assert len(new_codes) == 200
    assert all(len(code) == 19 and code.count("-") == 3 for code in new_codes)
    assert set("".join(new_codes)) <= set(codes.READABLE) | {"-"}
    assert {len(codes.digits(ids, 6)) for _ in range(200)} == {6}
    assert len(codes.hexadecimal(ids)) == 64


@given(st.text(alphabet=" -\tAbC7", max_size=20))
def test_a_typed_code_is_read_without_its_dress(text: str) -> None:
    assert codes.typed(text) == "".join(text.lower().split()).replace("-", "")
    assert codes.typed(codes.typed(text)) == codes.typed(text)


def test_a_guess_of_a_password_costs_19_mib_and_two_passes() -> None:
    assert passwords.__spec__ is not None
    as_installed = importlib.util.module_from_spec(passwords.__spec__)  # the tests' own hasher is cheaper
    assert passwords.__spec__.loader is not None
    passwords.__spec__.loader.exec_module(as_installed)
    hashed = as_installed.hash_password("ein gutes Passwort")
    assert hashed.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert as_installed.verify(hashed, "ein gutes Passwort")
    assert not as_installed.verify(None, "a password that nobody has")
    assert not as_installed._HASHER.check_needs_rehash(as_installed._NOBODYS)
