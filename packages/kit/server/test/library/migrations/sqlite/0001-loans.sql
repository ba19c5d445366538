CREATE TABLE loans (
  id           INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  book_id      INTEGER,
  days         INTEGER CHECK (days >= 0),
  due_date     TEXT,
  returned     INTEGER CHECK (returned IN (0, 1)),
  cancelled_by TEXT CHECK (cancelled_by GLOB '[a-z]*'),
  cancelled_at TEXT
);
