-- The first of the kit's own. Services that are older have migrations of their own up to this number.
CREATE TABLE api_keys (
  id           TEXT PRIMARY KEY,
  digest       TEXT NOT NULL UNIQUE,
  name         TEXT NOT NULL,
  plan         TEXT NOT NULL,
  per_minute   INTEGER NOT NULL CHECK (per_minute > 0),
  per_day      INTEGER NOT NULL CHECK (per_day > 0),
  unbans       INTEGER NOT NULL DEFAULT 0,
  created_at   TEXT NOT NULL,
  last_used_at TEXT,
  revoked_at   TEXT
);

-- What happened to keys, when and by whom. It is only ever added to, and a restore keeps it.
CREATE TABLE audit (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,
  at     TEXT NOT NULL,
  action TEXT NOT NULL,
  key_id TEXT NOT NULL,
  actor  TEXT NOT NULL
);
