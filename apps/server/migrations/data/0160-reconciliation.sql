-- Reconciliations of pipelines: who asked for one, how far it is, what came of it. One row each, whatever the instance, so
-- that a worker finds its work at once.
CREATE TABLE sync_reconciliation (
  id text COLLATE "C" PRIMARY KEY,
  instance_id text COLLATE "C" NOT NULL,
  -- The core entity's id.
  pipeline_id text COLLATE "C" NOT NULL,
  version_number integer NOT NULL,
  -- WAITING, RUNNING, FINISHED, CANCELLED, FAILED.
  status text COLLATE "C" NOT NULL DEFAULT 'WAITING',
  requested_by text NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  began_at timestamptz,
  ended_at timestamptz,
  -- The lease: whoever finds it expired begins the comparison anew.
  owner text,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  is_cancel_requested boolean NOT NULL DEFAULT false,
  -- {"phase", "listed", "expected", "suspects"}
  progress jsonb NOT NULL DEFAULT '{}',
  -- What was compared: systems with their numbers, and core records.
  summary jsonb NOT NULL DEFAULT '{}',
  problem text
);
-- One at a time for each pipeline.
CREATE UNIQUE INDEX sync_reconciliation_active ON sync_reconciliation (instance_id, pipeline_id)
  WHERE status IN ('WAITING', 'RUNNING');
CREATE INDEX sync_reconciliation_of_pipeline ON sync_reconciliation (instance_id, pipeline_id, id);
CREATE INDEX sync_reconciliation_due ON sync_reconciliation (requested_at) WHERE status IN ('WAITING', 'RUNNING');
