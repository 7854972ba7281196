-- A pipeline that an outage has paused in error: a cycle now and then finds out whether its systems are back.
ALTER TABLE sync_pipeline ADD COLUMN probing boolean NOT NULL DEFAULT false;
