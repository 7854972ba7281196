-- What the replication slots of sources retained when they were last looked at. The pipeline's column has another name
-- than elsewhere on purpose: a slot outlives its pipeline until it was dropped, and is found by its row.
CREATE TABLE replication_slot (
  name text COLLATE "C" PRIMARY KEY,
  instance_id text COLLATE "C" NOT NULL,
  connector_id text COLLATE "C" NOT NULL,
  pipeline text COLLATE "C" NOT NULL,
  node text COLLATE "C" NOT NULL,
  retained_bytes bigint,
  level text NOT NULL,
  measured_at timestamptz NOT NULL,
  -- When it was last dropped because it retained too much, and how much that was.
  dropped_at timestamptz,
  dropped_bytes bigint
);
CREATE INDEX replication_slot_instance ON replication_slot (instance_id);
