CREATE TABLE idempotency_keys (
  -- SHA-256 of the caller, the operation and the key.
  id            text PRIMARY KEY,
  -- SHA-256 of the request.
  fingerprint   text NOT NULL,
  -- How long the first request may be under way, in epoch milliseconds by the clock of the database.
  claimed_until bigint NOT NULL,
  expires_at    bigint NOT NULL,
  -- The response; null until there is one.
  status        integer,
  headers       text,
  body          bytea
);

CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
