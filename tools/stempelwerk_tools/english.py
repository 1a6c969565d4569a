"""Lint for plain English: marked phrases, vague names, retired names and the form of commits.

`docs/guides/english.md` explains the rules. `tools/english.toml` holds the counts of each part, which may only fall,
and the retired names. `python -m stempelwerk_tools.english` compares; `--list PATH` prints each finding below a path;
`--lower` writes lower counts, as `make format` does.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMITS = ROOT / "tools" / "english.toml"
PARTS = (
    "cloud/stempelwerk_cloud",
    "cloud/tests",
    "edge",
    "tools",
    "firmware",
    "web/src",
    "web/e2e",
    "docs",
    "README.md",
)
EXEMPT = re.compile(
    # Generated files, German pages and texts, and the definition of the rules themselves.
    r"schema\.d\.ts$|/generated/|handbuch|/stubs/|[tT]exts\.ts$|samples\.ts$|locales"
    r"|^tools/stempelwerk_tools/english\.py$|^docs/guides/english\.md$"
)
MARKERS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(pattern)
    for name, pattern in {
        "clause as subject": r"(?:^|[.;:]\s+)(?:Who|Whoever|Whom|Whose|What|Whatever)\b(?![^.]*\?)",
        "fronted phrase": r"(?:^|[.;]\s+)(?:Of|By|From|At|Between|Behind|Beside|Beyond)\b",
        "indefinite person": r"\b(?:some|no|every|any)body(?:'s)?\b",
        "whoever, whom": r"(?<=\w )(?:whoever|whom)\b",
        "stand for be": r"\b(?:stands?|stood)\b(?! for| up| in for)",
        "say, tell": r"\b(?:said|told|tells?|says?)\b",
        "alone": r"\balone\b",
        "besides": r"\bbesides?\b",
        "anew, all the same": r"\b(?:anew|all the same|by itself|by themselves|by then)\b",
        "so many, as far as": r"\b(?:so many|so long|so much|as far as)\b",
        "none": r"\bnone\b",
        "behind": r"\bbehind\b",
        "by which": r"\b(?:by|of|for|on|in|at|from|to) (?:which|whom|whose)\b",
        "is to": r"\b(?:is|are) to\b",
        "is there": r"\b(?:there is none|where there is one|is there)\b",
    }.items()
}
"""Phrases that are frequent in this project's old English and rare elsewhere."""
_VAGUE_WORDS = """
one other others own found known told said asked held given made named gone shown seen kept left taken wanted
meant added arrived written tried drawn chosen judged settled counted listed placed mine there that to at by
who whose what became following every whole here same rest more less most least before after since until
begins ends starts anew about between again none nothing somebody nobody
"""
VAGUE = frozenset(_VAGUE_WORDS.split())
"""Names that are only a pronoun, a participle or a preposition."""
SUBJECT = re.compile(r"[a-z0-9, /-]{2,30}: [A-Z].{1,60}")
"""The form of a commit's first line: `room: Imperative sentence`, at most 72 characters."""
SUBJECT_LENGTH = 72
_SCRIPTS = (".ts", ".tsx", ".mjs", ".js")
_SCRIPT_COMMENT = re.compile(r"/\*\*?(.*?)\*/|(?m:(?<![:\"'`])//\s?([^\n]*)$)", re.DOTALL)
_SCRIPT_BINDING = re.compile(r"\b(?:const|let|function)\s+(\w+)")
_PRAGMA = re.compile(r"#\s*(noqa|type:|!|pragma)")


@dataclass(frozen=True)
class Counts:
    """The findings of one part. `words` and `names` are its total numbers of words and names, for the rates."""

    markers: int = 0
    vague: int = 0
    words: int = 0
    names: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.markers + other.markers,
            self.vague + other.vague,
            self.words + other.words,
            self.names + other.names,
        )

    def __str__(self) -> str:
        per_1000 = 1000 * self.markers / max(1, self.words)
        share = 100 * self.vague / max(1, self.names)
        return f"{self.markers} markers ({per_1000:.1f} per 1,000 words), {self.vague} vague names ({share:.1f} %)"


