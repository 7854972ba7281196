-- People's choices of columns are remembered with the entities: choosing others counts as a change too.
CREATE TRIGGER record_columns_schema_change AFTER INSERT OR UPDATE OR DELETE ON record_columns
  FOR EACH ROW EXECUTE FUNCTION count_schema_change();
