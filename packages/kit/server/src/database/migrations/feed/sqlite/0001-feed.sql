CREATE TABLE feed_topics (
  topic TEXT PRIMARY KEY,
  -- Of all its cursors: another one in a copy of the database.
  life  TEXT NOT NULL,
  -- Where this row was made. A restored store has none.
  place TEXT NOT NULL,
  -- The last position that was given on PostgreSQL, and the last one whose entry was deleted.
  last  INTEGER NOT NULL DEFAULT 0,
  swept INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE feed_entries (
  -- One transaction writes at a time, so this is the order in which they commit, and the position.
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  topic    TEXT NOT NULL,
  -- JSON.
  payload  TEXT NOT NULL,
  -- In epoch milliseconds.
  at       INTEGER NOT NULL,
  -- Only PostgreSQL has one.
  position INTEGER
);

CREATE INDEX feed_entries_by_topic ON feed_entries (topic, id);
