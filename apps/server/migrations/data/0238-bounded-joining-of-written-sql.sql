-- What joins texts and lists in statements that people write: the operator || and functions whose result grows with each
-- call. Each means the same, or fails with program_limit_exceeded once a value has more than a million bytes, so that
-- joining over and over comes to an end after one value of twice that size.
CREATE FUNCTION accord_analytics.fits(bytes integer) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF bytes > 1000000 THEN
    RAISE EXCEPTION 'a value of more than a million bytes' USING ERRCODE = 'program_limit_exceeded';
  END IF;
  RETURN true;
END
$$;

CREATE FUNCTION accord_analytics.join_texts(one text, other text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF octet_length(one) + octet_length(other) > 1000000 THEN
    RETURN CASE WHEN accord_analytics.fits(1000001) THEN '' END;
  END IF;
  RETURN one OPERATOR(pg_catalog.||) other;
END
$$;

CREATE FUNCTION accord_analytics.join_text_value(one text, other anynonarray) RETURNS text
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN accord_analytics.join_texts(one, other::text);
END
$$;

CREATE FUNCTION accord_analytics.join_value_text(one anynonarray, other text) RETURNS text
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN accord_analytics.join_texts(one::text, other);
END
$$;

CREATE FUNCTION accord_analytics.join_jsonb(one jsonb, other jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  result jsonb := one OPERATOR(pg_catalog.||) other;
BEGIN
  RETURN CASE WHEN accord_analytics.fits(pg_column_size(result)) THEN result END;
END
$$;

-- Not STRICT: a list joined with NULL is that list.
CREATE FUNCTION accord_analytics.join_lists(one anycompatiblearray, other anycompatiblearray) RETURNS anycompatiblearray
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN CASE WHEN accord_analytics.fits(coalesce(pg_column_size(one), 0) + coalesce(pg_column_size(other), 0))
    THEN one OPERATOR(pg_catalog.||) other END;
END
$$;

CREATE FUNCTION accord_analytics.join_list_value(one anycompatiblearray, other anycompatible) RETURNS anycompatiblearray
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN CASE WHEN accord_analytics.fits(coalesce(pg_column_size(one), 0) + coalesce(pg_column_size(other), 0))
    THEN one OPERATOR(pg_catalog.||) other END;
END
$$;

CREATE FUNCTION accord_analytics.join_value_list(one anycompatible, other anycompatiblearray) RETURNS anycompatiblearray
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN CASE WHEN accord_analytics.fits(coalesce(pg_column_size(one), 0) + coalesce(pg_column_size(other), 0))
    THEN one OPERATOR(pg_catalog.||) other END;
END
$$;

CREATE OPERATOR accord_analytics.|| (LEFTARG = text, RIGHTARG = text, FUNCTION = accord_analytics.join_texts);
CREATE OPERATOR accord_analytics.|| (LEFTARG = text, RIGHTARG = anynonarray, FUNCTION = accord_analytics.join_text_value);
CREATE OPERATOR accord_analytics.|| (LEFTARG = anynonarray, RIGHTARG = text, FUNCTION = accord_analytics.join_value_text);
CREATE OPERATOR accord_analytics.|| (LEFTARG = jsonb, RIGHTARG = jsonb, FUNCTION = accord_analytics.join_jsonb);
CREATE OPERATOR accord_analytics.|| (LEFTARG = anycompatiblearray, RIGHTARG = anycompatiblearray, FUNCTION = accord_analytics.join_lists);
CREATE OPERATOR accord_analytics.|| (LEFTARG = anycompatiblearray, RIGHTARG = anycompatible, FUNCTION = accord_analytics.join_list_value);
CREATE OPERATOR accord_analytics.|| (LEFTARG = anycompatible, RIGHTARG = anycompatiblearray, FUNCTION = accord_analytics.join_value_list);

-- Stand around the function of the same name, whose result column they must not rename. Their arguments are bounded, so
-- one call makes a bounded multiple.
CREATE FUNCTION accord_analytics.concat(made text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT CASE WHEN accord_analytics.fits(octet_length(made)) THEN made END $$;
CREATE FUNCTION accord_analytics.concat_ws(made text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT CASE WHEN accord_analytics.fits(octet_length(made)) THEN made END $$;
CREATE FUNCTION accord_analytics.array_to_string(made text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT CASE WHEN accord_analytics.fits(octet_length(made)) THEN made END $$;
CREATE FUNCTION accord_analytics.translate(made text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT CASE WHEN accord_analytics.fits(octet_length(made)) THEN made END $$;
CREATE FUNCTION accord_analytics.to_char(made text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT CASE WHEN accord_analytics.fits(octet_length(made)) THEN made END $$;
