-- Whether the last reading of a source came to an end: one that broke off goes on at once, and until then a place that
-- can't be asked is told of nothing new, since the record may be among what is yet to be read.
ALTER TABLE source_position ADD COLUMN through boolean NOT NULL DEFAULT true;
