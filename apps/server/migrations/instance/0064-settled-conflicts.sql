-- A settled conflict stays known, so that the same value read again does not open it anew.
ALTER TABLE conflict ADD COLUMN settled_at timestamptz, ADD COLUMN settled_by text;
CREATE INDEX conflict_open ON conflict (pipeline_id, record_id, field) WHERE settled_at IS NULL;
DROP INDEX conflict_of_pipeline;
