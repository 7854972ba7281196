-- How far what an older version kept as it came has been sealed: a pass goes through a table in batches, by its keys.
CREATE TABLE sealing_pass (
  what text COLLATE "C" NOT NULL,
  -- Id of the instance whose table it is; empty for a table of all instances.
  part text COLLATE "C" NOT NULL,
  -- The last key that was looked at.
  after text COLLATE "C",
  finished_at timestamptz,
  PRIMARY KEY (what, part)
);
