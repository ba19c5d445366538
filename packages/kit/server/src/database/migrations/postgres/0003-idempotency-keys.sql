CREATE TABLE idempotency_keys (
  -- SHA-256 of the caller, the operation and the key.
  id            text PRIMARY KEY,
  -- SHA-256 of the request.
  fingerprint   text NOT NULL,
  -- Of the claim: another one for each first request.
  token         text NOT NULL,
  -- Until when its process is taken for alive, in epoch milliseconds by the clock of the database. 0 when it is over.
  claimed_until bigint NOT NULL,
  -- Whether the request had no effect unless its transaction ended the claim.
  is_atomic     boolean NOT NULL,
  expires_at    bigint NOT NULL,
  -- The response; null until there is one.
  status        integer,
  headers       text,
  body          bytea
);

CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
