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

-- Counts the committed changes of what the list of orders shows, so a list cached at one revision is current while it
-- stays. A cancel changes nothing that the list shows.
CREATE TABLE orders_revision (
  singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
  revision  INTEGER NOT NULL
);

INSERT INTO orders_revision VALUES (1, 1);

CREATE TRIGGER orders_inserted AFTER INSERT ON orders
BEGIN UPDATE orders_revision SET revision = revision + 1; END;

CREATE TRIGGER orders_deleted AFTER DELETE ON orders
BEGIN UPDATE orders_revision SET revision = revision + 1; END;

CREATE TRIGGER orders_updated AFTER UPDATE OF id, pet_id, quantity, ship_date, complete ON orders
BEGIN UPDATE orders_revision SET revision = revision + 1; END;
