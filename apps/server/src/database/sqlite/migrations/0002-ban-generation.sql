ALTER TABLE api_keys RENAME COLUMN unbans TO ban_generation;
