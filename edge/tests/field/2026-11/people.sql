BEGIN TRANSACTION;
CREATE TABLE fetched (only_one INTEGER PRIMARY KEY CHECK (only_one = 1), revision TEXT, reflects INTEGER);
INSERT INTO "fetched" VALUES(1,'1',0);
CREATE TABLE people (user_id TEXT PRIMARY KEY, name TEXT NOT NULL, tags TEXT NOT NULL, state TEXT NOT NULL,
        since INTEGER, today_minutes INTEGER, week_minutes INTEGER, balance_minutes INTEGER, as_of TEXT NOT NULL);
INSERT INTO "people" VALUES('u-1','M. Eiche','["04A1B2C3D4E5F6"]','out',NULL,0,0,-30,'2026-11-20');
COMMIT;
PRAGMA user_version = 1;
