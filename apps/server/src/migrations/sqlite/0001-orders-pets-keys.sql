CREATE TABLE orders (
  -- Up to 2^53-1, so that every JSON parser reads an id exactly.
  id           INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  pet_id       INTEGER,
  quantity     INTEGER CHECK (quantity >= 0),
  ship_date    TEXT,
  complete     INTEGER CHECK (complete IN (0, 1)),
  status       TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'shipped', 'cancelled')),
  cancelled_at TEXT,
  cancelled_by TEXT
);

CREATE TABLE pets (
  id   INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  name TEXT
);

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
