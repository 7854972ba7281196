-- Exports of datasets: what was asked for and how far it is, and the file in pieces.
CREATE TABLE dataset_export (
  instance_id text COLLATE "C" NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  id text COLLATE "C" PRIMARY KEY,
  dataset_id text COLLATE "C" NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
  user_id text COLLATE "C" NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  created_by text NOT NULL,
  format text NOT NULL CHECK (format IN ('CSV', 'XLSX')),
  variables jsonb NOT NULL,
  file_name text NOT NULL,
  status text NOT NULL CHECK (status IN ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELED')),
  rows_written bigint NOT NULL DEFAULT 0,
  total_rows bigint,
  bytes bigint NOT NULL DEFAULT 0,
  error text,
  -- How often it was begun, and by which run of a worker: only that one may write the file.
  attempts integer NOT NULL DEFAULT 0,
  run_id text COLLATE "C",
  -- By the database's clock: a run that has not renewed it until then is lost.
  lease_until timestamptz,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX dataset_export_own ON dataset_export (instance_id, dataset_id, user_id, created_at DESC);
CREATE INDEX dataset_export_dataset ON dataset_export (dataset_id);
CREATE INDEX dataset_export_user ON dataset_export (user_id);
CREATE INDEX dataset_export_expires ON dataset_export (expires_at);
CREATE INDEX dataset_export_queued ON dataset_export (instance_id, created_at, id) WHERE status = 'QUEUED';
CREATE UNIQUE INDEX dataset_export_running ON dataset_export (instance_id) WHERE status = 'RUNNING';
-- The file, in pieces that are read one after the other.
CREATE TABLE dataset_export_chunk (
  instance_id text COLLATE "C" NOT NULL,
  export_id text COLLATE "C" NOT NULL REFERENCES dataset_export (id) ON DELETE CASCADE,
  number integer NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (export_id, number)
);
