"""What all tests of the tools share."""

import stempelwerk_tools.untimed  # noqa: F401 - loads the profile
