-- Aggregates for datasets that keep one value, or one text of bounded length, for each group. PostgreSQL's own string_agg
-- and array_agg keep everything they are given, which a group of long texts makes as large as the machine's memory.
CREATE SCHEMA IF NOT EXISTS accord_analytics;

-- A second element in the state says that the list is full: what follows costs next to nothing.
CREATE FUNCTION accord_analytics.add_to_text_list(state text[], item text, separator text, max_length integer) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  list text;
BEGIN
  IF item IS NULL OR cardinality(state) = 2 THEN
    RETURN state;
  END IF;
  list := coalesce(state[1] || coalesce(left(separator, max_length), ''), '') || left(item, max_length);
  IF octet_length(list) <= max_length OR char_length(list) <= max_length THEN
    RETURN ARRAY[list];
  END IF;
  RETURN ARRAY[left(list, max_length), ''];
END
$$;

CREATE FUNCTION accord_analytics.text_of_list(state text[]) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT state[1] $$;

CREATE AGGREGATE accord_analytics.text_list(item text, separator text, max_length integer) (
  SFUNC = accord_analytics.add_to_text_list, STYPE = text[], FINALFUNC = accord_analytics.text_of_list, PARALLEL = SAFE
);

CREATE FUNCTION accord_analytics.keep_first(state anyarray, value anyelement) RETURNS anyarray
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT CASE WHEN state IS NULL THEN ARRAY[value] ELSE state END $$;

CREATE FUNCTION accord_analytics.only_element(state anyarray) RETURNS anyelement
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT state[1] $$;

CREATE AGGREGATE accord_analytics.first_value(anyelement) (
  SFUNC = accord_analytics.keep_first, STYPE = anyarray, FINALFUNC = accord_analytics.only_element, PARALLEL = SAFE
);
