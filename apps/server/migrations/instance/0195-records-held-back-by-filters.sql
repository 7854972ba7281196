-- Of a record whose copy a filter of its source holds back: until when its changes were known before that, what it
-- showed when it was read last, and what the core held. NULL: it is not held back.
ALTER TABLE link ADD COLUMN held_back jsonb;
