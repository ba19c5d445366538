CREATE TABLE receipts (
  invoice_id text PRIMARY KEY REFERENCES invoices (id),
  name text NOT NULL,
  type text NOT NULL,
  bytes blob NOT NULL
) STRICT;
