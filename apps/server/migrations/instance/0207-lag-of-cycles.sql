-- When a cycle ended: milliseconds since the one before it had, stored or not. Null: the first, or of an older version.
ALTER TABLE cycle ADD COLUMN lag_ms bigint;
