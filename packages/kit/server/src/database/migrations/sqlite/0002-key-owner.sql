-- Whose the key is: keys of one owner share what it may see. Empty if only the key itself counts.
ALTER TABLE api_keys ADD COLUMN owner TEXT NOT NULL DEFAULT '';
