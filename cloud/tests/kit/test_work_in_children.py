"""Drawing, packing and parsing is the work of child processes: modules that import a library for it are listed here."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
import stempelwerk_cloud

SERVICE = Path(stempelwerk_cloud.__file__).parent
LIBRARIES = {
    *("bz2", "gzip", "lzma", "tarfile", "zipfile", "zlib", "pyzipper"),
    *("csv", "openpyxl", "xml", "lxml", "defusedxml"),
    *("PIL", "pypdfium2", "fpdf", "segno"),
}
OWN = {
    *("stempelwerk_cloud.kit.csv_tables", "stempelwerk_cloud.kit.csv_tables.table"),
    "stempelwerk_cloud.kit.csv_tables.lines",
}
"""Modules and functions of our own that use these libraries. Types are allowed anywhere."""
OF_DRAWING = {
    "stempelwerk_cloud.kit.paper.pages",
    "stempelwerk_cloud.office.exports.tax_audit.inspection_pages",
    "stempelwerk_cloud.office.exports.files.timesheet_pages",
    "stempelwerk_cloud.office.exports.files.workbook",
    "stempelwerk_cloud.office.privacy.documents.written_pages",
    "stempelwerk_cloud.office.statement.paper.pages",
}
"""Modules that draw for orders. An import of anything from them counts as an import of their libraries."""
NOT_AT_START = {
    *("fpdf", "fontTools", "PIL", "uharfbuzz"),
    *("openpyxl", "pyzipper", "Cryptodome", "icalendar", "segno"),
}
"""Libraries that the service starts without: a child process loads them, or the first call that needs them."""
IN_CHILDREN = {
    "kit/csv_tables.py": "writes tables, for its callers",
    "kit/paper/pages.py": "draws pages, for orders",
    "kit/files/packing/stored.py": "a writer",
    "kit/files/packing/table.py": "a writer",
    "kit/files/rewriting/images.py": "a job",
    "kit/files/rewriting/pdfs.py": "a job",
    "kit/files/rewriting/sheets.py": "a job",
    "kit/files/rewriting/texts.py": "a job",
    "fleet/updates/intake/unpacking.py": "a job",
    "office/exports/tax_audit/inspected.py": "an order",
    "office/exports/tax_audit/inspection_pages.py": "draws pages, for an order",
    "office/exports/files/sheets.py": "an order",
    "office/exports/files/timesheet_pages.py": "draws pages, for an order",
    "office/exports/files/timesheets.py": "an order",
    "office/exports/files/workbook.py": "writes a workbook, for an order",
    "office/monthly_mail/mails/packing.py": "an order",
    "office/privacy/documents/written.py": "an order",
    "office/privacy/documents/written_pages.py": "draws pages, for an order",
    "office/records/page.py": "a writer",
    "office/statement/paper/pages.py": "draws pages, for an order",
    "office/statement/paper/pdf.py": "an order",
}
"""Kinds of work in a child process, by module: a `Writer`, an `Order`, or the function of a `Job`."""
IN_THE_SERVICE = {
    "kit/http/web.py": "compresses the web app's own files, each once",
    "kit/operations/backup.py": "is a command, which serves nobody",
    "kit/security/totp.py": "draws a QR code of a bounded text",
    "office/exports/month/differing.py": "writes the differences of a single month as CSV",
    "office/exports/files/formats.py": "writes the times of a single month as CSV",
    "office/exports/month/months.py": "compresses what a single month is made of",
}
"""Reasons why the work is small, by module (`docs/decisions/0011-rights-and-limits.md`)."""


def imported(tree: ast.AST) -> Iterator[str]:
    """Yields the names of modules and of what is imported from them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def tools(source: str) -> set[str]:
    return {name for name in imported(ast.parse(source)) if is_tool(name)}


def is_tool(name: str) -> bool:
    is_library = name.partition(".")[0] in LIBRARIES or name in OWN
    return is_library or f"{name}.".startswith(tuple(f"{module}." for module in OF_DRAWING))


def called(path: Path) -> set[str]:
    """Returns the names of called methods and functions of modules."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {node.func.attr for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)}


def modules() -> list[str]:
    return [str(path.relative_to(SERVICE)) for path in SERVICE.rglob("*.py")]


@pytest.mark.parametrize(
    "source",
    [
        "import zipfile",
        "import zipfile as z",
        "from zipfile import ZipFile",
        "import xml.etree.ElementTree",
        "def later():\n    from PIL import Image",
        "from stempelwerk_cloud.kit import csv_tables",
        "from stempelwerk_cloud.kit.paper.pages import Paper",
        "from stempelwerk_cloud.kit.paper import PALE, pages",
        "def drawn():\n    from stempelwerk_cloud.office.exports.files.timesheet_pages import TimesheetPages",
    ],
)
def test_an_import_is_seen_in_whatever_way_it_is_written(source: str) -> None:
    assert tools(source)


def test_a_type_of_a_table_is_no_tool() -> None:
    assert not tools("from stempelwerk_cloud.kit.csv_tables import Row\nimport json")
    assert not tools("from stempelwerk_cloud.kit.paper import Column")


def test_only_named_modules_draw_pack_or_parse() -> None:
    modules_found = {name for name in modules() if tools((SERVICE / name).read_text(encoding="utf-8"))}
    declared = IN_CHILDREN.keys() | IN_THE_SERVICE.keys()
    assert modules_found - declared == set(), "let a child process do it (`kit/subprocesses`, `kit/files/packing`)"
    assert declared - modules_found == set(), "they import no such library any more"
    assert not IN_CHILDREN.keys() & IN_THE_SERVICE.keys()


@pytest.mark.parametrize(
    ("entry", "callers"),
    [
        ("render_file", {"kit/subprocesses/orders.py", "office/exports/tax_audit/inspected.py"}),
        ("Writer", {"kit/files/packing/child.py"}),
    ],
)
def test_only_child_processes_call_orders_and_writers(entry: str, callers: set[str]) -> None:
    assert {name for name in modules() if entry in called(SERVICE / name)} == callers


def test_each_drawing_module_is_named_as_work_of_child_processes() -> None:
    declared = {name.removesuffix(".py").replace("/", ".") for name in IN_CHILDREN}
    assert {module.removeprefix("stempelwerk_cloud.") for module in OF_DRAWING} <= declared


def test_the_service_starts_without_the_libraries_that_draw_pack_or_parse() -> None:
    program = "import sys, stempelwerk_cloud.app, stempelwerk_cloud.command_line; print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    loaded = set(result.stdout.split())
    assert "stempelwerk_cloud.office.exports.files.timesheets" in loaded, "the service knows the orders"
    assert all(map(find_spec, NOT_AT_START)), "an unknown name would prove nothing"
    assert loaded & NOT_AT_START == set(), "import it in the function that needs it, or in a module for children"
