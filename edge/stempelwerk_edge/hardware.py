"""Which machine this is: what the key is bound to, what stands on the label, what the network calls it.

Read once at start; nothing here is secret and nothing here is trusted by the cloud, which knows the clock by its key.
"""

import hashlib
import shutil
import socket
from dataclasses import dataclass
from pathlib import Path

from .errors import IdentityError

# In order: the board's serial number (a Raspberry Pi has one), the firmware's, and last the installation's own.
_SOURCES = (
    ("board", "sys/firmware/devicetree/base/serial-number"),
    ("firmware", "sys/class/dmi/id/product_uuid"),
    ("system", "etc/machine-id"),
)


@dataclass(frozen=True, slots=True)
class Hardware:
    """`hardware_id` changes when the card moves to another machine; `serial` and `mac` are what lists show."""

    hardware_id: str
    serial: str
    mac: str


def read_hardware(serial: str | None = None, root: Path = Path("/")) -> Hardware:
    """This machine; `serial` from the settings takes precedence. Raises IdentityError if nothing tells it apart."""
    for kind, place in _SOURCES:
        try:
            text = (root / place).read_text("ascii", "replace").strip(" \n\0")
        except OSError:
            continue
        if text:
            digest = hashlib.sha256(text.encode()).hexdigest()[:32]
            return Hardware(f"{kind}:{digest}", serial or f"SW-{digest[:10].upper()}", _mac(root))
    raise IdentityError("Das Gerät hat keine eigene Nummer (weder Platine noch Firmware noch machine-id).")


def _mac(root: Path) -> str:
    """The address of the first network device that is no loopback; zeros if there is none."""
    for device in sorted((root / "sys/class/net").glob("*")):
        try:
            address = (device / "address").read_text("ascii").strip().lower()
        except OSError:
            continue
        if device.name != "lo" and address and address != "00:00:00:00:00:00":
            return address
    return "00:00:00:00:00:00"


def own_address() -> str | None:
    """The address this machine speaks from on its default route; None without one. Sends nothing, resolves nothing."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # an address reserved for documentation: only the route is looked up
            return str(probe.getsockname()[0])
    except OSError:
        return None


def disk_free_mb(directory: Path) -> int:
    """Free space where the journal lies, in MiB; 0 if it cannot be told."""
    try:
        return shutil.disk_usage(directory).free >> 20
    except OSError:
        return 0
