-- What changed at a source before this moment has been read: of a change whose time nobody tells, all that is known is
-- that it was made later. NULL: not known.
ALTER TABLE source_position ADD COLUMN known_until timestamptz;
