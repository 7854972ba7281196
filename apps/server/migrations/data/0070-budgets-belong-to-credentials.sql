-- A budget belongs to what a system counts calls for: the credentials shown to it, whichever connectors share them. The
-- key is a keyed digest. What was known by connector is learned anew within a call or two.
DROP TABLE connector_rate;
CREATE TABLE rate_budget (
  instance_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  open_at timestamptz NOT NULL,
  left_calls integer,
  limit_calls integer,
  reset_at timestamptz,
  -- The longest time told until the budget is new: how long the next one is taken to last before it is told.
  window_ms integer,
  PRIMARY KEY (instance_id, key)
);
