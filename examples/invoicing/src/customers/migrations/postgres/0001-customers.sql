CREATE TABLE customers (
  id text PRIMARY KEY,
  tenant text NOT NULL,
  name text NOT NULL,
  email text,
  UNIQUE (tenant, name)
);
