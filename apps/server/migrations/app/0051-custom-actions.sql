-- REST calls that people made reusable as nodes of pipelines.
CREATE TABLE custom_action (
  id text COLLATE "C" PRIMARY KEY,
  instance_id text COLLATE "C" NOT NULL,
  api_name text NOT NULL,
  -- Everything but the secret, as the API shows it.
  definition jsonb NOT NULL,
  -- Sealed; null when there is none. Only used for requests to `secret_host`.
  secret text,
  secret_host text,
  revision integer NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX custom_action_name ON custom_action (instance_id, lower(api_name));
