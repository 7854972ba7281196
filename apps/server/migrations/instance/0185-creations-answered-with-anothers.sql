-- Outside record that the creation of a record was answered with although it belongs to another record, and the
-- fingerprint of the key as it was sent: nothing more is created meanwhile unless the key changes or a person tries
-- again. `taken_times`: how often that was, for the next creation's idempotency key.
ALTER TABLE delivery
  ADD COLUMN taken_id text, ADD COLUMN taken_key text, ADD COLUMN taken_times integer NOT NULL DEFAULT 0;
