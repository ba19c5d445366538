CREATE TABLE api_keys (
  id           TEXT PRIMARY KEY,
  digest       TEXT NOT NULL UNIQUE,
  name         TEXT NOT NULL,
  plan         TEXT NOT NULL,
  per_minute   INTEGER NOT NULL CHECK (per_minute > 0),
  per_day      INTEGER NOT NULL CHECK (per_day > 0),
  -- With spaces between them (RFC 6749 §3.3).
  scopes       TEXT NOT NULL DEFAULT '',
  unbans       INTEGER NOT NULL DEFAULT 0,
  created_at   TEXT NOT NULL,
  last_used_at TEXT,
  revoked_at   TEXT
);

-- What happened to keys, when and by whom. Rows are only added, and a restore keeps them.
CREATE TABLE audit (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,
  at     TEXT NOT NULL,
  action TEXT NOT NULL,
  key_id TEXT NOT NULL,
  actor  TEXT NOT NULL,
  -- Of a created key.
  scopes TEXT NOT NULL DEFAULT '',
  -- What was changed, and to what.
  changes TEXT NOT NULL DEFAULT ''
);
