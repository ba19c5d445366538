-- A number that commits with every change of what the list of orders shows, so that a list remembered at one number is
-- known to be current while the number stays. A cancel changes nothing that the list shows.
CREATE TABLE orders_revision (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  revision  bigint NOT NULL
);

INSERT INTO orders_revision (revision) VALUES (1);

CREATE FUNCTION count_orders_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE orders_revision SET revision = revision + 1;
  RETURN NULL;
END
$$;

CREATE TRIGGER orders_revision
AFTER INSERT OR DELETE OR TRUNCATE OR UPDATE OF id, pet_id, quantity, ship_date, complete ON orders
FOR EACH STATEMENT EXECUTE FUNCTION count_orders_revision();
