"""German command lines: help, refusals, and faults of files.

Technicians and operators read them. Log lines stay English: they carry codes, and the pages have a sentence for each.
"""

import errno
import re
from argparse import ArgumentParser
from typing import Any, NoReturn

_GERMAN = (
    (r"unrecognized arguments: (.+)", r"Das gehört nicht hierher: \1"),
    (r"argument (\S+): invalid choice: ('.*?') \(choose from (.+)\)", r"\2 gibt es nicht. Möglich sind: \3"),
    (r"argument (\S+): invalid \w+ value: ('.*?')", r"\1: \2 ist keine Zahl"),
    (r"argument (\S+): expected .*", r"\1: hier fehlt ein Wert"),
    (r"argument (\S+): ignored explicit argument ('.*')", r"\1 nimmt keinen Wert, auch nicht \2"),
    (r"argument (\S+): not allowed with argument (\S+)", r"\1 und \2 gehen nicht zusammen"),
    (r"one of the arguments (.+) is required", r"Eines davon fehlt: \1"),
    (r"ambiguous option: (\S+) could match (.+)", r"\1 ist nicht eindeutig. Möglich sind: \2"),
    (r"argument (\S+): (.+)", r"\1: \2"),
    (r"the following arguments are required: (.+)", r"Es fehlt: \1"),
)
_REASONS = {
    errno.ENOENT: "gibt es nicht",
    errno.EEXIST: "gibt es schon",
    errno.EACCES: "dafür fehlt das Recht; mit sudo noch einmal",
    errno.EPERM: "dafür fehlt das Recht; mit sudo noch einmal",
    errno.ENOSPC: "der Speicher ist voll; dort Platz schaffen",
    errno.EROFS: "ist nur zum Lesen eingehängt; zum Schreiben einhängen",
    errno.EISDIR: "ist ein Ordner, keine Datei",
    errno.ENOTDIR: "liegt in keinem Ordner",
    errno.EIO: "der Datenträger antwortet nicht, wie er soll; einen anderen nehmen",
}


class GermanParser(ArgumentParser):
    """An ArgumentParser whose help is German and whose refusals are one German line and status 2."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        with_help = options.get("add_help", True)
        super().__init__(*arguments, **{**options, "add_help": False})
        self._positionals.title, self._optionals.title = "Angaben", "Optionen"
        if with_help:
            self.add_argument("-h", "--help", action="help", help="zeigt diese Hilfe")

    def format_usage(self) -> str:
        """Returns the line that shows how the command is called."""
        return super().format_usage().replace("usage: ", "Aufruf: ", 1)

    def format_help(self) -> str:
        """Returns the help."""
        return super().format_help().replace("usage: ", "Aufruf: ", 1)

    def error(self, message: str) -> NoReturn:
        """Prints what is wrong with the line and exits with status 2."""
        for pattern, german in _GERMAN:
            if re.fullmatch(pattern, message):
                message = re.sub(pattern, german, message)
                break
        self.exit(2, f"{message}. Hilfe: {self.prog} --help\n")


def reason_of(fault: OSError) -> str:
    """Returns in German why a file or folder cannot be used; the system's own message for a fault without a German
    sentence.
    """
    return _REASONS.get(fault.errno or 0, fault.strerror or str(fault))
