"""A file in a ZIP that opens with a password alone: AES-256, as WinZip and 7-Zip know it (AE-2)."""

import io

import pyzipper


def locked(name: str, content: bytes, password: str) -> bytes:
    """The archive. Its list of names is readable, as in every ZIP."""
    packed = io.BytesIO()
    with pyzipper.AESZipFile(packed, "w", compression=pyzipper.ZIP_DEFLATED, encryption=pyzipper.WZ_AES) as archive:
        archive.setpassword(password.encode("ascii"))
        archive.writestr(name, content)
    return packed.getvalue()
