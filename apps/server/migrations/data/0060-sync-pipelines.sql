-- Published pipelines of all instances: what is due, who runs it, how it stands. One row a pipeline, so that a worker
-- finds its work and guards every checkpoint without visiting each instance.
CREATE SEQUENCE sync_cycle_number;

CREATE TABLE sync_pipeline (
  instance_id text COLLATE "C" NOT NULL,
  -- The core entity's id.
  pipeline_id text COLLATE "C" NOT NULL,
  version_id text COLLATE "C" NOT NULL,
  version_number integer NOT NULL,
  published_at timestamptz NOT NULL DEFAULT now(),
  -- What people want of it.
  paused boolean NOT NULL DEFAULT false,
  paused_by text,
  -- Why the engine paused it by itself; null when a person did.
  error jsonb,
  -- When the next cycle begins, and whether somebody asked for one since the present cycle began.
  due_at timestamptz NOT NULL DEFAULT now(),
  poked boolean NOT NULL DEFAULT false,
  -- The lease. Every checkpoint names the epoch it belongs to.
  owner text,
  epoch bigint NOT NULL DEFAULT 0,
  lease_until timestamptz,
  cycle_number bigint,
  cycle_began_at timestamptz,
  activity text NOT NULL DEFAULT 'Waiting',
  -- Failures in a row by place number: {"3": {"attempts": 2, "since": 1767225600000}}.
  failures jsonb NOT NULL DEFAULT '{}',
  last_cycle jsonb,
  last_finished_at timestamptz,
  last_cycle_ms integer,
  -- The resync asked for or under way.
  resync jsonb,
  resync_turn boolean NOT NULL DEFAULT true,
  last_resync_at timestamptz,
  PRIMARY KEY (instance_id, pipeline_id)
);

CREATE INDEX sync_pipeline_due ON sync_pipeline (due_at) WHERE NOT paused;
