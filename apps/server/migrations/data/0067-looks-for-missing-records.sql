-- Systems that can't say what was deleted are asked for all their ids now and then: when next, who is at it, what came
-- of it the last time.
CREATE TABLE sync_look (
  instance_id text COLLATE "C" NOT NULL,
  pipeline_id text COLLATE "C" NOT NULL,
  place smallint NOT NULL,
  due_at timestamptz NOT NULL,
  held_until timestamptz,
  ended_at timestamptz,
  -- Why nothing is done about what was missing; null when all is well.
  problem jsonb,
  PRIMARY KEY (instance_id, pipeline_id, place)
);
CREATE INDEX sync_look_due ON sync_look (due_at);
