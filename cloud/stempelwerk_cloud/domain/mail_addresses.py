"""Mail addresses: the one spelling in which they are kept and compared. Not whether anybody reads there."""

import re

ADDRESS_LIMIT = 254
_MAILBOX = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*", re.ASCII)
_LABEL = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"(?=.{{1,253}}$){_LABEL}(\.{_LABEL})*", re.ASCII)


def address(text: str) -> str | None:
    """The address in its one spelling (the domain in ASCII and lower case); None if it is none."""
    mailbox, at, domain = text.strip().rpartition("@")
    try:
        domain = domain.encode("idna").decode().lower()
    except UnicodeError:
        return None
    # "=?" begins an encoded word (RFC 2047), which may hide whatever no address may hold.
    good = (
        at and len(mailbox) <= 64 and "=?" not in mailbox and _MAILBOX.fullmatch(mailbox) and _DOMAIN.fullmatch(domain)
    )
    whole = f"{mailbox}@{domain}"
    return whole if good and len(whole) <= ADDRESS_LIMIT else None
