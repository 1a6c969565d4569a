"""The image and its compose file under a real Docker, as the documents instruct: up, saved, updated, gone back.

The engine is Debian 13's, for Debian 12 has no compose 2. No registry can be reached, so the database's image is one of
ours: Debian's PostgreSQL 15 with an entry point that heeds the two variables that compose.yaml gives the official one.
"""

import contextlib
import json
import re
import shutil
import tarfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from stempelwerk_tools.packages.image import COMPOSE

from tools.tests.installed.machine import DEBIAN, Kind, Machine, Wire, machine, missing
from tools.tests.installed.pages import steps
from tools.tests.installed.site import PASSWORD

pytestmark = [pytest.mark.machines, pytest.mark.proof("installed")]

OLDER = "1.4.9"
_CGROUPS = "stempelwerk-tests"
ENGINE = Kind(
    suite="trixie",
    packages="ca-certificates,curl,docker-cli,docker-compose,docker.io,iproute2,iptables,mount,openssl",
    allowed=("--capability=all", "--system-call-filter=@keyring bpf"),
    # The engine makes its own cgroups and sets up its network, in files that nspawn shows read-only.
    first=(
        "--as-pid2",
        "bash",
        "-c",
        'for one in /proc/sys /sys/fs/cgroup /sys/fs/cgroup/*/; do mount -o remount,bind,rw "$one" || true; done; '
        f"exec dockerd --cgroup-parent=/{_CGROUPS} >/var/log/dockerd.log 2>&1",
    ),
    ready="docker info >/dev/null || { tail /var/log/dockerd.log; false; }",
)
_DATABASE = """#!/bin/bash
set -euo pipefail
data=/var/lib/postgresql/data bin=/usr/lib/postgresql/15/bin
install -d -o postgres -g postgres -m 700 "$data" /run/postgresql
as() { runuser -u postgres -- "$@"; }
if [ ! -e "$data/PG_VERSION" ]; then
  install -o postgres -m 600 /dev/stdin /tmp/password <<<"$POSTGRES_PASSWORD"
  as $bin/initdb -D "$data" -U "$POSTGRES_USER" -E UTF8 --locale=C.UTF-8 --pwfile=/tmp/password
  echo "host all all all scram-sha-256" >>"$data/pg_hba.conf"
  as $bin/pg_ctl -D "$data" -o "-c listen_addresses=''" -w start
  as $bin/createdb -U "$POSTGRES_USER" "$POSTGRES_USER"
  as $bin/pg_ctl -D "$data" -w stop
fi
exec runuser -u postgres -- $bin/postgres -D "$data" -c listen_addresses='*'
"""


_IMAGE = re.findall(r"image: (postgres:\S+)", COMPOSE.read_text("utf-8"))[0]


@pytest.fixture(scope="module")
def engine() -> Iterator[Machine]:
    """Yields a machine with Docker that has the database's image."""
    if reason := missing():
        pytest.skip(reason)
    with Wire() as wire, _no_groups_left(), machine("engine", wire, kind=ENGINE) as engine:
        archive = engine.root / "srv/database.tar"
        shutil.copy(DEBIAN.base(), archive)
        entry = tarfile.TarInfo("usr/local/bin/database")
        entry.size, entry.mode = len(_DATABASE), 0o755
        with tarfile.open(archive, "a") as system:
            system.addfile(entry, BytesIO(_DATABASE.encode()))
        change = """--change 'ENTRYPOINT ["/usr/local/bin/database"]'"""
        engine.run(f"docker import {change} database.tar {_IMAGE} && rm database.tar")
        yield engine


@contextlib.contextmanager
def _no_groups_left() -> Iterator[None]:
    """Removes the engine's cgroups, which belong to this system and outlive their processes."""
    yield
    for group in sorted(Path("/sys/fs/cgroup").rglob(f"{_CGROUPS}/**/"), reverse=True):
        group.rmdir()


