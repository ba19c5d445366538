-- While rows are imported into a table, those above `ceiling` are in the store and in no answer. An import that was
-- killed leaves its ceiling: what is above it is removed.
CREATE TABLE imports (
  name    TEXT PRIMARY KEY,
  ceiling INTEGER NOT NULL
);
