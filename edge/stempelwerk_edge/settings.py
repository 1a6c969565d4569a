"""The clock's configuration: one TOML file, read once at start.

What the cloud decides (name, company, zone, batch size, rules) is no setting; it comes with the heartbeat.
"""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from stempelwerk_edge.errors import SettingsError

_READER_KINDS = ("pn532", "udp", "none")
_DEFAULT_PORT = 8090


@dataclass(frozen=True, slots=True)
class CloudSettings:
    """Where the cloud is: `url` without a path's end slash; `ca_file` a certificate authority of one's own (PEM)."""

    url: str
    ca_file: Path | None = None


@dataclass(frozen=True, slots=True)
class ReaderSettings:
    """The reader: `path` is the serial line of a pn532 (or nfcpy's `udp:host:port`); `none` has no reader."""

    kind: Literal["pn532", "udp", "none"] = "none"
    path: str | None = None


@dataclass(frozen=True, slots=True)
class DisplaySettings:
    """The touchscreen's local server; `assets` is the folder of the built page (None: no page, events only)."""

    host: str = "127.0.0.1"
    port: int = _DEFAULT_PORT
    assets: Path | None = None


@dataclass(frozen=True, slots=True)
class DeviceSettings:
    """What this clock is: `serial` as on its label (None: the machine's own id), `profile` as in hardware/."""

    serial: str | None = None
    profile: str = "core"


@dataclass(frozen=True, slots=True)
class SignalSettings:
    """Light and sound: folders of the kernel's LED class and of one PWM channel; all None: the clock has none."""

    green: Path | None = None
    red: Path | None = None
    buzzer: Path | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything from the file; `data_dir` holds the key, the journal and what the cloud last told."""

    data_dir: Path
    cloud: CloudSettings
    reader: ReaderSettings = field(default_factory=ReaderSettings)
    display: DisplaySettings = field(default_factory=DisplaySettings)
    device: DeviceSettings = field(default_factory=DeviceSettings)
    signals: SignalSettings = field(default_factory=SignalSettings)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the file; relative paths in it are relative to the file. Raises SettingsError."""
        try:
            raw = tomllib.loads(path.read_text("utf-8"))
        except OSError as fault:
            raise SettingsError(f"The file {path} cannot be read: {fault.strerror}.") from fault
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
            raise SettingsError(f"The file {path} is no valid TOML: {fault}") from fault
        return cls.from_table(raw, path.resolve().parent)

    @classmethod
    def from_table(cls, raw: dict[str, Any], base: Path) -> Self:
        """Settings from the file's tables; raises SettingsError."""
        top = _Table(raw, "")
        cloud, reader = top.table("cloud"), top.table("reader")
        display, device, signals = top.table("display"), top.table("device"), top.table("signals")
        kind = reader.text("kind") or "none"
        if kind not in _READER_KINDS:
            raise SettingsError(f"[reader] kind must be one of {', '.join(_READER_KINDS)}, not {kind!r}.")
        reader_path = reader.text("path")
        if kind != "none" and not reader_path:
            raise SettingsError("[reader] path is missing: the reader's line, for example '/dev/ttyAMA0'.")
        return cls(
            data_dir=top.path("data_dir", base) or base / "data",
            cloud=CloudSettings(url=_cloud_url(cloud.text("url")), ca_file=cloud.path("ca_file", base)),
            reader=ReaderSettings(kind=kind, path=reader_path),  # type: ignore[arg-type]  # checked against the list above
            display=DisplaySettings(
                host=display.text("host") or "127.0.0.1",
                port=display.number("port", _DEFAULT_PORT),
                assets=display.path("assets", base),
            ),
            device=DeviceSettings(serial=device.text("serial"), profile=device.text("profile") or "core"),
            signals=SignalSettings(
                green=signals.path("green", base), red=signals.path("red", base), buzzer=signals.path("buzzer", base)
            ),
        )


def _cloud_url(text: str | None) -> str:
    if not text:
        raise SettingsError("[cloud] url is missing: the cloud's address, for example 'https://zeit.example.de'.")
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise SettingsError(f"[cloud] url is no address with http:// or https://: {text!r}.")
    return text.rstrip("/")


class _Table:
    """One table of the file, read with checks that name the field."""

    def __init__(self, raw: dict[str, Any], name: str) -> None:
        self._raw, self._name = raw, name

    def _wrong(self, key: str, what: str) -> SettingsError:
        place = f"[{self._name}] " if self._name else ""
        return SettingsError(f"{place}{key} must be {what}.")

    def table(self, key: str) -> "_Table":
        value = self._raw.get(key, {})
        if not isinstance(value, dict):
            raise self._wrong(key, "a table")
        return _Table(value, key)

    def text(self, key: str) -> str | None:
        value = self._raw.get(key)
        if value is not None and not isinstance(value, str):
            raise self._wrong(key, "a text in quotation marks")
        return value.strip() or None if value is not None else None

    def number(self, key: str, default: int) -> int:
        value = self._raw.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 65535:
            raise self._wrong(key, "a number from 0 to 65535")
        return value

    def path(self, key: str, base: Path) -> Path | None:
        text = self.text(key)
        return None if text is None else base / Path(text).expanduser()
