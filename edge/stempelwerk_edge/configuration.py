"""The clock's configuration: one TOML file, read once at start.

The cloud's configuration (name, company, zone, batch size, rules) is no setting; it comes with the heartbeat.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from stempelwerk_edge.errors import NotSetUp, SettingsError
from stempelwerk_edge.german import reason_of
from stempelwerk_edge.parsing import read_toml

_READER_KINDS = ("pn532", "udp", "none")
_DEFAULT_PORT = 8090


@dataclass(frozen=True, slots=True)
class CloudSettings:
    """The cloud's address: `url` without a slash at its end; `ca_file` a certificate authority of one's own (PEM).

    `proxy` is the HTTP proxy on the way there, as `http://[user:password@]host[:port]`; None: no proxy, whatever the
    environment has.
    """

    url: str
    ca_file: Path | None = None
    proxy: str | None = field(default=None, repr=False)  # there may be a password in it


@dataclass(frozen=True, slots=True)
class ReaderSettings:
    """The reader: `path` is the serial line of a pn532 (or nfcpy's `udp:host:port`). The kind `"none"`: the clock has
    no reader.
    """

    kind: Literal["pn532", "udp", "none"] = "none"
    path: str | None = None


@dataclass(frozen=True, slots=True)
class DisplaySettings:
    """The touchscreen's local server; `assets` is the folder of the built page if the program brings no page."""

    host: str = "127.0.0.1"
    port: int = _DEFAULT_PORT
    assets: Path | None = None


@dataclass(frozen=True, slots=True)
class DeviceSettings:
    """This clock: `serial` as on its label (None: the machine's own id), `profile` as in hardware/."""

    serial: str | None = None
    profile: str = "core"


@dataclass(frozen=True, slots=True)
class SignalSettings:
    """Light and sound: folders of the kernel's LED class and of one PWM channel; all None: the clock has neither."""

    green: Path | None = None
    red: Path | None = None
    buzzer: Path | None = None


MOST_LINES = 12


@dataclass(frozen=True, slots=True)
class SatelliteSettings:
    """Portable scanners: `paths` are their serial lines (device files, or patterns such as `/dev/scanner*`).

    At most `MOST_LINES` are served at once. Empty: this clock is no base. `firmware`: the folder of their images in
    place of the one that comes with the program.
    """

    paths: tuple[str, ...] = ()
    firmware: Path | None = None


@dataclass(frozen=True, slots=True)
class UnknownKey:
    """A key of the file that is no setting, and the setting that is most like it; both as `[table] key`."""

    name: str
    nearest: str | None


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything from the file; `data_dir` holds the key, the journal and the cloud's last answers.

    `unknown` lists keys of the file without a meaning: they stop nothing, but are probably a mistake.
    """

    data_dir: Path
    cloud: CloudSettings
    reader: ReaderSettings = field(default_factory=ReaderSettings)
    display: DisplaySettings = field(default_factory=DisplaySettings)
    device: DeviceSettings = field(default_factory=DeviceSettings)
    signals: SignalSettings = field(default_factory=SignalSettings)
    satellites: SatelliteSettings = field(default_factory=SatelliteSettings)
    unknown: tuple[UnknownKey, ...] = ()

    @classmethod
    def load(cls, path: Path) -> Self:
        """Reads the file; relative paths in it are relative to the file. Raises SettingsError."""
        try:
            raw = read_toml(path.read_text("utf-8-sig"))  # editors on Windows put a mark before the first line
        except FileNotFoundError as fault:
            raise NotSetUp(f"Die Datei {path} lässt sich nicht lesen: {reason_of(fault)}.") from fault
        except OSError as fault:
            raise SettingsError(f"Die Datei {path} lässt sich nicht lesen: {reason_of(fault)}.") from fault
        except ValueError as fault:
            raise SettingsError(f"Die Datei {path} ist kein gültiges TOML: {fault}") from fault
        try:
            return cls.from_table(raw, path.resolve().parent)
        except SettingsError as fault:
            strangers = in_words(tuple(unknown_keys(raw)), "gemeint ist vielleicht")
            raise type(fault)(f"{fault} Keine Einstellungen sind: {strangers}." if strangers else str(fault)) from fault

    @classmethod
    def from_table(cls, raw: dict[str, Any], base: Path) -> Self:
        """Reads settings from the file's tables; raises SettingsError, NotSetUp without the cloud's address."""
        top = _Table(raw, "")
        cloud, reader = top.table("cloud"), top.table("reader")
        url = _cloud_url(cloud.text("url"))  # first, since whether the clock is set up does not depend on the rest
        display, device, signals = top.table("display"), top.table("device"), top.table("signals")
        satellites = top.table("satellites")
        kind = reader.text("kind") or "none"
        if kind not in _READER_KINDS:
            raise SettingsError(f"[reader] kind muss eines von {', '.join(_READER_KINDS)} sein, nicht {kind!r}.")
        reader_path = reader.text("path")
        if kind != "none" and not reader_path:
            raise SettingsError("[reader] path fehlt: die Leitung des Lesers, zum Beispiel '/dev/ttyAMA0'.")
        return cls(
            data_dir=top.path("data_dir", base) or base / "data",
            cloud=CloudSettings(
                url=url,
                ca_file=cloud.path("ca_file", base),
                proxy=_proxy(cloud.text("proxy")),
            ),
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
            satellites=SatelliteSettings(satellites.texts("paths"), satellites.path("firmware", base)),
            unknown=tuple(unknown_keys(raw)),
        )


_TABLES: dict[str, Any] = {
    "cloud": CloudSettings,
    "reader": ReaderSettings,
    "display": DisplaySettings,
    "device": DeviceSettings,
    "signals": SignalSettings,
    "satellites": SatelliteSettings,
}
_KEYS = {"": ("data_dir", *_TABLES), **{name: tuple(f.name for f in fields(kind)) for name, kind in _TABLES.items()}}


def unknown_keys(raw: dict[str, Any]) -> Iterator[UnknownKey]:
    """Yields the keys in the file's tables that are no setting, in the file's order."""
    for key, value in raw.items():
        if key not in _KEYS[""]:
            yield UnknownKey(_qualified_key(key) if isinstance(value, dict) else key, _nearest("", key))
        elif key in _TABLES and isinstance(value, dict):
            yield from (UnknownKey(f"[{key}] {k}", _nearest(key, k)) for k in value if k not in _KEYS[key])


def in_words(unknown: tuple[UnknownKey, ...], perhaps: str) -> str:
    """Returns the unknown keys as one text: each with the setting that is `perhaps` meant."""
    return ", ".join(f"{key.name} ({perhaps} {key.nearest})" if key.nearest else key.name for key in unknown)


def _nearest(table: str, key: str) -> str | None:
    """Returns a setting of this name in another table (a line below the wrong heading), or one of much the same name
    here.
    """
    at_home = [name for name, keys in _KEYS.items() if key in keys]
    if at_home:
        return _qualified_key(key, at_home[0])
    close = get_close_matches(key.lower(), _KEYS[table], 1)
    return _qualified_key(close[0], table) if close else None


def _qualified_key(key: str, table: str = "") -> str:
    if table:
        return f"[{table}] {key}"
    return key if key == "data_dir" else f"[{key}]"


def _cloud_url(text: str | None) -> str:
    """Returns the address as the clock signs it: the cloud compares it with its own, which has no path."""
    if not text:
        raise NotSetUp("[cloud] url fehlt: die Adresse der Cloud, zum Beispiel 'https://zeit.example.de'.")
    try:
        parts = urlsplit(text)
        sound = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and " " not in text
    except ValueError:
        sound = False
    if not sound:
        raise SettingsError(f"[cloud] url ist keine Adresse mit http:// oder https://: {text!r}.")
    address = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    if "@" in parts.netloc or parts.path not in ("", "/") or "?" in text or "#" in text:
        raise SettingsError(
            f"[cloud] url muss die Adresse allein sein, ohne Pfad, Abfrage oder Benutzer: {address!r}, wenn das in"
            " STEMPELWERK_PUBLIC_URL der Cloud steht."
        )
    return address


def _proxy(text: str | None) -> str | None:
    if text is None:
        return None
    try:
        parts = urlsplit(text)
        sound = parts.scheme == "http" and parts.hostname and parts.port != 0 and parts.path in ("", "/")
    except ValueError:
        sound = False
    if not sound or any(character in text for character in " ?#"):
        # The value is not repeated: there may be a password in it.
        raise SettingsError("[cloud] proxy muss die Adresse allein sein, zum Beispiel 'http://proxy.example.de:3128'.")
    return text


class _Table:
    """One table of the file, read with checks that name the field."""

    def __init__(self, raw: dict[str, Any], name: str) -> None:
        self._raw, self._name = raw, name

    def _wrong(self, key: str, problem: str) -> SettingsError:
        place = f"[{self._name}] " if self._name else ""
        return SettingsError(f"{place}{key} muss {problem} sein.")

    def table(self, key: str) -> "_Table":
        value = self._raw.get(key, {})
        if not isinstance(value, dict):
            raise self._wrong(key, "eine Tabelle")
        return _Table(value, key)

    def text(self, key: str) -> str | None:
        value = self._raw.get(key)
        if value is not None and not (isinstance(value, str) and "\0" not in value):
            raise self._wrong(key, "ein Text in Anführungszeichen")
        return value.strip() or None if value is not None else None

    def texts(self, key: str) -> tuple[str, ...]:
        value = self._raw.get(key, [])
        if not isinstance(value, list) or not all(isinstance(text, str) and text.strip() for text in value):
            raise self._wrong(key, "eine Liste von Texten in Anführungszeichen")
        return tuple(text.strip() for text in value)

    def number(self, key: str, default: int) -> int:
        value = self._raw.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 65535:
            raise self._wrong(key, "eine Zahl von 0 bis 65535")
        return value

    def path(self, key: str, base: Path) -> Path | None:
        text = self.text(key)
        try:
            return None if text is None else base / Path(text).expanduser()
        except RuntimeError as fault:
            raise self._wrong(key, f"der Pfad eines Benutzers dieser Maschine, anders als {text!r},") from fault
