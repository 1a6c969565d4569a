"""The examples in the contract's pages fit its schemas, and every page and topic can be found."""

import json
import re

import pytest
from jsonschema import Draft202012Validator

from tools.tests.contract.documents import V1, examples, topics, validator

SHOWN = [(page, schema, text) for page, schema, text in examples() if schema]
SCHEMAS = sorted(path.stem for path in (V1 / "schemas").glob("*.json"))


@pytest.mark.parametrize(("page", "schema", "text"), SHOWN, ids=[f"{page}:{schema}" for page, schema, _ in SHOWN])
def test_an_example_in_a_page_fits_its_schema(page: str, schema: str, text: str) -> None:
    errors = list(validator(schema).iter_errors(json.loads(text)))

    assert errors == []


@pytest.mark.parametrize("schema", [name for name in SCHEMAS if name != "common"])
def test_every_schema_is_shown_by_an_example(schema: str) -> None:
    assert schema in {shown_schema for _, shown_schema, _ in SHOWN}


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_schema_is_a_schema(schema: str) -> None:
    document = json.loads((V1 / "schemas" / f"{schema}.json").read_text(encoding="utf-8"))

    Draft202012Validator.check_schema(document)
    assert document["$id"] == f"{schema}.json"


@pytest.mark.parametrize(("page", "schema", "text"), SHOWN, ids=[f"{page}:{schema}" for page, schema, _ in SHOWN])
def test_an_example_that_lacks_a_required_member_is_refused(page: str, schema: str, text: str) -> None:
    example = json.loads(text)
    for member in list(example):
        poorer = {name: value for name, value in example.items() if name != member}
        if not validator(schema).is_valid(poorer):
            return
    pytest.fail("no member is required")


def test_every_link_between_the_pages_leads_somewhere() -> None:
    broken = []
    for page in [*V1.glob("*.md"), *V1.glob("vectors/*.md")]:
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
            path, _, anchor = target.partition("#")
            file = (page.parent / path) if path else page
            headings = (
                re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE) if file.is_file() else []
            )
            names = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
            if not file.exists() or (anchor and anchor not in names):
                broken.append(f"{page.name}: {target}")
    assert broken == []


@pytest.mark.parametrize("topic", topics())
def test_every_topic_is_described(topic: str) -> None:
    text = (V1 / "vectors" / "README.md").read_text(encoding="utf-8")
    described = {name for heading in re.findall(r"^## (.+)$", text, re.MULTILINE) for name in heading.split(", ")}

    assert topic in described
