"""The database: column types, transactions, locks, and row level security between companies."""
