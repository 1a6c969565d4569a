"""A server and a clock as an administrator sets them up: fresh machines, the packages, and the steps of the documents.

The machines have no network, so three things differ from the documents' world: Debian's own packages are already there
and no list of packages is fetched, the server's name is in `/etc/hosts`, and Caddy is its own authority for
certificates, which the clock trusts by configuration.
"""

import contextlib
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stempelwerk_tools.simulators.pty_reader import PtyReader

from tools.tests.installed.machine import Machine, Wire, machine
from tools.tests.installed.pages import steps

NAME = "zeit.example.de"
PASSWORD = "ein langes Passwort"
_DIALOUT = 20
_AUTHORITY = "/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt"
_UPDATE_LISTS = "sudo apt-get update\n"


def with_version(package: Path, version: str, folder: Path) -> Path:
    """Repacks the package under another version, for updating from it and going back to it."""
    tree = folder / f"{package.stem}-{version}"
    subprocess.run(["dpkg-deb", "-R", package, tree], check=True)
    control = tree / "DEBIAN" / "control"
    (old_version,) = re.findall(r"^Version: (\S+)$", control.read_text("utf-8"), re.MULTILINE)
    control.write_text(
        control.read_text("utf-8").replace(f"Version: {old_version}\n", f"Version: {version}\n"), "utf-8"
    )
    copy = folder / package.name.replace(old_version, version)
    subprocess.run(["dpkg-deb", "-Zgzip", "-z1", "-b", tree, copy], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(tree)
    return copy


@dataclass
class Site:
    """`server` runs the service with Caddy in front, `clock` the agent, whose reader is a simulated PN532 on a real
    line.
    """

    wire: Wire
    server: Machine
    clock: Machine
    reader: PtyReader

    def screen(self) -> dict[str, Any]:
        """The view of the clock's touchscreen."""
        event = self.clock.run("timeout 5 curl -sN http://127.0.0.1:8090/events | grep -m1 ^data: || true")
        view: dict[str, Any] = json.loads(event.removeprefix("data:"))
        return view

    def sql(self, statement: str) -> str:
        """Queries the service's database directly."""
        return self.server.run(f'sudo -u postgres psql -At stempelwerk -c "{statement}"').strip()

    def log(self, from_time: str = "-1h", options: str = "") -> str:
        """Returns the service's log."""
        return self.server.run(f"journalctl --namespace=stempelwerk-cloud --no-pager -o cat -S {from_time} {options}")


@contextlib.contextmanager
def site(cloud: Path, edge: Path) -> Iterator[Site]:
    """Yields both machines, installed from these packages and running."""
    with Wire() as wire, PtyReader() as reader:
        devices = {"/dev/stempelwerk-reader": with_permission_for_dialout(reader)}
        servers = ("caddy.service", "postgresql.service")
        with machine("server", wire) as server, machine("clock", wire, devices=devices, without=servers) as clock:
            install_server(server, cloud)
            install_clock(clock, server, edge)
            yield Site(wire, server, clock, reader)


def with_permission_for_dialout(reader: PtyReader) -> str:
    """Gives the reader's line the group that udev gives serial lines; returns its path."""
    line = Path(reader.path).resolve()
    shutil.chown(line, 0, _DIALOUT)
    line.chmod(0o660)
    return str(line)


def install_server(server: Machine, package: Path) -> None:
    server.put(package, f"/srv/{package.name}")
    server.run(f"echo '127.0.0.1 {NAME}' >> /etc/hosts")
    # Without access to Let's Encrypt, Caddy is an authority of its own, and this machine trusts it.
    install, database, settings, start, proxy = steps("docs/operations.md", "install")
    for script in (_offered(install, package), database, settings):
        server.run(script)
    server.run(start, stdin=f"{PASSWORD}\n")
    copy, reload, ask = proxy.strip().splitlines()
    server.run(copy)
    server.run("sed -i 's/^}/\\ttls internal\\n}/' /etc/caddy/Caddyfile")
    server.run(reload)
    server.wait_for(f"test -s {_AUTHORITY}")
    server.run(f"cp {_AUTHORITY} /usr/local/share/ca-certificates/caddy.crt && update-ca-certificates >/dev/null")
    server.wait_for(ask)


def _offered(install: str, package: Path) -> str:
    """Returns the installation step for the given package; no lists are fetched."""
    return re.sub(r"\./stempelwerk-\S+\.deb", f"./{package.name}", install.replace(_UPDATE_LISTS, ""))


def install_clock(clock: Machine, server: Machine, package: Path) -> None:
    clock.put(package, f"/srv/{package.name}")
    clock.run(f"echo '127.0.0.1 {NAME}' >> /etc/hosts")
    install, address, check, start = steps("docs/clock.md", "install")
    clock.run(_offered(install, package))
    clock.run(address)
    authority = "/etc/stempelwerk-edge/ca.pem"
    clock.put(server.root / _AUTHORITY.lstrip("/"), authority)
    clock.run(f"chmod 0644 {authority}")
    clock.run(f"""sed -i 's|^# ca_file = "{authority}"|ca_file = "{authority}"|' /etc/stempelwerk-edge/*.toml""")
    clock.run(check)
    clock.run(start)
