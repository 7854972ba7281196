-- Services outside that pipelines of an instance may use; one that has no row is off.
CREATE TABLE service_provider (
  instance_id text COLLATE "C" NOT NULL REFERENCES instance ON DELETE CASCADE,
  service text COLLATE "C" NOT NULL,
  -- Everything but the secret, as the API shows it.
  definition jsonb NOT NULL,
  -- Sealed; null when there is none. Only used for requests to `host`.
  secret text,
  host text NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (instance_id, service)
);
