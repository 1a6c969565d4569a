"""The draft of a migration that a developer gets for a new table."""

import ast
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database


def test_the_draft_for_a_described_table_is_python_without_its_description(empty: Database, tmp_path: Path) -> None:
    schema.migrate(empty)
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    config.set_main_option("version_locations", f"{schema.MIGRATIONS / 'versions'} {tmp_path}")
    config.set_main_option("path_separator", "space")
    with empty.engine.begin() as connection:
        connection.execute(text("DROP TABLE free_days"))
        config.attributes["connection"] = connection
        command.revision(config, autogenerate=True, rev_id="draft", message="Draft.", version_path=str(tmp_path))
    (draft,) = tmp_path.glob("*.py")
    source = draft.read_text(encoding="utf-8")
    ast.parse(source)
    assert "op.create_table('free_days'" in source
    assert "Description" not in source
