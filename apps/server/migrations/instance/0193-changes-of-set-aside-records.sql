-- As for source_position, when a record was first set aside: readings go on past it, and what changed in it came after
-- the one before that. NULL: not known.
ALTER TABLE quarantine ADD COLUMN known_until timestamptz;