def main(arguments: Sequence[str]) -> int:
    """Returns 1 if a count rose, a retired name is used, or a commit has another form."""
    parser = argparse.ArgumentParser(prog="english", description="Checks that the project reads as plain English.")
    parser.add_argument("--list", metavar="PATH", help="print each finding below this path")
    parser.add_argument("--lower", action="store_true", help="write the counts that have fallen")
    options = parser.parse_args(arguments)
    if options.list is not None:
        print(*findings(options.list), sep="\n")
        return 0
    counts = {part: count(part) for part in PARTS}
    if options.lower:
        LIMITS.write_text(lowered(LIMITS.read_text(), counts))
        return 0
    settings = tomllib.loads(LIMITS.read_text())
    complaints = [
        *exceeded(settings["limits"], counts),
        *used_again(settings["retired"]),
        *malformed(commits_since(settings["commits"]["since"])),
    ]
    print(*complaints, sep="\n", end="\n" if complaints else "")
    return 1 if complaints else 0


def exceeded(limits: Mapping[str, Mapping[str, int]], counts: Mapping[str, Counts]) -> Iterator[str]:
    """Yields a complaint for each part with more findings than its limit."""
    for part, findings_of_part in counts.items():
        for kind in ("markers", "vague"):
            limit, number = limits[part][kind], getattr(findings_of_part, kind)
            if number > limit:
                hint = f"python -m stempelwerk_tools.english --list {part}"
                yield f"{part}: {number} {kind}, at most {limit} ({hint})"


def lowered(text: str, counts: Mapping[str, Counts]) -> str:
    """Returns the text of `tools/english.toml` with each limit lowered to the part's count if that is lower."""
    limits = tomllib.loads(text)["limits"]
    for part, findings_of_part in counts.items():
        old, new = limits[part], findings_of_part
        section = f'[limits."{part}"]\nmarkers = {{}}\nvague = {{}}\n'
        lower = section.format(min(old["markers"], new.markers), min(old["vague"], new.vague))
        text = text.replace(section.format(old["markers"], old["vague"]), lower)
    return text


def used_again(retired: Sequence[str]) -> Iterator[str]:
    """Yields a complaint for each retired name that a file of code defines."""
    for part in PARTS:
        for path in tracked(part):
            if not path.endswith(".md"):
                for line, name in definitions((ROOT / path).read_text(encoding="utf-8"), retired):
                    yield f"{path}:{line}: {name} is a retired name (tools/english.toml)"


