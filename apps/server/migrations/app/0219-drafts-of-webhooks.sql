-- The configuration of a webhook that is not published yet: senders and pipelines have the connector's own. No secrets.
CREATE TABLE webhook_draft (
  connector_id text COLLATE "C" PRIMARY KEY REFERENCES connector (id) ON DELETE CASCADE,
  instance_id text COLLATE "C" NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  name text NOT NULL,
  config jsonb NOT NULL,
  auth_type text NOT NULL,
  saved_at timestamptz NOT NULL
);
