"""The example for nginx in the operations guide, in front of a real service: large uploads and events pass."""

import getpass
import io
import os
import random
import re
import shutil
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
import trustme
from PIL import Image
from stempelwerk_tools.bench.programs import program
from stempelwerk_tools.ports import reserved_port

from tools.tests.processes.service_process import PASSWORD, Office, ServiceProcess

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
GUIDE = Path(__file__).parents[3] / "docs" / "operations.md"
SIDE = 1300  # of an image of noise, which no format makes much smaller: 5 MB
PATIENCE_S = 60

pytestmark = [
    pytest.mark.prove,
    pytest.mark.skipif(NGINX is None, reason="no nginx on this machine (apt-get install nginx-light)"),
]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ServiceProcess]:
    new_service = ServiceProcess(tmp_path / "service")
    new_service.environment["STEMPELWERK_PUBLIC_URL"] = "https://localhost"
    new_service.create_founder()
    new_service.start()
    yield new_service
    new_service.stop()


@contextmanager
def behind_nginx(service: ServiceProcess, folder: Path, **changed: str) -> Iterator[tuple[str, ssl.SSLContext]]:
    """Yields nginx's address, configured as in the guide but for this machine's ports, certificate and `changed`."""
    authority, port = trustme.CA(), reserved_port()
    leaf = authority.issue_cert("localhost")
    folder.mkdir()
    leaf.private_key_and_cert_chain_pem.write_to_path(folder / "leaf.pem")
    (config,) = re.findall(r"```nginx\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    directives = {
        "listen": f"{port} ssl",
        "server_name": "localhost",
        "ssl_certificate": str(folder / "leaf.pem"),
        "ssl_certificate_key": str(folder / "leaf.pem"),
        "proxy_pass": service.url,
        **changed,
    }
    for name, value in directives.items():
        config, count = re.subn(rf"^(\s*{name}) [^;]*;", rf"\1 {value};", config, flags=re.MULTILINE)
        assert count == 1, name
    temp_paths = "".join(
        f"{kind}_temp_path {folder / kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    ground = f"user {getpass.getuser()}; daemon off; pid {folder / 'pid'}; error_log stderr; events {{}}"
    (folder / "nginx.conf").write_text(f"{ground} http {{ access_log off; {temp_paths} {config} }}")
    command = [str(NGINX), "-p", folder, "-e", "stderr", "-c", folder / "nginx.conf"]
    with program(command, folder=folder, health=f"http://localhost:{port}/"):
        context = ssl.create_default_context()
        authority.configure_trust(context)
        yield f"https://localhost:{port}", context


@contextmanager
def sick_employee(url: str, trusted: ssl.SSLContext) -> Iterator[tuple[httpx.Client, str]]:
    """Yields a client of an employee who is ill today, and the illness's id."""
    with Office(url, trusted) as office:
        office.hire("Mia", "04AA0000000001")
    with httpx.Client(base_url=url, verify=trusted, trust_env=False, timeout=PATIENCE_S) as client:
        login = {"company": "Tischlerei", "username": "Mia", "password": PASSWORD}
        client.headers["authorization"] = f"Bearer {client.post('/api/login', json=login).json()['token']}"
        day = datetime.now(UTC).date().isoformat()
        answer = client.post("/api/absences", json={"kind": "sick", "startDate": day, "endDate": day})
        assert answer.status_code == 201, answer.text
        yield client, answer.json()[0]["id"]


def _upload(client: httpx.Client, absence: str) -> httpx.Response:
    image_file = io.BytesIO()
    Image.frombytes("RGB", (SIDE, SIDE), random.Random(1).randbytes(SIDE * SIDE * 3)).save(image_file, "PNG")
    assert len(image_file.getvalue()) > 4_000_000
    file = {"file": ("schein.png", image_file.getvalue(), "image/png")}
    return client.post(f"/api/absences/{absence}/upload-sick-note", files=file)


def test_a_large_sick_note_comes_through_and_an_open_page_hears_of_it_at_once(service, tmp_path):
    with (
        behind_nginx(service, tmp_path / "nginx") as (url, trusted),
        sick_employee(url, trusted) as (client, absence),
        client.stream("GET", "/api/events") as events,
    ):
        assert events.status_code == 200
        lines = events.iter_lines()  # the stream has not ended, so no event may wait in the proxy
        assert next(lines) is not None
        assert _upload(client, absence).is_success
        assert any("plan_update" in line for line in lines)
        assert client.get(f"/api/absences/{absence}/sick-note").headers["content-type"].startswith("image/")


def test_a_proxy_that_takes_less_refuses_by_itself_in_words_that_are_not_ours(service, tmp_path):
    with (
        behind_nginx(service, tmp_path / "nginx", client_max_body_size="1m") as (url, trusted),
        sick_employee(url, trusted) as (client, absence),
    ):
        answer = _upload(client, absence)
        assert answer.status_code == 413
        assert "json" not in answer.headers["content-type"]
        assert client.get(f"/api/absences/{absence}/sick-note").status_code == 404
