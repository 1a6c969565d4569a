"""An employee reports sick at an installed service and hands in a photo and a PDF. Run in the machines' network.

`python sick_note.py URL`: ends with status 0 once both are stored and read back re-encoded.
"""

import io
import sys
from datetime import UTC, datetime
from typing import Any

import httpx
from fpdf import FPDF
from PIL import Image

PASSWORD = "ein langes Passwort"


def main(url: str) -> None:
    with httpx.Client(base_url=url, timeout=60, trust_env=False) as client:
        sign_in(client, "Plattform", "gerda")
        company = call(client, "POST", "/api/companies", json={"name": "Klempnerei Kranz"})["id"]
        person = {
            "companyId": company,
            "username": "Karla",
            "password": PASSWORD,
            "tagId": "04C1C2C3C4C5C6",
            "role": "user",
        }
        call(client, "POST", "/api/users", json=person)
        sign_in(client, "Klempnerei Kranz", "Karla")
        today = datetime.now(UTC).date().isoformat()
        (day,) = call(client, "POST", "/api/absences", json={"startDate": today, "endDate": today})
        for name, content in (("foto.jpg", photo()), ("schein.pdf", pdf())):
            call(client, "POST", f"/api/absences/{day['id']}/upload-sick-note", files={"file": (name, content)})
            read = client.get(f"/api/absences/{day['id']}/sick-note").raise_for_status().content
            assert read, name
            assert read != content, f"{name} was not made anew"
            assert read[:3] == content[:3], name


def sign_in(client: httpx.Client, company: str, username: str) -> None:
    client.headers.pop("authorization", None)
    login = {"company": company, "username": username, "password": PASSWORD}
    client.headers["authorization"] = f"Bearer {call(client, 'POST', '/api/login', json=login)['token']}"


def call(client: httpx.Client, method: str, path: str, **request_options: Any) -> Any:
    answer = client.request(method, path, **request_options)
    assert answer.is_success, (path, answer.text)
    return answer.json()


def photo() -> bytes:
    buffer = io.BytesIO()
    Image.effect_noise((2400, 3200), 60).convert("RGB").save(buffer, "JPEG", exif=b"Exif\0\0")
    return buffer.getvalue()


def pdf() -> bytes:
    document = FPDF()
    document.add_page()
    document.set_font("Helvetica", size=14)
    document.cell(text="Krankmeldung")
    return bytes(document.output())


if __name__ == "__main__":
    main(sys.argv[1])
