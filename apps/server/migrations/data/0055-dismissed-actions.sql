-- Failed actions stay in sight until the same succeeds for the record, somebody lets them go, or they are forgotten.
ALTER TABLE sync_action ADD COLUMN dismissed_at timestamptz;
CREATE INDEX sync_action_failed ON sync_action (instance_id, pipeline_id, node_id)
  WHERE state IN ('FAILED', 'UNKNOWN') AND dismissed_at IS NULL;
CREATE INDEX sync_action_of_record ON sync_action (instance_id, record_id, id) WHERE record_id IS NOT NULL;
