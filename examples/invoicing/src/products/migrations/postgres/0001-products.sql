CREATE TABLE products (
  id text PRIMARY KEY,
  tenant text NOT NULL,
  name text NOT NULL,
  unit text NOT NULL
);
CREATE INDEX products_of_tenant ON products (tenant, id);
CREATE TABLE prices (
  product_id text NOT NULL REFERENCES products (id),
  currency text NOT NULL,
  cents bigint NOT NULL,
  PRIMARY KEY (product_id, currency)
);
