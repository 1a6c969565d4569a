"""The database: the types of its columns, its transactions, its walls between companies."""
