-- Who created each dataset and card, beside who changed it last; of earlier ones the latter is all that is known.
ALTER TABLE dataset ADD COLUMN created_by text;
UPDATE dataset SET created_by = updated_by;
ALTER TABLE dataset ALTER COLUMN created_by SET NOT NULL;
ALTER TABLE data_card ADD COLUMN created_by text;
UPDATE data_card SET created_by = updated_by;
ALTER TABLE data_card ALTER COLUMN created_by SET NOT NULL;
