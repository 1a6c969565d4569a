"""Contracts of import-linter: rooms are entered by their published modules, and neither the dependencies of rooms nor
those of modules have cycles.

A room publishes its `service`; a room that publishes other modules names all of them in `PUBLISHED` of its package.

A wing is a package of the program that is not in `beside`. A room is a package below a wing, or a wing that is one room
(it has a `room.py`, or no packages of its own); rooms are discovered, so that new ones need no entry here. Modules of a
wing outside its rooms belong to all of them. Other programs (tools, tests) may import anything. `composed` are the
files through which the programs that put everything together (`composers`) take a room.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class Rooms(Contract):
    """An import-linter contract that reports each import of a module that a room does not publish, and a cycle of
    rooms.
    """

    type_name = "rooms"

    program: Any = fields.StringField()
    beside: Any = fields.ListField(subfield=fields.StringField())
    composers: Any = fields.ListField(subfield=fields.StringField())
    composed: Any = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Checks that every import of another room is of a published module, and that rooms have no cycle."""
        rooms = set(self._rooms(graph))
        assert rooms, f"no rooms in {self.program}"
        past = sorted(
            f"{importer} -> {imported}"
            for importer in graph.modules
            for imported in graph.find_modules_directly_imported_by(importer)
            if self._goes_past(importer, imported, rooms)
        )
        circle = _circle(_needs_of_rooms(graph, rooms))
        return ContractCheck(kept=not past and not circle, metadata={"past": past, "circle": circle})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Prints the imports that break the contract."""
        for line in check.metadata["past"]:
            output.print_error(f"not published: {line}")
        if check.metadata["circle"]:
            output.print_error(f"a circle of rooms: {' -> '.join(check.metadata['circle'])}")

    def _rooms(self, graph: ImportGraph) -> Iterator[str]:
        beside = {f"{self.program}.{name}" for name in self.beside}
        wings = sorted(child for child in graph.find_children(self.program) - beside if graph.find_children(child))
        for wing in wings:
            children = graph.find_children(wing)
            inner = [child for child in children if graph.find_children(child)]
            yield from [wing] if f"{wing}.room" in children else inner or [wing]

    def _goes_past(self, importer: str, imported: str, rooms: set[str]) -> bool:
        room = _room_of(imported, rooms)
        if room is None or room == _room_of(importer, rooms) or _program(importer) != _program(room):
            return False
        inside = imported.removeprefix(room).removeprefix(".")
        if inside in published_modules(room):
            return False
        return not (importer in self.composers and inside in self.composed)


class Acyclic(Contract):
    """An import-linter contract that reports a cycle of modules of a package. Imports for type checkers and within
    functions count.
    """

    type_name = "acyclic"

    package: Any = fields.StringField()

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Checks that the modules of the package have no cycle."""
        modules = {self.package, *graph.find_descendants(self.package)}
        circle = _circle({module: graph.find_modules_directly_imported_by(module) & modules for module in modules})
        return ContractCheck(kept=not circle, metadata={"circle": circle})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Prints the cycle."""
        output.print_error(f"a circle of modules: {' -> '.join(check.metadata['circle'])}")


@cache
def published_modules(room: str) -> frozenset[str]:
    """Returns the modules of a room that other rooms may import, as its package's source lists them."""
    spec = find_spec(room)
    assert spec is not None
    for statement in ast.parse(Path(str(spec.origin)).read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "PUBLISHED":
            return frozenset(ast.literal_eval(statement.value))
    return frozenset({"service"})


def _room_of(module: str, rooms: set[str]) -> str | None:
    parts = module.split(".")
    return next((name for count in range(1, len(parts) + 1) if (name := ".".join(parts[:count])) in rooms), None)


def _needs_of_rooms(graph: ImportGraph, rooms: set[str]) -> dict[str, set[str]]:
    """Returns the rooms that each room imports."""
    needs: dict[str, set[str]] = {room: set() for room in rooms}
    for importer in graph.modules:
        room = _room_of(importer, rooms)
        if room is not None:
            imported = graph.find_modules_directly_imported_by(importer)
            needs[room] |= {
                needed_room for module in imported if (needed_room := _room_of(module, rooms)) not in {None, room}
            }
    return needs


def _circle(needs: Mapping[str, Collection[str]]) -> list[str]:
    """Returns a cycle, or an empty list."""
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _program(module: str) -> str:
    return module.partition(".")[0]
