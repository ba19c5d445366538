-- A number that commits with every change of what the list of orders shows, so that a list remembered at one number is
-- known to be current while the number stays. A cancel changes nothing that the list shows. `restores` is raised by each
-- restore, so that a list that is read in batches is never a mixture of what was there before and after it.
CREATE TABLE orders_revision (
  singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
  revision  INTEGER NOT NULL,
  restores  INTEGER NOT NULL
);

INSERT INTO orders_revision VALUES (1, 1, 0);

CREATE TRIGGER orders_inserted AFTER INSERT ON orders
BEGIN UPDATE orders_revision SET revision = revision + 1; END;

CREATE TRIGGER orders_deleted AFTER DELETE ON orders
BEGIN UPDATE orders_revision SET revision = revision + 1; END;

CREATE TRIGGER orders_updated AFTER UPDATE OF id, pet_id, quantity, ship_date, complete ON orders
BEGIN UPDATE orders_revision SET revision = revision + 1; END;
