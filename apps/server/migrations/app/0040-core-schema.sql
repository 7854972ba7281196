-- Entities of the unified model. What they look like is in their versions; the records are in the database `data`.
CREATE TABLE core_entity (
  id text COLLATE "C" PRIMARY KEY,
  instance_id text COLLATE "C" NOT NULL,
  api_name text COLLATE "C" NOT NULL,
  -- Number of the published version; 0 = never published.
  version integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
-- Two names that differ in case alone would confuse people and case-folding systems alike.
CREATE UNIQUE INDEX core_entity_api_name ON core_entity (instance_id, lower(api_name));

CREATE TABLE core_entity_version (
  instance_id text COLLATE "C" NOT NULL,
  entity_id text COLLATE "C" NOT NULL REFERENCES core_entity (id) ON DELETE CASCADE,
  version integer NOT NULL,
  state text NOT NULL CHECK (state IN ('NEW', 'DRAFT', 'APPROVED', 'ARCHIVED')),
  -- Grows with every save; a save on an older revision is refused.
  revision integer NOT NULL DEFAULT 0,
  -- Names, description, tags and the fields in their order.
  definition jsonb NOT NULL,
  updated_at timestamptz NOT NULL,
  updated_by text NOT NULL,
  published_at timestamptz,
  published_by text,
  PRIMARY KEY (entity_id, version)
);
CREATE UNIQUE INDEX core_entity_one_draft ON core_entity_version (entity_id) WHERE state IN ('NEW', 'DRAFT');
CREATE UNIQUE INDEX core_entity_one_published ON core_entity_version (entity_id) WHERE state = 'APPROVED';
CREATE INDEX core_entity_version_instance ON core_entity_version (instance_id, state);
