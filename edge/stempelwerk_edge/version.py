"""Which version of the program this is. Nothing else, so that asking costs nothing."""

from importlib.metadata import PackageNotFoundError, version


def program_version() -> str:
    """The version of this program, as it is told to the cloud."""
    try:
        return version("stempelwerk-edge")
    except PackageNotFoundError:
        return "0"
