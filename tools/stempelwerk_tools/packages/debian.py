"""Makes a program's Debian package with debhelper, from `<folder>/deploy` and a folder that holds the program.

It needs no root and changes nothing on this machine.
"""

import shutil
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

from tuf.api.exceptions import RepositoryError
from tuf.api.metadata import Metadata, Root

from stempelwerk_tools.packages.program import CLOUD, EDGE, ROOT, NotBuilt, Program, built_pages, lay_down, run

RULES = Path(__file__).with_name("rules")
TRUST = ROOT / EDGE.folder / "deploy" / "root.json"
"""The root of trust for the signatures of updates; clocks without it take no updates."""
_SCRIPTS = ("preinst", "postinst", "prerm", "postrm")


def check_root() -> None:
    """Checks the root that the clock's package brings, which may have expired long ago. Raises NotBuilt if it is
    missing.
    """
    try:
        root = Metadata[Root].from_bytes(TRUST.read_bytes())
        root.signed.verify_delegate(Root.type, root.signed_bytes, root.signatures)
    except (OSError, RepositoryError) as fault:
        raise NotBuilt(
            f"{TRUST.relative_to(ROOT)} is missing or no root that can be trusted ({fault}).\n"
            "Clocks of a package without it take no updates over the network. It is `metadata/1.root.json` of the key"
            " ceremony (docs/key-ceremony.md): copy it there.\n"
            "For development: --without-root (make packages WITHOUT_ROOT=1)."
        ) from None


def make(program: Program, version: str, architecture: str, work: Path, target: Path) -> list[Path]:
    """Makes the package's file in `target`; `work` is an empty folder for the build. NotBuilt, NotLocked."""
    lay_down(program, work / "opt", architecture)
    deploy, debian = ROOT / program.folder / "deploy", work / "debian"
    if program is EDGE and TRUST.exists():
        shutil.copy(TRUST, work / "opt" / program.name)
    shutil.copytree(deploy, work / "deploy", ignore=shutil.ignore_patterns("debian"))
    shutil.copytree(deploy / "debian", debian)
    shutil.copytree(ROOT / "docs", work / "docs")
    shutil.copy(ROOT / "CHANGELOG.md", work)
    if program is CLOUD:
        shutil.copytree(built_pages("app"), work / "opt" / program.name / "web")
    shutil.copy(RULES, debian / "rules")
    for executable in ["rules", *_SCRIPTS]:
        if (debian / executable).exists():
            (debian / executable).chmod(0o755)
    (debian / "changelog").write_text(_changelog(program, version), encoding="utf-8")
    run(
        ["dpkg-buildpackage", "--build=binary", f"--host-arch={architecture}", "--no-sign", "--no-check-builddeps"],
        work,
        {"DEB_BUILD_OPTIONS": "nocheck nostrip"},
    )
    (package,) = work.parent.glob(f"{program.name}_{version}_{architecture}.deb")
    target.mkdir(parents=True, exist_ok=True)
    return [Path(shutil.move(package, target / package.name))]


def _changelog(program: Program, version: str) -> str:
    """Returns Debian's changelog; CHANGELOG.md, which the package brings, has the changes for people."""
    now = format_datetime(datetime.now(UTC))
    lines = [
        f"{program.name} ({version}) stable; urgency=medium",
        f"  * See /usr/share/doc/{program.name}/CHANGELOG.md.",
        f" -- Stempelwerk <pakete@stempelwerk.example>  {now}",
    ]
    return "\n\n".join(lines) + "\n"