class Stack:
    """The containers of one compose file in /srv, and the image's file next to it."""

    def __init__(self, engine: Machine, image: Path) -> None:
        self.engine, self._image = engine, image
        self._compose = (image.parent / "compose.yaml").read_text("utf-8")
        (self.version,) = re.findall(r"image: stempelwerk-cloud:(.+)$", self._compose, re.MULTILINE)

    def bring(self, version: str) -> None:
        """Provides only image and compose file of this version; an older one is this one under another name."""
        place = self.engine.root / "srv"
        for earlier in place.glob("*.oci.tar"):
            earlier.unlink()
        (place / "compose.yaml").write_text(self._compose.replace(self.version, version), "utf-8")
        file = place / self._image.name.replace(self.version, version)
        with tarfile.open(self._image) as source, tarfile.open(file, "w") as target:
            for entry in source:
                content = source.extractfile(entry)
                if content is not None and entry.name.endswith(".json"):  # the documents that name the image
                    text = content.read().replace(self.version.encode(), version.encode())
                    entry.size, content = len(text), BytesIO(text)
                target.addfile(entry, content)

    def type(self, script: str, stdin: str = "") -> str:
        """Types a step of the page, with the name of the present image file."""
        (image_archive,) = (self.engine.root / "srv").glob("*.oci.tar")
        return self.engine.run(re.sub(r"stempelwerk-cloud_\S+\.oci\.tar", image_archive.name, script), stdin=stdin)

    def founder(self, name: str) -> None:
        command = f"docker compose run --rm -T cloud create-founder --username {name} --password-stdin"
        self.engine.run(command, stdin=f"{PASSWORD}\n")

    def lets_in(self, name: str) -> bool:
        """Returns whether the service knows this administrator."""
        body = json.dumps({"company": "Plattform", "username": name, "password": PASSWORD})
        answer = self.engine.run(
            "curl -sS -H 'Content-Type: application/json' -d @- http://127.0.0.1:8000/api/login", stdin=body
        )
        success: bool = json.loads(answer)["success"]
        return success

    def runs(self) -> str:
        """Returns the image that serves."""
        return self.engine.run("docker inspect -f '{{.Config.Image}}' \"$(docker compose ps -q cloud)\"").strip()


def test_the_containers_are_started_saved_updated_and_brought_back_as_the_page_says(
    engine: Machine, image_file: Path
) -> None:
    start, save, update, restore = steps("docs/operations.md", "containers")
    stack = Stack(engine, image_file)
    stack.bring(OLDER)
    assert '"status":"ok"' in stack.type(start, stdin=f"{PASSWORD}\n")
    assert stack.runs() == f"stempelwerk-cloud:{OLDER}"
    assert stack.lets_in("gerda")

    stack.type(save)
    stack.founder("hilde")
    stack.bring(stack.version)
    stack.type(update)
    assert stack.runs() == f"stempelwerk-cloud:{stack.version}"
    assert (stack.lets_in("gerda"), stack.lets_in("hilde")) == (True, True)

    stack.type(restore)
    assert (stack.lets_in("gerda"), stack.lets_in("hilde")) == (True, False)

    _nothing_is_allowed_that_is_not_needed(stack)
    _what_a_proxy_says_counts(engine)

    engine.run("docker compose down")
    assert engine.run("docker ps -aq") == ""
    engine.run("docker compose up -d --wait")
    assert stack.lets_in("gerda"), "data outlive the containers"
    engine.run("docker compose down --volumes")
    assert engine.run("docker volume ls -q") == ""


def _nothing_is_allowed_that_is_not_needed(stack: Stack) -> None:
    inside = "docker compose exec -T cloud sh -c"
    assert stack.engine.run(f"{inside} 'id -u; grep CapEff /proc/1/status'").split() == ["10000", "CapEff:", "0" * 16]
    assert "Read-only file system" in stack.engine.try_(f"{inside} 'echo >/opt/x'").stdout
    assert stack.engine.run("ss -Htln | grep -v 127.0.0.1: || true") == "", "no port is open but to the proxy"


def _what_a_proxy_says_counts(engine: Machine) -> None:
    headers = engine.run("curl -sSI -H 'X-Forwarded-Proto: https' http://127.0.0.1:8000/")
    assert "strict-transport-security" in headers
