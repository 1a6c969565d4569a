"""Mail addresses as they are stored: as entered, with the domain in ASCII. Delivery is not checked."""

import re
from unicodedata import normalize

import idna

ADDRESS_LIMIT = 254
_MAILBOX = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*", re.ASCII)
_LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_DOMAIN = re.compile(rf"(?=.{{1,253}}$){_LABEL}(\.{_LABEL})*", re.ASCII)


def address(text: str) -> str | None:
    """Returns the address with its domain in ASCII, by IDNA 2008; None if it is invalid."""
    mailbox, separator, domain = text.strip().rpartition("@")
    try:
        domain = ".".join(map(_in_ascii, domain.split(".")))
    except idna.IDNAError:
        return None
    # "=?" begins an encoded word (RFC 2047), which may hide characters that no address may contain.
    good = (
        separator
        and len(mailbox) <= 64
        and "=?" not in mailbox
        and _MAILBOX.fullmatch(mailbox)
        and _DOMAIN.fullmatch(domain)
    )
    full_address = f"{mailbox}@{domain}"
    return full_address if good and len(full_address) <= ADDRESS_LIMIT else None


def mailbox_key(of: str) -> str:
    """Returns the key that is the same for all spellings of an address. It ignores case, because hardly any server
    distinguishes it in a mailbox.
    """
    return of.lower()


def _in_ascii(label: str) -> str:
    return label if label.isascii() else idna.alabel(normalize("NFC", label.lower())).decode()
