-- Sources with schedules of their own, cycles that got stuck, and the addresses of webhooks.
ALTER TABLE sync_pipeline
  -- The cycle asked for reads every source, whatever its schedule.
  ADD COLUMN read_all boolean NOT NULL DEFAULT false,
  -- When the present cycle last got on; a live worker whose cycle hangs renews its lease but not this.
  ADD COLUMN heard_at timestamptz,
  -- When it was found stuck; cleared by the next cycle that ends.
  ADD COLUMN stalled_at timestamptz;

-- The unguessable part of a webhook's address, and which connector it belongs to.
CREATE TABLE webhook_endpoint (
  address text COLLATE "C" PRIMARY KEY,
  instance_id text COLLATE "C" NOT NULL,
  connector_id text COLLATE "C" NOT NULL,
  UNIQUE (instance_id, connector_id)
);

-- Posts to one address in one minute: every process counts in the same place.
CREATE UNLOGGED TABLE webhook_rate (
  address text COLLATE "C" NOT NULL,
  minute timestamptz NOT NULL,
  posts integer NOT NULL,
  PRIMARY KEY (address, minute)
);
