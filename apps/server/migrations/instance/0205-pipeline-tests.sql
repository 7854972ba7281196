-- Tests that people save for entity pipelines, or for the pipeline of one field (empty: of the entity).
CREATE TABLE pipeline_test (
  id text COLLATE "C" PRIMARY KEY,
  pipeline_id text COLLATE "C" NOT NULL,
  field_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  records json NOT NULL,
  expected json NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX pipeline_test_name ON pipeline_test (pipeline_id, field_id, lower(name));

CREATE TABLE pipeline_test_run (
  id text COLLATE "C" PRIMARY KEY,
  pipeline_id text COLLATE "C" NOT NULL,
  field_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  name text NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'NEW',
  message text,
  test_ids text[] NOT NULL,
  graph_version text COLLATE "C" NOT NULL,
  requested_by text NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  began_at timestamptz,
  ended_at timestamptz,
  -- A run that is under way and whose time is over was cut off with its server: it counts as aborted.
  lease_until timestamptz NOT NULL,
  records integer NOT NULL DEFAULT 0,
  bytes integer NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX pipeline_test_run_under_way ON pipeline_test_run (pipeline_id) WHERE status IN ('NEW', 'PROCESSING');
CREATE INDEX pipeline_test_run_of_pipeline ON pipeline_test_run (pipeline_id, field_id, kind, id);

CREATE TABLE pipeline_test_result (
  run_id text COLLATE "C" NOT NULL REFERENCES pipeline_test_run ON DELETE CASCADE,
  position integer NOT NULL,
  test_id text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  actual json NOT NULL,
  records integer NOT NULL,
  details json NOT NULL,
  PRIMARY KEY (run_id, position)
);
CREATE INDEX pipeline_test_result_of_test ON pipeline_test_result (test_id, run_id);
