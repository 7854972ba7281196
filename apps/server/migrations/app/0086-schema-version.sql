-- Counts the changes of an instance's unified model. The session brings the number along, so every process knows with
-- the first query of a request whether the entities that it remembers are still the ones.
ALTER TABLE instance ADD COLUMN schema_version bigint NOT NULL DEFAULT 0;

CREATE FUNCTION count_schema_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE instance SET schema_version = schema_version + 1
   WHERE id = CASE WHEN TG_OP = 'DELETE' THEN OLD.instance_id ELSE NEW.instance_id END;
  RETURN NULL;
END $$;

CREATE TRIGGER core_entity_schema_change AFTER INSERT OR UPDATE OR DELETE ON core_entity
  FOR EACH ROW EXECUTE FUNCTION count_schema_change();
CREATE TRIGGER core_entity_version_schema_change AFTER INSERT OR UPDATE OR DELETE ON core_entity_version
  FOR EACH ROW EXECUTE FUNCTION count_schema_change();
