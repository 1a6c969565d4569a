"""Names of browsers in the list of logins."""

UNKNOWN_DEVICE = "Unbekanntes Gerät"


def browser_on(browser: str, system: str) -> str:
    return f"{browser} auf {system}"
