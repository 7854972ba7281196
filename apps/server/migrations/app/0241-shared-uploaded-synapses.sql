-- `instance_id`: another instance, which may use the approved version as well.
CREATE TABLE sdk_synapse_share (
  instance_id text COLLATE "C" NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  synapse_id text COLLATE "C" NOT NULL REFERENCES sdk_synapse (id) ON DELETE CASCADE,
  PRIMARY KEY (instance_id, synapse_id)
);
CREATE INDEX sdk_synapse_share_synapse ON sdk_synapse_share (synapse_id);
-- Connections of an uploaded synapse, when it is published anew or deleted.
CREATE INDEX connector_of_uploaded ON connector (type) WHERE type LIKE 'sdk:%';
