CREATE TABLE invoices (
  id text PRIMARY KEY,
  tenant text NOT NULL,
  customer_id text NOT NULL REFERENCES customers (id),
  currency text NOT NULL,
  cents integer NOT NULL,
  status text NOT NULL,
  note text,
  due text,
  version integer NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX invoices_of_tenant ON invoices (tenant, id);
CREATE TABLE invoice_lines (
  invoice_id text NOT NULL REFERENCES invoices (id),
  position integer NOT NULL,
  product_id text NOT NULL REFERENCES products (id),
  quantity integer NOT NULL,
  cents integer NOT NULL,
  PRIMARY KEY (invoice_id, position)
) STRICT;
