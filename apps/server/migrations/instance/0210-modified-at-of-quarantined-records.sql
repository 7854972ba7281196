-- When the source says that a quarantined record was changed, as in link. NULL: it does not say. An older copy of the
-- record that is read later neither passes for it nor ends its quarantine.
ALTER TABLE quarantine ADD COLUMN modified_at text COLLATE "C";
