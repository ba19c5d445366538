-- What happened to keys, when and by whom. It is only ever added to, and a restore keeps it.
CREATE TABLE audit (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,
  at     TEXT NOT NULL,
  action TEXT NOT NULL,
  key_id TEXT NOT NULL,
  actor  TEXT NOT NULL
);
