"""Fresh systems of Debian, as containers of systemd-nspawn, for installing like an administrator.

Each has no network but its own loopback, which all machines of one `Wire` share. A `Kind` defines the sort of system;
its base is made once and kept in `var/machines`. This needs root, and permission to start containers: `missing` gives
the reason otherwise.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BASES = ROOT / "var" / "machines"
_NEEDED = {"systemd-nspawn": "systemd-container", "mmdebstrap": "mmdebstrap", "ip": "iproute2"}
_START_S = 90.0
_CONTAINER = ("--quiet", "--register=no", "--keep-unit")
_ALONE = ("--resolv-conf=off", "--timezone=off")


@dataclass(frozen=True)
class Kind:
    """A sort of system: `packages` of a `suite` of Debian; `allowed` extends the permissions that nspawn gives.

    It starts by `first` (of nspawn), and has started once the script `ready` ends well.
    """

    suite: str
    packages: str
    allowed: tuple[str, ...]
    first: tuple[str, ...]
    ready: str

    def base(self) -> Path:
        """Returns the archive of a fresh system, made at the first call."""
        mark = hashlib.sha256(self.packages.encode()).hexdigest()[:12]
        archive = BASES / f"{self.suite}-{mark}.tar"
        if not archive.exists():
            BASES.mkdir(parents=True, exist_ok=True)
            for older in BASES.glob(f"{self.suite}-*.tar"):
                older.unlink()
            part = archive.with_suffix(f".{uuid.uuid4().hex}.tar")
            bootstrap_options = ("--variant=minbase", "--components=main", f"--include={self.packages}")
            subprocess.run(["mmdebstrap", "--quiet", *bootstrap_options, self.suite, part], check=True)
            part.rename(archive)
        return archive


DEBIAN = Kind(
    suite="bookworm",
    packages="ca-certificates,caddy,curl,dbus,libpam-systemd,postgresql,python3,sudo,systemd,systemd-sysv,"
    "systemd-timesyncd,udev",
    # A machine may read how the kernel's clock is steered; a container may not, by default.
    allowed=("--system-call-filter=adjtimex clock_adjtime",),
    first=("--boot",),
    ready="systemctl is-system-running | grep -E '^(running|degraded)$' || { systemctl list-jobs; false; }",
)
"""Debian 12 with a real systemd and the packages that the documents require."""


def missing() -> str | None:
    """Returns why no machine can run here; None if one can."""
    if os.geteuid() != 0:
        return "only root can start a machine"
    without = sorted(package for program, package in _NEEDED.items() if shutil.which(program) is None)
    if without:
        return f"not installed: {', '.join(without)} (tools/setup.sh packages)"
    place = ("--private-network", "--volatile=yes", "--directory=/", "--pipe")
    trial = subprocess.run(
        ["systemd-nspawn", *_CONTAINER, *DEBIAN.allowed, *place, "/bin/true"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return None if trial.returncode == 0 else f"systemd-nspawn does not work here: {trial.stderr.strip()}"


class Wire:
    """A network of its own with only a loopback; its machines meet there."""

    def __init__(self) -> None:
        self.name = f"sw-{uuid.uuid4().hex[:8]}"
        self.path = Path("/run/netns") / self.name

    def __enter__(self) -> Wire:
        subprocess.run(["ip", "netns", "add", self.name], check=True)
        subprocess.run(["ip", "-n", self.name, "link", "set", "lo", "up"], check=True)
        return self

    def python(self, script: Path, *arguments: str) -> None:
        """Runs a script of this project in the machines' network, on this system. Failed, with its output."""
        command = ["ip", "netns", "exec", self.name, sys.executable, script, *arguments]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            raise Failed(done.stdout)

    def __exit__(self, *_: object) -> None:
        subprocess.run(["ip", "netns", "delete", self.name], check=False)


class Failed(AssertionError):
    """A command in a machine failed; the message holds its output."""


