-- Which call holds the key: one that was taken for dead and comes back saves and releases nothing. NULL: claimed before
-- there were owners.
ALTER TABLE idempotency_key ADD COLUMN owner text COLLATE "C";
