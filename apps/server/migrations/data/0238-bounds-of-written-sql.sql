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

-- Ends the statement of an export at a row that no export holds; -1 for all of its columns together. VOLATILE, or the
-- planner would call it at once.
CREATE FUNCTION accord_analytics.row_too_large(place integer) RETURNS integer
LANGUAGE plpgsql VOLATILE PARALLEL SAFE AS $$
BEGIN
  RAISE EXCEPTION 'row too large at column %', place USING ERRCODE = 'program_limit_exceeded';
END
$$;

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

-- What statements that people write find before PostgreSQL's own of the same name: their search path begins with this schema.
-- Each means the same, or fails where PostgreSQL would work for minutes in one step, in which it looks neither at the time
-- limit nor whether anybody still waits: the work is the product of two lengths.
CREATE SCHEMA accord_written;
GRANT USAGE ON SCHEMA accord_written TO PUBLIC;

CREATE FUNCTION accord_written.too_long() RETURNS text
LANGUAGE plpgsql STABLE COST 1 PARALLEL SAFE AS $$
BEGIN
  RAISE EXCEPTION 'values too long for this operation' USING ERRCODE = 'program_limit_exceeded';
END
$$;

-- PL/pgSQL looks at the time limit before each of its statements. STABLE, or the planner would call it at once.
CREATE FUNCTION accord_written.check_for_interrupts() RETURNS boolean
LANGUAGE plpgsql STABLE COST 1 PARALLEL SAFE AS $$
BEGIN
  RETURN false;
END
$$;

-- False below 100 million. What takes more than some microseconds looks at the time limit first, for one row may hold
-- hundreds of such operations. The product is used once, so that texts are made of values once.
CREATE FUNCTION accord_written.is_long(product bigint) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE width_bucket(coalesce(product, 0), '{100000, 100000001}'::bigint[])
    WHEN 0 THEN false WHEN 1 THEN accord_written.check_for_interrupts() ELSE true END $$;
