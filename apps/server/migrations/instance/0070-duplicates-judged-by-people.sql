-- Reported duplicates that a person merged, or said to be different things.
ALTER TABLE merge ADD COLUMN merged_by text;
-- All pairs of a report can be parted, not only those with its winner.
ALTER TABLE merged_record DROP CONSTRAINT merged_record_pkey, ADD PRIMARY KEY (loser_id, merge_id, winner_id);
