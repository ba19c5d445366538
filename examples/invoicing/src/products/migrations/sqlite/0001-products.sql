CREATE TABLE products (
  id text PRIMARY KEY,
  tenant text NOT NULL,
  name text NOT NULL,
  unit text NOT NULL
) STRICT;
CREATE INDEX products_of_tenant ON products (tenant, id);
CREATE TABLE prices (
  product_id text NOT NULL REFERENCES products (id),
  currency text NOT NULL,
  cents integer NOT NULL,
  PRIMARY KEY (product_id, currency)
) STRICT;
