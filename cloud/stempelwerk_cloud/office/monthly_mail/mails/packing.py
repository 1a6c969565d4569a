"""A file in a password-protected ZIP: AES-256, as WinZip and 7-Zip implement it (AE-2)."""

import io

from msgspec import Struct

from stempelwerk_cloud.kit.subprocesses.orders import Tell


class LockedFile(Struct, frozen=True):
    """The archive of one file. Its list of names is readable, as in every ZIP."""

    name: str
    content: bytes
    password: str

    def render_file(self, _tell: Tell) -> bytes:
        import pyzipper  # noqa: PLC0415 -- for the child process

        packed = io.BytesIO()
        with pyzipper.AESZipFile(packed, "w", compression=pyzipper.ZIP_DEFLATED, encryption=pyzipper.WZ_AES) as archive:
            archive.setpassword(self.password.encode("ascii"))
            archive.writestr(self.name, self.content)
        return packed.getvalue()
