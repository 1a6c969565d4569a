"""The runner of all suites: `python -m stempelwerk_tools.testrun`."""
