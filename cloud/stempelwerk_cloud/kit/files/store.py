"""The file store: files of companies in the database, so that every backup has them and row level security protects
them.

Each file has its own key, wrapped by the company's key, which the installation's key seals (`kit/security/vault.py`).
So a stolen database reveals no content, and deleting one row (the company's key) makes all its files unreadable.
Encrypted content is bound to company, id and media type: moved to another row it does not open. Every function works in
the caller's transaction, and names the company.

Deliberately not here: which files are accepted (`checking.py`), and who may read them.
"""

import base64
import os
from collections.abc import Collection

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.rows import upsert
from stempelwerk_cloud.kit.files.tables import CompanyKey, FileContent, StoredFile
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security.vault import Sealed

_KEY_BITS = 256
_NONCE_BYTES = 12


class NoSuchFile(LookupError):
    """The company has no such file."""


class Unreadable(Exception):
    """The file exists but cannot be decrypted: its company's key was deleted, or the database was tampered with."""


def store(session: Session, platform: Platform, company_id: str, content: bytes, media_type: str) -> str:
    """Encrypts a file and adds it to the company's files; returns its new id.

    `media_type` is bound to the content, and `read` returns it. The first file of a company also makes its key. Raises
    Unreadable if the installation's key does not open the company's.
    """
    file_id, key = platform.ids.new(), AESGCM.generate_key(_KEY_BITS)
    wrapped = _encrypt(_company_key(session, platform, company_id), key, _bound("key", company_id, file_id))
    described = {"media_type": media_type, "size": len(content), "created_at": platform.clock.now()}
    session.execute(insert(StoredFile).values(company_id=company_id, id=file_id, wrapped=wrapped, **described))
    encrypted = _encrypt(key, content, _bound("content", company_id, file_id, media_type))
    session.execute(insert(FileContent).values(company_id=company_id, file_id=file_id, content=encrypted))
    return file_id


def read(session: Session, platform: Platform, company_id: str, file_id: str) -> tuple[bytes, str]:
    """Returns the file's content, and its media type. NoSuchFile, Unreadable."""
    row = session.execute(
        select(StoredFile.media_type, StoredFile.wrapped, FileContent.content)
        .join(FileContent, (FileContent.company_id == StoredFile.company_id) & (FileContent.file_id == StoredFile.id))
        .where(StoredFile.company_id == company_id, StoredFile.id == file_id)
    ).first()
    if row is None:
        raise NoSuchFile(file_id)
    sealed = session.scalar(select(CompanyKey.sealed).where(CompanyKey.company_id == company_id))
    if sealed is None:
        raise Unreadable("the company's key is gone")
    key = _decrypt(_opened(platform, company_id, sealed), row.wrapped, _bound("key", company_id, file_id))
    return _decrypt(key, row.content, _bound("content", company_id, file_id, row.media_type)), row.media_type


def media_types(session: Session, company_id: str, file_ids: Collection[str]) -> dict[str, str]:
    """Returns the media type of each existing file, by id."""
    if not file_ids:
        return {}
    rows = session.execute(
        select(StoredFile.id, StoredFile.media_type).where(
            StoredFile.company_id == company_id, StoredFile.id.in_(sorted(set(file_ids)))
        )
    )
    return {row.id: row.media_type for row in rows}


def remove(session: Session, company_id: str, file_ids: Collection[str]) -> None:
    """Removes files; ids without a file are ignored."""
    unwanted = sorted(set(file_ids))
    session.execute(delete(FileContent).where(FileContent.company_id == company_id, FileContent.file_id.in_(unwanted)))
    session.execute(delete(StoredFile).where(StoredFile.company_id == company_id, StoredFile.id.in_(unwanted)))


def _company_key(session: Session, platform: Platform, company_id: str) -> bytes:
    """Returns the company's key, and creates it for the company's first file. If two transactions create it at once,
    the second waits and takes the first's.
    """
    key_query = select(CompanyKey.sealed).where(CompanyKey.company_id == company_id)
    sealed = session.scalar(key_query)
    if sealed is None:
        new = platform.vault.encrypt(_spelled(company_id, AESGCM.generate_key(_KEY_BITS)))
        insertion = upsert(session, CompanyKey).values(
            company_id=company_id, sealed=new, created_at=platform.clock.now()
        )
        session.execute(insertion.on_conflict_do_nothing())
        sealed = session.scalars(key_query).one()
    return _opened(platform, company_id, sealed)


def _spelled(company_id: str, key: bytes) -> str:
    # The vault does not bind a secret to its owner, so the text includes the owner.
    return f"{company_id} {base64.b64encode(key).decode()}"


def _opened(platform: Platform, company_id: str, sealed: bytes) -> bytes:
    try:
        owner, _, key = platform.vault.decrypt(sealed).partition(" ")
    except Sealed as error:
        raise Unreadable("the installation's key does not fit the company's") from error
    if owner != company_id:
        raise Unreadable("the key is another company's")
    return base64.b64decode(key)


def _bound(*parts: str) -> bytes:
    return "\n".join(("stempelwerk file", *parts)).encode()


def _encrypt(key: bytes, content: bytes, bound: bytes) -> bytes:
    nonce = os.urandom(_NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, content, bound)


def _decrypt(key: bytes, encrypted: bytes, bound: bytes) -> bytes:
    try:
        return AESGCM(key).decrypt(encrypted[:_NONCE_BYTES], encrypted[_NONCE_BYTES:], bound)
    except (InvalidTag, ValueError) as error:
        raise Unreadable("the file was altered or belongs elsewhere") from error
