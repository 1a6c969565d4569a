"""The possible mutants, and the sample drawn from them: it depends only on seed and source.

mutmut's operators define the changes. mutmut's own run is not used: it changes only functions, draws no sample, and
knows no order of tests. Operators that replace a value by None are left out, because they ask no more than whether a
line runs. One is added: it removes a call that is made for its effect.

Changes that tests need not notice are skipped: annotations, aliases and unions of types, `cast` and `TYPE_CHECKING`,
decorators of dataclasses, asserts (they are the type checker's), logging, and texts, as all other strings.

A mutant's lot depends on its texts, not on line numbers: a change elsewhere keeps the sample.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple, cast

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation import mutators

_A_TYPE = re.compile(r"_?[A-Z]([a-z]\w*)?|None|str|int|bytes")


class Place(NamedTuple):
    """A node of the source, a possible replacement, and the function or class around it. `first` to `last`: the lines
    from the start of its statement to its own end.
    """

    node: cst.CSTNode
    replacement: cst.CSTNode
    inside: str
    line: int
    first: int
    last: int


class Mutant(NamedTuple):
    """A change to one file: the changed lines in both versions, and the whole new file."""

    file: str
    place: Place
    line: int
    original: str
    mutated: str
    content: str


def draw_mutants(root: Path, sources: str, count: int, seed: int) -> list[Mutant]:
    """Returns `count` mutants of the files below a folder, at most one a line, or all that exist."""
    lots: list[tuple[str, str, cst.Module, Place]] = []
    for path in sorted((root / sources).rglob("*.py")):
        if path.name in ("__main__.py", "command_line.py") or "migrations" in path.parts:
            continue
        wrapper = MetadataWrapper(cst.parse_module(path.read_text("utf-8")))
        file, module, visitor = path.relative_to(root).as_posix(), wrapper.module, _Visitor()
        wrapper.visit(visitor)
        lines = module.code.splitlines()
        for place in visitor.places:
            text, lines_before = lines[place.line - 1], lines[: place.line - 1]
            change = [module.code_for_node(node) for node in (place.node, place.replacement)]
            lots.append((_lot(seed, file, text, lines_before.count(text), *change), file, module, place))
    mutants: dict[tuple[str, int], Mutant] = {}
    for _, file, module, place in sorted(lots, key=lambda lot: lot[0]):
        if len(mutants) == count:
            break
        if (file, place.line) not in mutants and (mutant := _mutant(file, module, place)):
            mutants[file, place.line] = mutant
    return list(mutants.values())


def _lot(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _mutant(file: str, module: cst.Module, place: Place) -> Mutant | None:
    """Returns None if the text does not change or does not compile."""
    content = cast(cst.Module, module.deep_replace(place.node, place.replacement)).code
    try:
        compile(content, file, "exec")
    except SyntaxError:
        return None
    old, new = module.code.splitlines(), content.splitlines()
    first = _alike(old, new)
    common_end = _alike(old[first:][::-1], new[first:][::-1])
    original, mutated = (" ".join(map(str.strip, lines[first : len(lines) - common_end])) for lines in (old, new))
    return Mutant(file, place, first + 1, original, mutated, content) if old != new else None


def _alike(left_lines: Sequence[str], right_lines: Sequence[str]) -> int:
    """Returns the number of equal lines at the beginning of two texts."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left_lines, right_lines, strict=False)))


def _without_effect(node: cst.Expr) -> Iterator[cst.CSTNode]:
    if isinstance(node.value, cst.Call | cst.Await):
        yield node.with_changes(value=cst.Ellipsis())


_LEFT_OUT = {
    mutators.operator_arg_removal,
    mutators.operator_assignment,
    mutators.operator_dict_arguments,
    mutators.operator_lambda,
    mutators.operator_string,
}
_OPERATORS: list[tuple[type, Callable[[Any], Iterable[cst.CSTNode]]]] = [
    *(operator for operator in mutators.mutation_operators if operator[1] not in _LEFT_OUT),
    (cst.Expr, _without_effect),
]


class _Visitor(cst.CSTVisitor):
    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self) -> None:
        super().__init__()
        self.places: list[Place] = []
        self._statements: list[int] = [1]
        self._inside: list[str] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        position = self.get_metadata(PositionProvider, node)
        if isinstance(node, cst.SimpleStatementLine | cst.BaseCompoundStatement):
            self._statements.append(position.start.line)
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            self._inside.append(node.name.value)
        if _passed_over(node):
            return False
        line, inside = position.start.line, ".".join(self._inside)
        where = inside, line, min(self._statements[-1], line), position.end.line
        for of, operator in _OPERATORS:
            for replacement in operator(node) if isinstance(node, of) else ():
                self.places.append(Place(node, replacement, *where))
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        if isinstance(original_node, cst.SimpleStatementLine | cst.BaseCompoundStatement):
            self._statements.pop()
        if isinstance(original_node, cst.FunctionDef | cst.ClassDef):
            self._inside.pop()


def _passed_over(node: cst.CSTNode) -> bool:
    match node:
        case (
            cst.Annotation()
            | cst.Assert()
            | cst.If(test=cst.Name(value="TYPE_CHECKING"))
            | cst.Call(func=cst.Attribute(value=cst.Name(value="log")) | cst.Name(value="cast"))
            | cst.Decorator(decorator=cst.Call(func=cst.Name(value="dataclass")))
        ):
            return True
        case cst.Expr(value=cst.Call() as call):
            return _passed_over(call)
        case (
            cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))])
            | cst.BinaryOperation(operator=cst.BitOr(), right=cst.Name(value=name))
        ):
            return _A_TYPE.fullmatch(name) is not None
    return False
