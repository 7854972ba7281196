-- Until when a connector's system wants no call, as some process was told: all others keep to it.
CREATE TABLE connector_rate (
  instance_id text COLLATE "C" NOT NULL,
  connector_id text COLLATE "C" NOT NULL,
  open_at timestamptz NOT NULL,
  PRIMARY KEY (instance_id, connector_id)
);
