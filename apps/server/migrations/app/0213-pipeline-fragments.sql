-- Parts of pipelines that were saved under a name, to be inserted as copies.
CREATE TABLE pipeline_fragment (
  id text COLLATE "C" PRIMARY KEY,
  instance_id text COLLATE "C" NOT NULL,
  context text NOT NULL CHECK (context IN ('entity', 'field')),
  name text NOT NULL,
  description text NOT NULL,
  -- Nodes, the edges among them and their groups, as on the clipboard.
  content jsonb NOT NULL,
  -- User id, and the name as it was then.
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX pipeline_fragment_name ON pipeline_fragment (instance_id, context, lower(name));
-- `instance_id`: another instance, which may insert the fragment as well.
CREATE TABLE pipeline_fragment_share (
  instance_id text COLLATE "C" NOT NULL,
  fragment_id text COLLATE "C" NOT NULL REFERENCES pipeline_fragment ON DELETE CASCADE,
  PRIMARY KEY (instance_id, fragment_id)
);
CREATE INDEX pipeline_fragment_share_fragment ON pipeline_fragment_share (fragment_id);
-- `instance_id`: the one whose palettes don't offer the fragment.
CREATE TABLE pipeline_fragment_hidden (
  instance_id text COLLATE "C" NOT NULL,
  fragment_id text COLLATE "C" NOT NULL REFERENCES pipeline_fragment ON DELETE CASCADE,
  PRIMARY KEY (instance_id, fragment_id)
);
CREATE INDEX pipeline_fragment_hidden_fragment ON pipeline_fragment_hidden (fragment_id);
