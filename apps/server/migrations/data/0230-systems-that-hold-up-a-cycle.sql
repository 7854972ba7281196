-- What the cycle under way has been waiting for from systems for long; says nothing once the lease has run out.
ALTER TABLE sync_pipeline ADD COLUMN held_up jsonb NOT NULL DEFAULT '[]';
