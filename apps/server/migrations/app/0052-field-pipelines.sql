-- Field pipelines: one graph for a core field, nested in the pipeline of its entity and frozen with it.
CREATE TABLE field_pipeline_draft (
  entity_id text COLLATE "C" NOT NULL REFERENCES pipeline (entity_id) ON DELETE CASCADE,
  -- Api name of the core field.
  field text COLLATE "C" NOT NULL,
  instance_id text COLLATE "C" NOT NULL,
  graph jsonb NOT NULL,
  -- Somebody said that it may be published.
  ready boolean NOT NULL DEFAULT false,
  revision integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL,
  updated_by jsonb NOT NULL,
  PRIMARY KEY (entity_id, field)
);

-- By core field.
ALTER TABLE pipeline_version ADD COLUMN field_graphs jsonb NOT NULL DEFAULT '{}';
