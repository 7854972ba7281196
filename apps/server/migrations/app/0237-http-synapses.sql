-- Custom synapses that are described. Connections of one are connectors whose type is its id.
CREATE TABLE http_synapse (
  id text COLLATE "C" PRIMARY KEY,
  instance_id text COLLATE "C" NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  name text NOT NULL,
  -- An image as a data address; null: none of its own.
  icon text,
  share_scope text NOT NULL CHECK (share_scope IN ('PRIVATE', 'SUBSCRIPTION', 'INSTANCES', 'GLOBAL')),
  published_version integer,
  draft jsonb,
  -- Counts the changes of the draft, through all drafts; an entity in it has the count of its own last change.
  draft_revision integer NOT NULL DEFAULT 0,
  -- What the draft is tested with: values of variables, inputs that are not secret, where the secrets may go.
  trial jsonb NOT NULL DEFAULT '{}',
  trial_sealed text,
  created_at timestamptz NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK (published_version IS NOT NULL OR draft IS NOT NULL)
);
CREATE UNIQUE INDEX http_synapse_name ON http_synapse (instance_id, lower(name));

-- What was published, as connections use it.
CREATE TABLE http_synapse_version (
  synapse_id text COLLATE "C" NOT NULL REFERENCES http_synapse (id) ON DELETE CASCADE,
  instance_id text COLLATE "C" NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  version integer NOT NULL,
  definition jsonb NOT NULL,
  published_at timestamptz NOT NULL,
  published_by text COLLATE "C" NOT NULL,
  PRIMARY KEY (synapse_id, version)
);

-- Instances that a synapse with the scope INSTANCES is shared with; `instance_id` is the owner's.
CREATE TABLE http_synapse_share (
  synapse_id text COLLATE "C" NOT NULL REFERENCES http_synapse (id) ON DELETE CASCADE,
  instance_id text COLLATE "C" NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  shared_with text COLLATE "C" NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  PRIMARY KEY (synapse_id, shared_with)
);

-- Counts the requests to read its schema: what is found for one is not kept once there is another.
ALTER TABLE connector ADD COLUMN schema_request integer NOT NULL DEFAULT 0;

-- Connections of a synapse in all instances.
CREATE INDEX connector_of_synapse ON connector (type) WHERE type ~ '^[0-9a-f]{24}$';
