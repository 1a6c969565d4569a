"""The wheels of a version: the clock's own, and its locked dependencies on a platform, by their hashes."""

import sys
from importlib.metadata import version
from pathlib import Path

from stempelwerk_tools.packages.closure import extract_entries, required_packages
from stempelwerk_tools.packages.program import EDGE, ROOT, NotBuilt, run

PLATFORMS = ("cp311-x86_64", "cp311-aarch64")
_TAGS = ("manylinux_2_28", "manylinux_2_17", "manylinux2014")


def current() -> str:
    """Returns the version of the source."""
    return version(EDGE.name)


def fetch_dependencies(platform: str, folder: Path) -> list[Path]:
    """Fetches the clock's dependencies for this platform into an empty folder. NotBuilt, NotLocked."""
    python, _, machine = platform.partition("-")
    names = required_packages(EDGE.name, {"platform_machine": machine})
    folder.mkdir(parents=True)
    lock = folder / "requirements.lock"
    lock.write_text(extract_entries((ROOT / "requirements.lock").read_text("utf-8"), names), "utf-8")
    pip = [sys.executable, "-m", "pip"]
    how = ["-q", "--no-deps", "--no-build-isolation", "--implementation", "cp", "--python-version", python[2:]]
    tags = [word for tag in _TAGS for word in ("--platform", f"{tag}_{machine}")]
    run([*pip, "download", *how, *tags, "--require-hashes", "-d", str(folder), "-r", str(lock)])
    for source in folder.glob("*.tar.gz"):  # source packages are pure Python, or do not fit another machine
        run([*pip, "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(folder), str(source)])
    wheels = sorted(folder.glob("*.whl"))
    if strange := [wheel.name for wheel in wheels if not wheel.name.endswith(("-any.whl", f"_{machine}.whl"))]:
        raise NotBuilt(f"Nicht für {platform}: {', '.join(strange)}")
    if len(wheels) != len(names):
        raise NotBuilt(f"{len(wheels)} Wheels für {len(names)} Pakete.")
    return wheels
