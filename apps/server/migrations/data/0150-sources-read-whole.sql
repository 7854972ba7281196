-- Source nodes whose systems were read from beginning to end: what they list and nobody links was passed over. Where
-- people chose not to bring in what exists, it is history that is left alone.
ALTER TABLE sync_pipeline ADD COLUMN whole_sources text[] NOT NULL DEFAULT '{}';
