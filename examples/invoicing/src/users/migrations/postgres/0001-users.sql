CREATE TABLE users (name text PRIMARY KEY, tenants text NOT NULL, salt text NOT NULL, hash text NOT NULL);
