CREATE TABLE idempotency_keys (
  -- SHA-256 of the caller, the operation and the key.
  id            TEXT PRIMARY KEY,
  -- SHA-256 of the request.
  fingerprint   TEXT NOT NULL,
  -- Of the claim: another one for each first request.
  token         TEXT NOT NULL,
  -- 0 when it is over. Otherwise only the one process of the store knows whether it is under way.
  claimed_until INTEGER NOT NULL,
  -- Whether the request had no effect unless its transaction ended the claim.
  is_atomic     INTEGER NOT NULL,
  expires_at    INTEGER NOT NULL,
  -- The response; null until there is one.
  status        INTEGER,
  headers       TEXT,
  body          BLOB
);

CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
