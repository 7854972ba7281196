-- The field by whose values a place's outside records are known: links of another one would be other records'.
ALTER TABLE place ADD COLUMN id_field text;
