"""The files of the demo: one folder, by default `var/demo`, that can be deleted when nothing runs."""

import os
from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Layout:
    """The demo's files under `folder`."""

    folder: Path

    @property
    def database(self) -> Path:
        """The service's embedded database."""
        return self.folder / "cloud" / "stempelwerk.db"

    @property
    def cloud_data(self) -> Path:
        """The service's files: its key and the database."""
        return self.folder / "cloud"

    @property
    def clock_data(self) -> Path:
        """The clock's key and journal."""
        return self.folder / "clock"

    @property
    def clock_config(self) -> Path:
        """The clock's configuration, written at every start."""
        return self.folder / "clock.toml"

    @property
    def reader(self) -> Path:
        """The link to the simulated reader's serial line."""
        return self.folder / "reader"

    @property
    def reader_socket(self) -> Path:
        """The socket for holding tags to the reader."""
        return self.folder / "reader.sock"

    @property
    def scanner(self) -> Path:
        """The link to the simulated scanner's serial line."""
        return self.folder / "scanner"

    @property
    def scanner_socket(self) -> Path:
        """The socket for holding tags to the scanner."""
        return self.folder / "scanner.sock"

    @property
    def socket(self) -> Path:
        """The socket for orders to a running demo."""
        return self.folder / "demo.sock"

    @property
    def mails(self) -> Path:
        """The caught mails, one file each."""
        return self.folder / "mails"

    @property
    def facts(self) -> Path:
        """The facts for other programs: what was made, and where it runs. Written last, so its presence means
        completeness.
        """
        return self.folder / "demo.json"

    def log(self, name: str) -> Path:
        """The output of a child."""
        return self.folder / f"{name}.log"


def add_folder_option(parser: ArgumentParser) -> None:
    """Adds the option `--dir`, the same for all of the demo's commands."""
    base = Path(os.environ.get("STEMPELWERK_DATA_DIR", "var"))
    parser.add_argument("--dir", type=Path, default=base / "demo", help="der Ordner der Demo (sonst: var/demo)")
