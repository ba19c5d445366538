CREATE TABLE payments (
  id text PRIMARY KEY,
  invoice_id text NOT NULL REFERENCES invoices (id),
  cents bigint NOT NULL,
  method text NOT NULL,
  at text NOT NULL,
  refunded_at text,
  delivered_at text
);
CREATE UNIQUE INDEX payment_of_invoice ON payments (invoice_id) WHERE refunded_at IS NULL;
CREATE INDEX payments_to_deliver ON payments (at) WHERE delivered_at IS NULL;
