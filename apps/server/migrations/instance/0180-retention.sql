-- What happened is kept for a time: when quarantined records were resolved, and what the job that deletes looks for.
ALTER TABLE quarantine ADD COLUMN resolved_at timestamptz;
UPDATE quarantine SET resolved_at = now() WHERE status = 'RESOLVED';
CREATE INDEX quarantine_resolved ON quarantine (resolved_at) WHERE status = 'RESOLVED';
CREATE INDEX cycle_finished ON cycle (pipeline_id, finished_at);
CREATE INDEX webhook_message_received ON webhook_message (connector_id, received_at);

-- How far the present pass over the ledger's old entries has come; one row.
CREATE TABLE ledger_compaction (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  position bigint NOT NULL DEFAULT 0,
  -- When the last pass came to the end.
  finished_at timestamptz
);
INSERT INTO ledger_compaction DEFAULT VALUES;
