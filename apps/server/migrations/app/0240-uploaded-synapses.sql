-- Synapses that people upload as code: their versions, of which one at most is a draft and one is published.
CREATE TABLE sdk_synapse (
  instance_id text COLLATE "C" NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  display_name text NOT NULL,
  -- Wanted by its author; what is in force is `is_global`, which approvals alone set.
  publish_to_global boolean NOT NULL,
  is_global boolean NOT NULL DEFAULT false,
  scope text NOT NULL DEFAULT 'PRIVATE' CHECK (scope IN ('PRIVATE', 'SUBSCRIPTION', 'SELECTED')),
  deployment_status text CHECK (deployment_status IN ('ACTIVE', 'DEPLOY_IN_PROGRESS', 'DELETE_IN_PROGRESS', 'ERROR')),
  deployment_message text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX sdk_synapse_name ON sdk_synapse (instance_id, lower(name));
CREATE TABLE sdk_synapse_version (
  instance_id text COLLATE "C" NOT NULL,
  synapse_id text COLLATE "C" NOT NULL REFERENCES sdk_synapse (id) ON DELETE CASCADE,
  number integer NOT NULL,
  approval_status text NOT NULL CHECK (
    approval_status IN ('NEW', 'SUBMIT_FOR_APPROVAL', 'APPROVAL_IN_PROGRESS', 'APPROVED', 'ARCHIVED')
  ),
  code_name text NOT NULL,
  code bytea NOT NULL,
  requirements bytea NOT NULL,
  icon bytea,
  content_hash text NOT NULL,
  -- Of the files that somebody approved: no other is ever run for a connection.
  approved_hash text,
  -- Whether it was to be visible to everybody when it was approved: nothing that is wanted later counts.
  approved_global boolean,
  description jsonb,
  -- Everybody who had a hand in this code, its files or its submission: none of them approves it.
  authors text[] COLLATE "C" NOT NULL,
  uploaded_by text COLLATE "C" NOT NULL,
  uploaded_at timestamptz(3) NOT NULL,
  submitted_by text COLLATE "C",
  submitted_at timestamptz(3),
  approved_by text COLLATE "C",
  approved_at timestamptz(3),
  PRIMARY KEY (synapse_id, number)
);
CREATE UNIQUE INDEX sdk_synapse_draft ON sdk_synapse_version (synapse_id)
  WHERE approval_status IN ('NEW', 'SUBMIT_FOR_APPROVAL', 'APPROVAL_IN_PROGRESS');
CREATE UNIQUE INDEX sdk_synapse_published ON sdk_synapse_version (synapse_id) WHERE approval_status = 'APPROVED';
-- Code is packed already, or soon read.
ALTER TABLE sdk_synapse_version ALTER COLUMN code SET STORAGE EXTERNAL;
