-- Says which records a statement changed, for the columnar mirror of analytics: one row a statement, in the transaction of
-- the statement, so that a mirror learns of each change that it can't see, deletions included. The triggers that call it are
-- made while a mirror of a table is in use, and dropped afterwards. Inserting alone: nothing waits for anything.
CREATE FUNCTION accord_analytics.capture_changes() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  -- Of very many records no ids are kept: the table is copied anew.
  EXECUTE format(
    'INSERT INTO %I.mirror_change (relation, ids)
     SELECT $1, CASE WHEN (SELECT count(*) FROM (SELECT FROM changed LIMIT 50001) few) <= 50000
                     THEN (SELECT array_agg(accord_id) FROM changed) END
     WHERE EXISTS (SELECT FROM changed)', TG_TABLE_SCHEMA) USING TG_RELID;
  RETURN NULL;
END
$$;
