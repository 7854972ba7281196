-- Actions of pipelines: what was to be done for which record, and what became of it. One database for records and
-- actions, so that a page and the actions it caused are one transaction.
CREATE TABLE sync_action (
  id text COLLATE "C" PRIMARY KEY,
  instance_id text COLLATE "C" NOT NULL,
  pipeline_id text COLLATE "C" NOT NULL,
  version_number integer NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  label text NOT NULL,
  action text COLLATE "C" NOT NULL,
  -- Keeps the same coming of a record from being acted on twice; null once that coming is over.
  key text COLLATE "C",
  external_id text COLLATE "C",
  record_id text COLLATE "C",
  work jsonb NOT NULL,
  -- DUE (waits for its turn), BEGUN, DONE, FAILED, UNKNOWN (begun, and nobody knows how it ended).
  state text COLLATE "C" NOT NULL DEFAULT 'DUE',
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  -- Until when whoever began it may still be at it.
  held_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  -- { succeeded, body, code, message }
  outcome jsonb
);
CREATE UNIQUE INDEX sync_action_key ON sync_action (instance_id, pipeline_id, key) WHERE key IS NOT NULL;
CREATE INDEX sync_action_due ON sync_action (due_at) WHERE state IN ('DUE', 'BEGUN');
CREATE INDEX sync_action_of_pipeline ON sync_action (instance_id, pipeline_id, id);
CREATE INDEX sync_action_ended ON sync_action (ended_at) WHERE ended_at IS NOT NULL;
