-- While a pipeline works out the answer to a post, cycles leave it and what came after it alone: both would act on it.
ALTER TABLE webhook_message ADD COLUMN held_until timestamptz;
CREATE INDEX webhook_message_held ON webhook_message (connector_id, number) WHERE held_until IS NOT NULL;
