-- What was changed of a key, and to what.
ALTER TABLE audit ADD COLUMN changes TEXT NOT NULL DEFAULT '';
