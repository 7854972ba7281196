-- Which columns a person shows in the records of an entity.
CREATE TABLE record_columns (
  instance_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  entity_id text COLLATE "C" NOT NULL REFERENCES core_entity (id) ON DELETE CASCADE,
  columns text[] NOT NULL,
  PRIMARY KEY (user_id, entity_id)
);

-- Named predicates on the records of an entity, shared by everybody in the instance.
CREATE TABLE saved_filter (
  id text COLLATE "C" PRIMARY KEY,
  instance_id text COLLATE "C" NOT NULL,
  entity_id text COLLATE "C" NOT NULL REFERENCES core_entity (id) ON DELETE CASCADE,
  name text NOT NULL,
  description text NOT NULL,
  criteria jsonb NOT NULL,
  tags text[] NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_by_id text COLLATE "C" NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_by text NOT NULL,
  updated_at timestamptz NOT NULL
);
-- A person gives each name once per entity.
CREATE UNIQUE INDEX saved_filter_name ON saved_filter (instance_id, entity_id, created_by_id, lower(name));

CREATE TABLE saved_filter_bookmark (
  filter_id text COLLATE "C" NOT NULL REFERENCES saved_filter (id) ON DELETE CASCADE,
  user_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (user_id, filter_id)
);
