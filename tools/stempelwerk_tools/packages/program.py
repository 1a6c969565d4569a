"""Lays a program into a folder as it will lie under `/opt`: a virtual environment with its dependencies, by the hashes
of the lock, and a command. It has no compiler, linter, test or pip.

The environment uses the machine's `/usr/bin/python3`, which the Debian package requires.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from stempelwerk_tools.packages.closure import extract_entries, required_packages

ROOT = Path(__file__).resolve().parents[3]
PYTHON = "3.11"
_PYTHON = "/usr/bin/python3"
_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
_TESTS = frozenset({"tests", "test", "SelfTest", "test_data"})
_UNREAD = frozenset({".c", ".h", ".cpp", ".pxd", ".pyi", ".pyx"})
_COMMAND = """\
#!/opt/{name}/bin/python -I
import sys

from {module}.__main__ import main

sys.exit(main())
"""


class NotBuilt(Exception):
    """A step failed; the message names it and has its output."""


@dataclass(frozen=True)
class Program:
    """`folder` of the source tree holds the Python package `module`; `name` is the command's and the package's."""

    name: str
    folder: str
    module: str


CLOUD = Program("stempelwerk-cloud", "cloud", "stempelwerk_cloud")
EDGE = Program("stempelwerk-edge", "edge", "stempelwerk_edge")


def lay_down(program: Program, opt: Path, architecture: str) -> None:
    """Makes `opt/<name>` with the program for a Debian architecture. NotBuilt, NotLocked."""
    home = opt / program.name
    packages = home / "lib" / f"python{PYTHON}" / "site-packages"
    packages.mkdir(parents=True)
    machine = _MACHINES[architecture]
    lock = home / "requirements.lock"
    lock.write_text(
        extract_entries(
            (ROOT / "requirements.lock").read_text("utf-8"),
            required_packages(program.name, {"platform_machine": machine}),
        ),
        encoding="utf-8",
    )
    wheel = wheel_of(program, home)
    install = [_uv(), "pip", "install", "-q", "--python", sys.executable, "--target", str(packages), "--no-deps"]
    # Without isolation the few source packages are built by the locked setuptools, not by a separately fetched one.
    install += ["--python-platform", f"{machine}-manylinux_2_28", "--python-version", PYTHON, "--no-build-isolation"]
    run([*install, "--require-hashes", "-r", str(lock)])
    run([*install, str(wheel)])
    wheel.unlink()
    shutil.rmtree(packages / "bin", ignore_errors=True)
    (packages / ".lock").unlink(missing_ok=True)
    slim(packages)
    _environment(program, home)
    # Bytecode is validated by content and not by time: a changed modification time must not cause recompilation.
    by_content = ("--invalidation-mode", "unchecked-hash")
    run([_PYTHON, "-m", "compileall", "-q", "-s", str(opt), "-p", "/opt", *by_content, str(packages)])


def slim(packages: Path) -> None:
    """Removes unused files of libraries: their tests, their C sources and the stubs of their types."""
    for folder in sorted(packages.rglob("*"), reverse=True):
        if folder.is_dir() and folder.name in _TESTS:
            shutil.rmtree(folder)
    for file in packages.rglob("*"):
        if file.suffix in _UNREAD and file.is_file():
            file.unlink()


def built_pages(name: str) -> Path:
    """Returns the folder of pages that the web's build made under this name. NotBuilt."""
    folder = ROOT / "web" / "dist" / name
    if not (folder / "index.html").is_file():
        raise NotBuilt("The pages are not built: run 'make build' first.")
    return folder


def _environment(program: Program, home: Path) -> None:
    """Makes the folder a virtual environment, for its later path."""
    commands = home / "bin"
    commands.mkdir()
    (commands / "python").symlink_to(_PYTHON)
    (home / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = false\n", encoding="utf-8")
    command = commands / program.name
    command.write_text(_COMMAND.format(name=program.name, module=program.module), encoding="utf-8")
    command.chmod(0o755)


def wheel_of(program: Program, target: Path) -> Path:
    """Builds the program's wheel into a folder; the clock's brings the touchscreen's page. NotBuilt."""
    if program is EDGE:
        built_pages("kiosk")
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)], ROOT / program.folder)
    (wheel,) = target.glob(f"{program.module}-*.whl")
    return wheel


def _uv() -> str:
    return str(Path(sys.executable).parent / "uv")


def run(command: list[str], folder: Path | None = None, environment: dict[str, str] | None = None) -> str:
    """Runs a step and returns its stdout. Raises NotBuilt, with the output, if it fails or is missing."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=os.environ | (environment or {}),
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        raise NotBuilt(f"{command[0]} is not installed: run 'tools/setup.sh packages' as root.") from None
    if done.returncode:
        raise NotBuilt(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout
