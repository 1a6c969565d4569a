"""The demo's command lines, refused in German and in one line: whoever tries the demo out reads German."""

import re
from argparse import ArgumentParser
from typing import NoReturn

_GERMAN = (
    (r"unrecognized arguments: (.+)", r"Das gehört nicht hierher: \1"),
    (r"argument (\S+): invalid choice: ('.*?') \(choose from (.+)\)", r"\2 gibt es nicht. Möglich sind: \3"),
    (r"argument (\S+): invalid \w+ value: ('.*?')", r"\1: \2 ist keine Zahl"),
    (r"argument (\S+): expected .*", r"\1: hier fehlt ein Wert"),
    (r"argument (\S+): (.+)", r"\1: \2"),
    (r"the following arguments are required: (.+)", r"Es fehlt: \1"),
)


class GermanParser(ArgumentParser):
    """An ArgumentParser whose refusals are one German line and status 2."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the line and end."""
        for pattern, german in _GERMAN:
            if re.fullmatch(pattern, message):
                message = re.sub(pattern, german, message)
                break
        self.exit(2, f"{message}. Hilfe: {self.prog} --help\n")
