-- The scopes of a key, with spaces between them (RFC 6749 §3.3), and those that one was created with.
ALTER TABLE api_keys ADD COLUMN scopes text NOT NULL DEFAULT '';
ALTER TABLE audit ADD COLUMN scopes text NOT NULL DEFAULT '';
