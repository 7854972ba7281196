-- What statements that people write call instead of PostgreSQL's own functions that make texts of any length. Each means
-- the same, or fails with program_limit_exceeded before it takes the memory.
CREATE FUNCTION accord_analytics.within_bytes(bytes numeric) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF bytes > 1000000 THEN
    RAISE EXCEPTION 'a text of more than a million bytes' USING ERRCODE = 'program_limit_exceeded';
  END IF;
  RETURN true;
END
$$;

CREATE FUNCTION accord_analytics.replace(value text, old text, new text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_analytics.within_bytes(octet_length(value)::numeric * greatest(octet_length(new), 1))
    THEN pg_catalog.replace(value, old, new) END
$$;

CREATE FUNCTION accord_analytics.repeat(value text, times integer) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_analytics.within_bytes(octet_length(value)::numeric * greatest(times, 0))
    THEN pg_catalog.repeat(value, times) END
$$;

CREATE FUNCTION accord_analytics.lpad(value text, length integer, fill text DEFAULT ' ') RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT pg_catalog.lpad(value, least(length, 32769), fill) $$;

CREATE FUNCTION accord_analytics.rpad(value text, length integer, fill text DEFAULT ' ') RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT pg_catalog.rpad(value, least(length, 32769), fill) $$;

-- A match may be empty, before each character and at the end, and the new text may hold the whole match several times.
CREATE FUNCTION accord_analytics.regexp_replace(value text, pattern text, new text, flags text DEFAULT '') RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_analytics.within_bytes((octet_length(value) + 1)::numeric * (octet_length(new) + 1))
    THEN pg_catalog.regexp_replace(value, pattern, new, flags) END
$$;

CREATE FUNCTION accord_analytics.add_to_text(state text[], item text, separator text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT accord_analytics.add_to_text_list(state, item, separator, 32769) $$;

CREATE AGGREGATE accord_analytics.string_agg(item text, separator text) (
  SFUNC = accord_analytics.add_to_text, STYPE = text[], FINALFUNC = accord_analytics.text_of_list, PARALLEL = SAFE
);
