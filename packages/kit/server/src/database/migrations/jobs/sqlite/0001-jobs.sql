CREATE TABLE kit_jobs (
  -- The order in which they were added.
  position     INTEGER PRIMARY KEY,
  id           TEXT NOT NULL UNIQUE,
  name         TEXT NOT NULL,
  -- JSON.
  payload      TEXT NOT NULL,
  queue        TEXT,
  -- Whether it waits for an earlier job of its queue.
  is_held      INTEGER NOT NULL,
  unique_value TEXT,
  trace_id     TEXT,
  -- Not before this time, in epoch milliseconds.
  run_at       INTEGER NOT NULL,
  -- The number of runs that began.
  attempt      INTEGER NOT NULL DEFAULT 0,
  -- Of its run: another one for each.
  token        TEXT,
  -- While it runs: a number of the process, of which a store has one at a time.
  leased_until INTEGER,
  last_error   TEXT,
  -- When its last attempt failed.
  died_at      INTEGER
);

CREATE INDEX kit_jobs_due ON kit_jobs (name, run_at, position)
  WHERE leased_until IS NULL AND died_at IS NULL AND NOT is_held;
CREATE INDEX kit_jobs_leased ON kit_jobs (leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX kit_jobs_held ON kit_jobs (queue, position) WHERE is_held;
-- Only the first one of a queue may run.
CREATE UNIQUE INDEX kit_jobs_first ON kit_jobs (queue) WHERE queue IS NOT NULL AND died_at IS NULL AND NOT is_held;
-- Only one of a value waits.
CREATE UNIQUE INDEX kit_jobs_unique ON kit_jobs (name, unique_value)
  WHERE unique_value IS NOT NULL AND leased_until IS NULL AND died_at IS NULL;

-- One row: where it was made. In a restored store it is empty, and jobs are held.
CREATE TABLE kit_jobs_place (
  place TEXT NOT NULL
);
INSERT INTO kit_jobs_place (place) VALUES ('sqlite');
