-- Connections to outside systems: what they need, their secrets, and the schemas found there.

CREATE TABLE connector (
  id text COLLATE "C" PRIMARY KEY,
  instance_id text COLLATE "C" NOT NULL REFERENCES instance ON DELETE CASCADE,
  name text NOT NULL,
  type text NOT NULL,
  config jsonb NOT NULL,
  auth_type text NOT NULL,
  status text NOT NULL CHECK (status IN ('NEW', 'AUTHENTICATED', 'ACTIVATING', 'ACTIVE', 'ERROR', 'INACTIVE', 'DELETED')),
  schema_status text NOT NULL CHECK (schema_status IN ('NEW', 'PROCESSING', 'SUCCESS', 'ERROR')),
  -- Why it is in ERROR: { kind, message, hint }.
  problem jsonb,
  -- How far the schema has been read: { done, total, percentage, entity }.
  progress jsonb,
  -- Names of entities that are refreshed by themselves.
  auto_schema_entities jsonb NOT NULL DEFAULT '[]',
  schema_refreshed_at timestamptz(3),
  -- Set while it is in use: an ERROR of such a connector passes when the system works again.
  activated_at timestamptz(3),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX connector_name ON connector (instance_id, lower(name)) WHERE status <> 'DELETED';

CREATE TABLE credential (
  id text COLLATE "C" PRIMARY KEY,
  instance_id text COLLATE "C" NOT NULL REFERENCES instance ON DELETE CASCADE,
  connector_id text COLLATE "C" NOT NULL UNIQUE REFERENCES connector ON DELETE CASCADE,
  -- The only places these secrets may be sent to: host:port, fixed when they were entered.
  hosts jsonb NOT NULL,
  -- Inputs that are no secret (a user name).
  plain jsonb NOT NULL,
  -- Names of the secret inputs that are filled; their values are in `sealed`, encrypted.
  secret_names jsonb NOT NULL,
  sealed text NOT NULL,
  updated_at timestamptz(3) NOT NULL
);

CREATE TABLE connector_entity (
  instance_id text COLLATE "C" NOT NULL,
  connector_id text COLLATE "C" NOT NULL REFERENCES connector ON DELETE CASCADE,
  api_name text NOT NULL,
  -- As last discovered; fields that have vanished stay, marked INACTIVE.
  definition jsonb NOT NULL,
  status text NOT NULL CHECK (status IN ('ACTIVE', 'INACTIVE')),
  -- Chosen by a person instead of what was discovered.
  id_field text,
  watermark_field text,
  refreshed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (connector_id, api_name)
);
