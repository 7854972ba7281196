-- A record's page asks for what is set aside of it, each time it looks.
CREATE INDEX quarantine_of_record ON quarantine (record_id) WHERE record_id IS NOT NULL;
