-- Since when a record waits to be sent, and what its system answered last: people see both. NULL: enqueued by an older
-- version, or nothing has gone wrong with it yet.
ALTER TABLE delivery ADD COLUMN enqueued_at timestamptz, ADD COLUMN last_error text;
ALTER TABLE delivery ALTER COLUMN enqueued_at SET DEFAULT now();
