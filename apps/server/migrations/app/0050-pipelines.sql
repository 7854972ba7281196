-- Pipelines: one for each core entity that ever had one. The graphs are in its draft and its versions.
CREATE TABLE pipeline (
  entity_id text COLLATE "C" PRIMARY KEY REFERENCES core_entity (id) ON DELETE CASCADE,
  instance_id text COLLATE "C" NOT NULL,
  -- Grows with everything done to the draft, also across drafts: a save on an older revision is refused.
  revision integer NOT NULL DEFAULT 0,
  settings jsonb NOT NULL DEFAULT '{}',
  merge_config jsonb NOT NULL DEFAULT '{}',
  -- The version that runs; null while nothing is published.
  published_version_id text COLLATE "C",
  modified_at timestamptz NOT NULL,
  -- { userId, firstName, lastName } as they were then.
  modified_by jsonb NOT NULL
);
CREATE INDEX pipeline_instance ON pipeline (instance_id);

CREATE TABLE pipeline_draft (
  entity_id text COLLATE "C" PRIMARY KEY REFERENCES pipeline (entity_id) ON DELETE CASCADE,
  instance_id text COLLATE "C" NOT NULL,
  graph jsonb NOT NULL,
  -- Sources, destinations and mapped fields of the graph, so that lists need not read graphs.
  outline jsonb NOT NULL,
  updated_at timestamptz NOT NULL,
  updated_by jsonb NOT NULL
);

CREATE TABLE pipeline_version (
  id text COLLATE "C" PRIMARY KEY,
  instance_id text COLLATE "C" NOT NULL,
  entity_id text COLLATE "C" NOT NULL REFERENCES pipeline (entity_id) ON DELETE CASCADE,
  number integer NOT NULL,
  name text NOT NULL,
  summary text NOT NULL,
  graph jsonb NOT NULL,
  outline jsonb NOT NULL,
  settings jsonb NOT NULL,
  published_at timestamptz NOT NULL,
  published_by jsonb NOT NULL,
  UNIQUE (entity_id, number)
);
