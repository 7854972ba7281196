-- Datasets, data cards, dashboards and what people outside may see of them.

CREATE TABLE dataset (
  instance_id text COLLATE "C" NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  display_name text NOT NULL,
  description text NOT NULL,
  tags text[] NOT NULL,
  config jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  updated_by text NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX dataset_name ON dataset (instance_id, lower(name));

CREATE TABLE data_card (
  instance_id text COLLATE "C" NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  display_name text NOT NULL,
  description text NOT NULL,
  tags text[] NOT NULL,
  dataset_id text COLLATE "C" NOT NULL,
  configuration jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  updated_by text NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX data_card_name ON data_card (instance_id, lower(name));
CREATE INDEX data_card_dataset ON data_card (instance_id, dataset_id);

-- A draft of a published dashboard is a row of its own that names its parent; a draft that was never published names none.
CREATE TABLE dashboard (
  instance_id text COLLATE "C" NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  id text COLLATE "C" PRIMARY KEY,
  parent_id text COLLATE "C" REFERENCES dashboard (id) ON DELETE SET NULL,
  draft_status text NOT NULL CHECK (draft_status IN ('NEW', 'APPROVED')),
  name text NOT NULL,
  display_name text NOT NULL,
  description text NOT NULL,
  tags text[] NOT NULL,
  cards jsonb NOT NULL,
  variables jsonb NOT NULL,
  seeded boolean NOT NULL DEFAULT false,
  is_example boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  created_by text NOT NULL,
  updated_by text NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CHECK (parent_id IS NULL OR draft_status = 'NEW')
);
CREATE UNIQUE INDEX dashboard_name ON dashboard (instance_id, lower(name)) WHERE parent_id IS NULL;
CREATE UNIQUE INDEX dashboard_one_draft ON dashboard (parent_id) WHERE parent_id IS NOT NULL;

CREATE TABLE dashboard_visit (
  user_id text COLLATE "C" NOT NULL,
  instance_id text COLLATE "C" NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  dashboard_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (user_id, instance_id)
);

CREATE TABLE share (
  instance_id text COLLATE "C" NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  id text COLLATE "C" PRIMARY KEY,
  dashboard_id text COLLATE "C" NOT NULL REFERENCES dashboard (id) ON DELETE CASCADE,
  email text NOT NULL,
  -- Null: each visit asks for a mailed code.
  password_hash text,
  code_hash text,
  code_expires_at timestamptz(3),
  expires_at timestamptz(3),
  shared_by text NOT NULL,
  shared_at timestamptz(3) NOT NULL,
  last_viewed_at timestamptz(3)
);
CREATE UNIQUE INDEX share_recipient ON share (dashboard_id, email);
CREATE INDEX share_newest ON share (dashboard_id, shared_at DESC, id DESC);

CREATE TABLE share_session (
  token_hash text PRIMARY KEY,
  instance_id text COLLATE "C" NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  email text NOT NULL,
  expires_at timestamptz(3) NOT NULL
);

-- What a session was let into; gone when the share is taken back or given a new password.
CREATE TABLE share_session_item (
  token_hash text NOT NULL REFERENCES share_session (token_hash) ON DELETE CASCADE,
  share_id text COLLATE "C" NOT NULL REFERENCES share (id) ON DELETE CASCADE,
  PRIMARY KEY (token_hash, share_id)
);
CREATE INDEX share_session_item_share ON share_session_item (share_id);

-- Tries by address and dashboard, invited or not, so that being locked out tells nobody who was invited.
CREATE TABLE share_try (
  key text PRIMARY KEY,
  tries integer NOT NULL,
  since timestamptz(3) NOT NULL
);