class Machine:
    """One system, from its start to its removal. `root` is its file system; `devices` are this one's, by their name."""

    def __init__(self, name: str, kind: Kind, root: Path, wire: Wire, devices: Mapping[str, str]) -> None:
        self.name, self.kind, self.root = name, kind, root
        self._wire, self._devices = wire, devices
        self._container: subprocess.Popen[bytes] | None = None
        self._leader = 0

    def start(self) -> None:
        """Boots; returns once all services have started."""
        place = (f"--directory={self.root}", f"--machine={self.name}", f"--network-namespace-path={self._wire.path}")
        binds = [f"--bind={outside_path}:{inside_path}" for inside_path, outside_path in self._devices.items()]
        self._container = subprocess.Popen(
            ["systemd-nspawn", *_CONTAINER, *self.kind.allowed, *place, *binds, *_ALONE, *self.kind.first],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._leader = self._first_process(self._container.pid)
        self.wait_for(self.kind.ready, _START_S)

    def _first_process(self, container: int) -> int:
        """Returns the host's process id of the machine's first process."""
        deadline = time.monotonic() + _START_S
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                for child in Path(f"/proc/{container}/task/{container}/children").read_text("ascii").split():
                    status = Path(f"/proc/{child}/status").read_text("ascii")
                    if any(line.startswith("NSpid:") and line.split()[-1] == "1" for line in status.splitlines()):
                        return int(child)
            time.sleep(0.1)
        raise Failed(f"{self.name} does not start")

    def stop(self) -> None:
        """Cuts the power, as for a clock."""
        if self._container is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._leader, signal.SIGKILL)
        self._container.wait()
        self._container = None

    def run(self, script: str, *, stdin: str = "", user: str = "root", patience_s: float = 180) -> str:
        """Returns the output of a shell script in the machine. Failed, with the output, if its status is not 0."""
        done = self.try_(script, stdin=stdin, user=user, patience_s=patience_s)
        if done.returncode:
            raise Failed(f"{self.name}: status {done.returncode} of\n{script}\n{done.stdout}")
        return done.stdout

    def try_(
        self, script: str, *, stdin: str = "", user: str = "root", patience_s: float = 180
    ) -> subprocess.CompletedProcess[str]:
        """Runs a shell script (bash, ends at the first failure) in /srv; stdout and stderr together."""
        command = ["nsenter", "--target", str(self._leader), "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup"]
        command += [f"--root=/proc/{self._leader}/root", "env", "-i", "-C", "/srv", "LANG=C.UTF-8", "HOME=/root"]
        command += ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]
        command += ["DEBIAN_FRONTEND=noninteractive", *(("runuser", "-u", user, "--") if user != "root" else ())]
        return subprocess.run(
            [*command, "bash", "-euo", "pipefail", "-c", script],
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=patience_s,
            check=False,
        )

    def wait_for(self, script: str, patience_s: float = 60) -> None:
        """Waits until a script succeeds. Failed after the timeout."""
        deadline, last = time.monotonic() + patience_s, ""
        while time.monotonic() < deadline:
            done = self.try_(script)
            if done.returncode == 0:
                return
            last = done.stdout
            time.sleep(0.3)
        raise Failed(f"{self.name}: not within {patience_s:.0f} s: {script}\n{last}")

    def put(self, source: Path, target: str) -> None:
        """Copies a file into the machine."""
        place = self.root / target.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, place)


def unpack(archive: Path, folder: Path) -> None:
    """Extracts everything unfiltered. Debian's own Python 3.11 does not know filters by name yet, and then uses no
    filter.
    """
    with tarfile.open(archive) as opened:
        opened.extraction_filter = lambda member, _: member
        opened.extractall(folder)


@contextlib.contextmanager
def machine(
    name: str,
    wire: Wire,
    *,
    kind: Kind = DEBIAN,
    devices: Mapping[str, str] | None = None,
    without: Sequence[str] = (),
) -> Iterator[Machine]:
    """Yields a fresh running machine, which is removed at the end. `without`: units that it does not have."""
    with tempfile.TemporaryDirectory(prefix=f"stempelwerk-{name}-", dir="/var/tmp") as folder:  # not in memory
        root = Path(folder) / "root"
        root.mkdir()
        unpack(kind.base(), root)
        (root / "etc/hostname").write_text(f"{name}\n", "ascii")
        (root / "etc/hosts").write_text(f"127.0.0.1 localhost {name}\n", "ascii")
        for unit in without:
            (root / "etc/systemd/system" / unit).symlink_to("/dev/null")
        new_machine = Machine(name, kind, root, wire, devices or {})
        try:
            new_machine.start()
            yield new_machine
        finally:
            new_machine.stop()
