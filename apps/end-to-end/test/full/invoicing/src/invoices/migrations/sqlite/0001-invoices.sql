CREATE TABLE invoices (
  id text PRIMARY KEY,
  tenant text NOT NULL,
  customer text NOT NULL,
  cents integer NOT NULL,
  status text NOT NULL,
  due text NOT NULL
);
CREATE INDEX invoices_of_tenant ON invoices (tenant, id);
CREATE TABLE receipts (invoice_id text PRIMARY KEY REFERENCES invoices (id), file blob NOT NULL);
