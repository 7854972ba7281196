-- Instances whose stored values of secret fields are all sealed. Others were made by an older version: the server seals
-- what they hold when it starts.
CREATE TABLE sealed_instance (
  instance_id text COLLATE "C" PRIMARY KEY,
  sealed_at timestamptz NOT NULL DEFAULT now()
);
