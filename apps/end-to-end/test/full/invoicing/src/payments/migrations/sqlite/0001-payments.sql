CREATE TABLE payments (
  id text PRIMARY KEY,
  invoice_id text NOT NULL UNIQUE REFERENCES invoices (id),
  cents integer NOT NULL,
  at text NOT NULL,
  delivered_at text
);
CREATE INDEX payments_to_deliver ON payments (at) WHERE delivered_at IS NULL;
