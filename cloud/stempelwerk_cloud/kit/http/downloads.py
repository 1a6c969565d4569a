"""Headers of downloads."""

import re
import unicodedata
from urllib.parse import quote

_UNFIT = re.compile(r"[\W-]+")


def attachment(name: str, ending: str) -> dict[str, str]:
    """Returns the header that makes a browser save the file under that name (RFC 6266); old browsers use a name of
    plain letters.
    """
    fit = fitting(name)
    plain = fitting(unicodedata.normalize("NFKD", fit).encode("ascii", "ignore").decode())
    return {"Content-Disposition": f"attachment; filename=\"{plain}.{ending}\"; filename*=UTF-8''{quote(fit)}.{ending}"}


def fitting(name: str) -> str:
    """Returns the name reduced to letters, digits and single hyphens."""
    return _UNFIT.sub("-", name).strip("-")