CREATE FUNCTION accord_written.is_long(one text, other text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT accord_written.is_long(octet_length(one)::bigint * octet_length(other)) $$;
-- With the blanks at its end, which a text of it has not.
CREATE FUNCTION accord_written.is_long(one bpchar, other text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT accord_written.is_long(octet_length(one)::bigint * octet_length(other)) $$;

-- Numbers beyond 8,000 digits together; stored ones are compressed, a computed one is not.
CREATE FUNCTION accord_written.is_long(one numeric, other numeric) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE width_bucket(
      coalesce(pg_column_size(one OPERATOR(pg_catalog.+) 0) + pg_column_size(other OPERATOR(pg_catalog.+) 0), 0),
      '{1000, 4001}'::integer[])
    WHEN 0 THEN false WHEN 1 THEN accord_written.check_for_interrupts() ELSE true END $$;

-- By the digits of the result as well.
CREATE FUNCTION accord_written.is_long_power(base numeric, exponent numeric) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF pg_column_size(base + 0) > 130 OR pg_column_size(exponent + 0) > 130 THEN
    RETURN true;
  END IF;
  RETURN base <> 0 AND base NOT IN ('NaN', 'Infinity', '-Infinity')
    AND abs(ln(abs(base)) * exponent) > 18000;
END
$$;

CREATE FUNCTION accord_written."like"(value text, pattern text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(value, pattern) THEN accord_written.too_long()::boolean
    ELSE value OPERATOR(pg_catalog.~~) pattern END $$;
CREATE FUNCTION accord_written.not_like(value text, pattern text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(value, pattern) THEN accord_written.too_long()::boolean
    ELSE value OPERATOR(pg_catalog.!~~) pattern END $$;
CREATE FUNCTION accord_written."ilike"(value text, pattern text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(value, pattern) THEN accord_written.too_long()::boolean
    ELSE value OPERATOR(pg_catalog.~~*) pattern END $$;
CREATE FUNCTION accord_written.not_ilike(value text, pattern text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(value, pattern) THEN accord_written.too_long()::boolean
    ELSE value OPERATOR(pg_catalog.!~~*) pattern END $$;
CREATE OPERATOR accord_written.~~ (LEFTARG = text, RIGHTARG = text, NEGATOR = OPERATOR(accord_written.!~~), FUNCTION = accord_written."like", RESTRICT = likesel, JOIN = likejoinsel);
CREATE OPERATOR accord_written.!~~ (LEFTARG = text, RIGHTARG = text, NEGATOR = OPERATOR(accord_written.~~), FUNCTION = accord_written.not_like, RESTRICT = nlikesel, JOIN = nlikejoinsel);
CREATE OPERATOR accord_written.~~* (LEFTARG = text, RIGHTARG = text, NEGATOR = OPERATOR(accord_written.!~~*), FUNCTION = accord_written."ilike", RESTRICT = iclikesel, JOIN = iclikejoinsel);
CREATE OPERATOR accord_written.!~~* (LEFTARG = text, RIGHTARG = text, NEGATOR = OPERATOR(accord_written.~~*), FUNCTION = accord_written.not_ilike, RESTRICT = icnlikesel, JOIN = icnlikejoinsel);

-- PostgreSQL has these of its own for bpchar, which would be nearer than those for texts.
CREATE FUNCTION accord_written."like"(value bpchar, pattern text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(value, pattern) THEN accord_written.too_long()::boolean
    ELSE value OPERATOR(pg_catalog.~~) pattern END $$;
CREATE FUNCTION accord_written.not_like(value bpchar, pattern text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(value, pattern) THEN accord_written.too_long()::boolean
    ELSE value OPERATOR(pg_catalog.!~~) pattern END $$;
CREATE FUNCTION accord_written."ilike"(value bpchar, pattern text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(value, pattern) THEN accord_written.too_long()::boolean
    ELSE value OPERATOR(pg_catalog.~~*) pattern END $$;
CREATE FUNCTION accord_written.not_ilike(value bpchar, pattern text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(value, pattern) THEN accord_written.too_long()::boolean
    ELSE value OPERATOR(pg_catalog.!~~*) pattern END $$;
CREATE OPERATOR accord_written.~~ (LEFTARG = bpchar, RIGHTARG = text, NEGATOR = OPERATOR(accord_written.!~~), FUNCTION = accord_written."like", RESTRICT = likesel, JOIN = likejoinsel);
CREATE OPERATOR accord_written.!~~ (LEFTARG = bpchar, RIGHTARG = text, NEGATOR = OPERATOR(accord_written.~~), FUNCTION = accord_written.not_like, RESTRICT = nlikesel, JOIN = nlikejoinsel);
CREATE OPERATOR accord_written.~~* (LEFTARG = bpchar, RIGHTARG = text, NEGATOR = OPERATOR(accord_written.!~~*), FUNCTION = accord_written."ilike", RESTRICT = iclikesel, JOIN = iclikejoinsel);
CREATE OPERATOR accord_written.!~~* (LEFTARG = bpchar, RIGHTARG = text, NEGATOR = OPERATOR(accord_written.~~*), FUNCTION = accord_written.not_ilike, RESTRICT = icnlikesel, JOIN = icnlikejoinsel);

CREATE FUNCTION accord_written.strpos(value text, part text) RETURNS integer
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(value, part) THEN accord_written.too_long()::integer
    ELSE pg_catalog.strpos(value, part) END $$;
-- As it is written: position(part IN value).
CREATE FUNCTION accord_written."position"(part text, value text) RETURNS integer
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(value, part) THEN accord_written.too_long()::integer
    ELSE pg_catalog.strpos(value, part) END $$;
CREATE FUNCTION accord_written.split_part(value text, separator text, number integer) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(value, separator) THEN accord_written.too_long()
    ELSE pg_catalog.split_part(value, separator, number) END $$;
CREATE FUNCTION accord_written.string_to_array(value text, separator text) RETURNS text[]
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(value, separator) THEN accord_written.too_long()::text[]
    ELSE pg_catalog.string_to_array(value, separator) END $$;
CREATE FUNCTION accord_written.string_to_array(value text, separator text, blank text) RETURNS text[]
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(value, separator) THEN accord_written.too_long()::text[]
    ELSE pg_catalog.string_to_array(value, separator, blank) END $$;
CREATE OR REPLACE FUNCTION accord_analytics.replace(value text, old text, new text) RETURNS text
LANGUAGE sql STABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(value, old) THEN accord_written.too_long()
    WHEN accord_analytics.within_bytes(octet_length(value)::numeric * greatest(octet_length(new), 1))
    THEN pg_catalog.replace(value, old, new) END
$$;

CREATE FUNCTION accord_written.contains(one jsonb, other jsonb) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(one::text, other::text) THEN accord_written.too_long()::boolean
    ELSE one OPERATOR(pg_catalog.@>) other END $$;
CREATE FUNCTION accord_written.contained(one jsonb, other jsonb) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(one::text, other::text) THEN accord_written.too_long()::boolean
    ELSE one OPERATOR(pg_catalog.<@) other END $$;
CREATE FUNCTION accord_written.contains_any(one jsonb, keys text[]) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(one::text, keys::text) THEN accord_written.too_long()::boolean
    ELSE one OPERATOR(pg_catalog.?|) keys END $$;
CREATE FUNCTION accord_written.contains_all(one jsonb, keys text[]) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(one::text, keys::text) THEN accord_written.too_long()::boolean
    ELSE one OPERATOR(pg_catalog.?&) keys END $$;
CREATE FUNCTION accord_written.contains(one anyarray, other anyarray) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(one::text, other::text) THEN accord_written.too_long()::boolean
    ELSE one OPERATOR(pg_catalog.@>) other END $$;
CREATE FUNCTION accord_written.contained(one anyarray, other anyarray) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(one::text, other::text) THEN accord_written.too_long()::boolean
    ELSE one OPERATOR(pg_catalog.<@) other END $$;
CREATE FUNCTION accord_written.without_keys(one jsonb, keys text[]) RETURNS jsonb
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(one::text, keys::text) THEN accord_written.too_long()::jsonb
    ELSE one OPERATOR(pg_catalog.-) keys END $$;
CREATE OPERATOR accord_written.- (LEFTARG = jsonb, RIGHTARG = text[], FUNCTION = accord_written.without_keys);
CREATE OPERATOR accord_written.@> (LEFTARG = jsonb, RIGHTARG = jsonb, FUNCTION = accord_written.contains, RESTRICT = contsel, JOIN = contjoinsel);
CREATE OPERATOR accord_written.<@ (LEFTARG = jsonb, RIGHTARG = jsonb, FUNCTION = accord_written.contained, RESTRICT = contsel, JOIN = contjoinsel);
CREATE OPERATOR accord_written.?| (LEFTARG = jsonb, RIGHTARG = text[], FUNCTION = accord_written.contains_any, RESTRICT = contsel, JOIN = contjoinsel);
CREATE OPERATOR accord_written.?& (LEFTARG = jsonb, RIGHTARG = text[], FUNCTION = accord_written.contains_all, RESTRICT = contsel, JOIN = contjoinsel);
CREATE OPERATOR accord_written.@> (LEFTARG = anyarray, RIGHTARG = anyarray, FUNCTION = accord_written.contains, RESTRICT = contsel, JOIN = contjoinsel);
CREATE OPERATOR accord_written.<@ (LEFTARG = anyarray, RIGHTARG = anyarray, FUNCTION = accord_written.contained, RESTRICT = contsel, JOIN = contjoinsel);

CREATE FUNCTION accord_written.times(one numeric, other numeric) RETURNS numeric
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(one, other) THEN accord_written.too_long()::numeric
    ELSE one OPERATOR(pg_catalog.*) other END $$;
CREATE FUNCTION accord_written.divided(one numeric, other numeric) RETURNS numeric
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(one, other) THEN accord_written.too_long()::numeric
    ELSE one OPERATOR(pg_catalog./) other END $$;
CREATE FUNCTION accord_written.mod(one numeric, other numeric) RETURNS numeric
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(one, other) THEN accord_written.too_long()::numeric
    ELSE pg_catalog.mod(one, other) END $$;
CREATE FUNCTION accord_written.div(one numeric, other numeric) RETURNS numeric
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(one, other) THEN accord_written.too_long()::numeric
    ELSE pg_catalog.div(one, other) END $$;
CREATE FUNCTION accord_written.power(base numeric, exponent numeric) RETURNS numeric
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long_power(base, exponent) THEN accord_written.too_long()::numeric
    ELSE pg_catalog.power(base, exponent) END $$;
CREATE FUNCTION accord_written.width_bucket(operand numeric, low numeric, high numeric, count integer) RETURNS integer
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN accord_written.is_long(operand, low) OR accord_written.is_long(operand, high) THEN accord_written.too_long()::integer
    ELSE pg_catalog.width_bucket(operand, low, high, count) END $$;
CREATE OPERATOR accord_written.* (LEFTARG = numeric, RIGHTARG = numeric, FUNCTION = accord_written.times);
CREATE OPERATOR accord_written./ (LEFTARG = numeric, RIGHTARG = numeric, FUNCTION = accord_written.divided);
CREATE OPERATOR accord_written.% (LEFTARG = numeric, RIGHTARG = numeric, FUNCTION = accord_written.mod);
CREATE OPERATOR accord_written.^ (LEFTARG = numeric, RIGHTARG = numeric, FUNCTION = accord_written.power);

-- Formats are read anew for each value, in the square of their length.
CREATE FUNCTION accord_written.format_of(format text) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(format) > 1000 THEN accord_written.too_long() ELSE format END $$;
CREATE FUNCTION accord_written.to_date(value text, format text) RETURNS date
LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT pg_catalog.to_date(value, accord_written.format_of(format)) $$;
CREATE FUNCTION accord_written.to_timestamp(value text, format text) RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT pg_catalog.to_timestamp(value, accord_written.format_of(format)) $$;
CREATE FUNCTION accord_written.to_number(value text, format text) RETURNS numeric
LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT pg_catalog.to_number(value, accord_written.format_of(format)) $$;
CREATE FUNCTION accord_written.to_char(value timestamptz, format text) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT pg_catalog.to_char(value, accord_written.format_of(format)) $$;
CREATE FUNCTION accord_written.to_char(value timestamp, format text) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT pg_catalog.to_char(value, accord_written.format_of(format)) $$;
CREATE FUNCTION accord_written.to_char(value interval, format text) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT pg_catalog.to_char(value, accord_written.format_of(format)) $$;
CREATE FUNCTION accord_written.to_char(value numeric, format text) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT pg_catalog.to_char(value, accord_written.format_of(format)) $$;
CREATE FUNCTION accord_written.to_char(value integer, format text) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT pg_catalog.to_char(value, accord_written.format_of(format)) $$;
CREATE FUNCTION accord_written.to_char(value bigint, format text) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT pg_catalog.to_char(value, accord_written.format_of(format)) $$;
CREATE FUNCTION accord_written.to_char(value real, format text) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT pg_catalog.to_char(value, accord_written.format_of(format)) $$;
CREATE FUNCTION accord_written.to_char(value double precision, format text) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT pg_catalog.to_char(value, accord_written.format_of(format)) $$;
