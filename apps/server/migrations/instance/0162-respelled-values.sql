-- How a system spelled what it was told, field by field, where it differs from what was sent.
ALTER TABLE link ADD COLUMN respelled text;
