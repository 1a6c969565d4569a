"""Which version of the program this is. Nothing else, so that asking costs nothing."""

from importlib.metadata import PackageNotFoundError, version


def program_version() -> str:
    """Returns the version of this program for the cloud."""
    try:
        return version("stempelwerk-edge")
    except PackageNotFoundError:
        return "0"
