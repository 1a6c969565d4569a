"""The machine's identifiers: for the key's binding, for the label, for the network.

They are read once at start; nothing here is secret and nothing here is trusted by the cloud, which knows the clock by
its key.
"""

import hashlib
import shutil
import socket
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from stempelwerk_edge.errors import IdentityError


@dataclass(frozen=True, slots=True)
class Hardware:
    """The machine's identifiers. `hardware_id` differs after the card was moved to another machine. Lists show `serial`
    and `mac`.

    `other_ids` are further identifiers of this machine, each `kind:digest` as `hardware_id`.
    """

    hardware_id: str
    serial: str
    mac: str
    other_ids: tuple[str, ...] = ()

    @property
    def all_ids(self) -> tuple[str, ...]:
        """All identifiers, best first."""
        return (self.hardware_id, *self.other_ids)


class Machine(Protocol):
    """The port to the machine: its identifiers, its network address and its free disk space."""

    @property
    def hardware(self) -> Hardware:
        """The machine's identifiers."""

    def address(self) -> str | None:
        """Returns its address in the network; None without one."""

    def disk_free_mb(self) -> int:
        """Returns the free space where the journal lies, in MiB."""


class SystemMachine:
    """This machine. `data_dir` is where its journal lies; `root` where its files are looked for."""

    def __init__(self, serial: str | None, data_dir: Path, root: Path = Path("/")) -> None:
        self._data_dir = data_dir
        self._hardware = read_hardware(serial, root, data_dir)

    @property
    def hardware(self) -> Hardware:
        """The machine's identifiers, as read at the start."""
        return self._hardware

    def address(self) -> str | None:
        """Returns the address on the default route."""
        return own_address()

    def disk_free_mb(self) -> int:
        """Returns the free space for an ordinary user; 0 if it is unknown."""
        try:
            return shutil.disk_usage(self._data_dir).free >> 20
        except OSError:
            return 0


def read_hardware(serial: str | None, root: Path, data_dir: Path) -> Hardware:
    """Reads this machine; `serial` from the settings takes precedence. Raises IdentityError without any identifier.

    In order: the board's serial number (a Raspberry Pi has one), a built-in network device, the installation's own
    number, and without these a generated one that is kept in the data folder.
    """
    sources = (
        ("board", _text(root / "sys/firmware/devicetree/base/serial-number")),
        ("network", _built_in_address(root)),
        ("system", _text(root / "etc/machine-id")),
    )
    identifiers = [(kind, text) for kind, text in sources if text] or [
        ("made", _generated_id(data_dir / "hardware-id"))
    ]
    ids = tuple(f"{kind}:{hashlib.sha256(text.encode()).hexdigest()[:32]}" for kind, text in identifiers)
    name = ids[0].partition(":")[2][:10].upper()
    return Hardware(ids[0], serial or f"SW-{name}", _mac(root), ids[1:])


def _text(path: Path) -> str:
    try:
        return path.read_text("ascii", "replace").strip(" \n\0")
    except OSError:
        return ""


def _generated_id(path: Path) -> str:
    if not (text := _text(path)):
        text = uuid.uuid4().hex
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.write_text(text, "ascii")
        except OSError as fault:
            raise IdentityError(f"{path}: {fault.strerror or fault}") from fault
    return text


def _devices(root: Path) -> list[Path]:
    return sorted(path for path in (root / "sys/class/net").glob("*") if path.name != "lo")


def _built_in_address(root: Path) -> str:
    """Returns the address of the first real network device that is not on USB."""
    for device in _devices(root):
        hardware = device / "device"
        if hardware.exists() and "/usb" not in str(hardware.resolve()) and (address := _text(device / "address")):
            return address.lower()
    return ""


def _mac(root: Path) -> str:
    """Returns the address of the first network device; zeros without a device."""
    addresses = (_text(device / "address").lower() for device in _devices(root))
    return next((address for address in addresses if address.strip("0:")), "00:00:00:00:00:00")


def own_address() -> str | None:
    """Returns the machine's address on its default route; None without one. Sends no packet and resolves no name."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # an address reserved for documentation: only the route is looked up
            return str(probe.getsockname()[0])
    except OSError:
        return None
