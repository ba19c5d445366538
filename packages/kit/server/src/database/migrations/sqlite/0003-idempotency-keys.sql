CREATE TABLE idempotency_keys (
  -- SHA-256 of the caller, the operation and the key.
  id            TEXT PRIMARY KEY,
  -- SHA-256 of the request.
  fingerprint   TEXT NOT NULL,
  -- How long the first request may be under way, in epoch milliseconds by the clock of the database.
  claimed_until INTEGER NOT NULL,
  expires_at    INTEGER NOT NULL,
  -- The response; null until there is one.
  status        INTEGER,
  headers       TEXT,
  body          BLOB
);

CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