def definitions(source: str, wanted_names: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yields line and name of each definition of one of these names, in Python or TypeScript."""
    if not wanted_names:
        return
    keywords = "def|class|const|let|function|interface|type|enum"
    alternatives = "|".join(map(re.escape, wanted_names))
    pattern = rf"(?:\b(?:{keywords})\s+|^\s*)({alternatives})(?=\s*(?:[:<({{]|=[^=]))"
    for definition in re.finditer(pattern, source, re.MULTILINE):
        yield _line_of(source, definition.start(1)), definition[1]


def malformed(commits: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yields a complaint for each commit, a subject and a body, that has not the form of docs/guides/english.md."""
    for subject, body in commits:
        if not SUBJECT.fullmatch(subject) or len(subject) > SUBJECT_LENGTH:
            yield f"commit {subject!r}: write `room: Imperative sentence`, at most {SUBJECT_LENGTH} characters"
        elif not body:
            yield f"commit {subject!r}: a body is missing that says why"


def commits_since(base: str) -> list[tuple[str, str]]:
    """Returns subject and body of each commit after `base`; an empty list where git does not know `base`."""
    command = ["git", "log", "--no-merges", "--format=%s%x00%b%x01", f"{base}..HEAD"]
    log = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    commits = [commit.strip("\n").split("\x00") for commit in log.split("\x01") if commit.strip()]
    return [(subject, body.strip()) for subject, body in commits]


def count(part: str) -> Counts:
    """Returns the findings of a part."""
    return sum((count_text(path, (ROOT / path).read_text(encoding="utf-8")) for path in tracked(part)), Counts())


def count_text(path: str, source: str) -> Counts:
    """Returns the findings of one file."""
    texts = [text for _, text in prose(path, source)]
    bound = [name for _, name in names(path, source)]
    return Counts(
        markers=sum(len(pattern.findall(text)) for text in texts for pattern in MARKERS.values()),
        vague=sum(map(is_vague, bound)),
        words=sum(len(text.split()) for text in texts),
        names=len(bound),
    )


def findings(part: str) -> Iterator[str]:
    """Yields each finding below a path, with its line."""
    for path in tracked(part):
        source = (ROOT / path).read_text(encoding="utf-8")
        for line, text in prose(path, source):
            kinds = [kind for kind, pattern in MARKERS.items() if pattern.search(text)]
            if kinds:
                yield f"{path}:{line}: {text[:110]}  [{', '.join(kinds)}]"
        for line, name in names(path, source):
            if is_vague(name):
                yield f"{path}:{line}: {name}"


def is_vague(name: str) -> bool:
    """Returns whether a name says nothing about its value. `of()` marks a function."""
    bare = name.removesuffix("()").strip("_").lower()
    return bare in VAGUE or (name.endswith("()") and bare == "of")


def tracked(part: str) -> list[str]:
    """Returns the files below a path that git knows and that are not exempt."""
    listing = subprocess.run(["git", "ls-files", "--", part], cwd=ROOT, capture_output=True, text=True, check=True)
    suffixes = (".py", ".md", *_SCRIPTS)
    paths = [path for path in listing.stdout.splitlines() if path.endswith(suffixes) and not EXEMPT.search(path)]
    return [path for path in paths if (ROOT / path).exists()]  # a deletion may not be committed yet


def prose(path: str, source: str) -> Iterator[tuple[int, str]]:
    """Yields line and text of each docstring, comment or paragraph."""
    if path.endswith(".py"):
        yield from _python_prose(source)
    elif path.endswith(_SCRIPTS):
        for comment in _SCRIPT_COMMENT.finditer(source):
            block, rest_of_line = comment.groups()
            text = rest_of_line if block is None else re.sub(r"^\s*\*", "", block, flags=re.MULTILINE)
            yield _line_of(source, comment.start()), " ".join(text.split())
    else:
        yield from _paragraphs(source)


def names(path: str, source: str) -> Iterator[tuple[int, str]]:
    """Yields line and name of each variable, parameter and function; a function's name ends with `()`."""
    if path.endswith((".ts", ".tsx")):
        for binding in _SCRIPT_BINDING.finditer(source):
            yield _line_of(source, binding.start()), binding[1]
    elif path.endswith(".py"):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node.lineno, f"{node.name}()"
                for parameter in (*node.args.args, *node.args.kwonlyargs):
                    if parameter.arg not in ("self", "cls"):
                        yield node.lineno, parameter.arg
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.lineno, node.id


def _python_prose(source: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            value = getattr(statement, "value", None)
            if isinstance(statement, ast.Expr) and isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield statement.lineno, " ".join(value.value.split())
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not _PRAGMA.match(token.string):
            yield token.start[0], token.string.lstrip("# ").strip()


def _paragraphs(source: str) -> Iterator[tuple[int, str]]:
    """Yields the paragraphs of a page without its code blocks."""
    text = re.sub(r"```.*?```", lambda block: "\n" * block[0].count("\n"), source, flags=re.DOTALL)
    line = 1
    for block in re.split(r"(\n\s*\n)", text):
        if block.strip():
            yield line, " ".join(block.split())
        line += block.count("\n")


def _line_of(source: str, position: int) -> int:
    return source.count("\n", 0, position) + 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
