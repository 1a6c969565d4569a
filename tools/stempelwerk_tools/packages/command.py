"""The command `stempelwerk packages`: builds packages and image into `var/packages`.

`tools/setup.sh packages` installs the system packages that it needs (debhelper, mmdebstrap). It also works without
root.
"""

import argparse
import os
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

from stempelwerk_tools.packages import debian, image
from stempelwerk_tools.packages.closure import NotLocked
from stempelwerk_tools.packages.program import CLOUD, EDGE, ROOT, NotBuilt

TARGET = ROOT / "var" / "packages"
_ARCHITECTURES = ("amd64", "arm64")

Make = Callable[[str, str, Path, Path], list[Path]]
MAKES: dict[str, Make] = {
    "cloud": lambda *how: debian.make(CLOUD, *how),
    "clock": lambda *how: debian.make(EDGE, *how),
    "image": image.make,
}
"""The builders, by name."""
_HERE_ALONE = "image"
"""The package that only a machine of its architecture can build: the build runs programs of the base system."""


def main(arguments: Sequence[str]) -> int:
    """Builds; exit status 1 if a step fails, 2 for a wrong call."""
    parser = argparse.ArgumentParser(prog="stempelwerk packages", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(MAKES)}; all of them without any")
    parser.add_argument("--out", type=Path, default=TARGET, metavar="FOLDER", help="where they are put (var/packages)")
    parser.add_argument("--arch", choices=_ARCHITECTURES, help="for another machine than this one")
    parser.add_argument(
        "--build-version", default=version(CLOUD.name), metavar="V", help="another one than the source's"
    )
    parser.add_argument(
        "--without-root",
        action="store_true",
        help="make the clock's package even if it has no root of trust: its clocks take no updates over the network",
    )
    options = parser.parse_args(arguments)
    if unknown := sorted(set(options.names) - set(MAKES)):
        parser.error(f"there is no {', '.join(unknown)}; there are {', '.join(MAKES)}")
    os.umask(0o022)  # packed files must be readable for all users
    own_architecture = _own_architecture()
    architecture = options.arch or own_architecture
    possible = [name for name in MAKES if architecture == own_architecture or name != _HERE_ALONE]
    if impossible := sorted(set(options.names) - set(possible)):
        parser.error(f"the {', '.join(impossible)} for {architecture} is made on such a machine alone")
    names = options.names or possible
    try:
        if "clock" in names and not options.without_root:
            debian.check_root()
        for name in names:
            print(f"{name} {options.build_version} for {architecture} …", flush=True)
            with tempfile.TemporaryDirectory(prefix="stempelwerk-package-") as folder:
                work = Path(folder) / "work"
                work.mkdir()
                print(*MAKES[name](options.build_version, architecture, work, options.out), sep="\n")
    except (NotBuilt, NotLocked) as fault:
        print(f"stempelwerk packages: {fault}")
        return 1
    return 0


def _own_architecture() -> str:
    return subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout.strip()
