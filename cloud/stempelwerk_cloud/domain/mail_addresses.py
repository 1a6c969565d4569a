"""Mail addresses, as they are kept: as they were entered, the domain in ASCII. Not whether anybody reads there."""

import re
from unicodedata import normalize

import idna

ADDRESS_LIMIT = 254
_MAILBOX = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*", re.ASCII)
_LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_DOMAIN = re.compile(rf"(?=.{{1,253}}$){_LABEL}(\.{_LABEL})*", re.ASCII)


def address(text: str) -> str | None:
    """The address with its domain in ASCII, by IDNA 2008; None if it is none."""
    mailbox, at, domain = text.strip().rpartition("@")
    try:
        domain = ".".join(map(_in_ascii, domain.split(".")))
    except idna.IDNAError:
        return None
    # "=?" begins an encoded word (RFC 2047), which may hide whatever no address may hold.
    good = (
        at and len(mailbox) <= 64 and "=?" not in mailbox and _MAILBOX.fullmatch(mailbox) and _DOMAIN.fullmatch(domain)
    )
    whole = f"{mailbox}@{domain}"
    return whole if good and len(whole) <= ADDRESS_LIMIT else None


def mailbox_key(of: str) -> str:
    """Returns the key that all spellings of an address share. Hardly any server distinguishes capitals in a mailbox."""
    return of.lower()


def _in_ascii(label: str) -> str:
    return label if label.isascii() else idna.alabel(normalize("NFC", label.lower())).decode()
