/** The functions that datasets written in SQL may call: everything else is refused. */

export const SQL_FUNCTION_CATEGORIES = ["aggregate", "window", "number", "text", "date", "logic", "rows"] as const;
export type SqlFunctionCategory = (typeof SQL_FUNCTION_CATEGORIES)[number];

export interface SqlFunction {
  name: string;
  category: SqlFunctionCategory;
  signature: string;
  help: string;
  /** PostgreSQL's own could make a text of any length: one of `accord_analytics` with the same meaning is called. */
  isBounded?: true;
  /** The same, but it takes any number or any type of values: PostgreSQL's own is called, inside one that bounds its result. */
  isBoundedAround?: true;
}

type Row = readonly [signature: string, help: string, bounded?: "bounded" | "around"];

const ofCategory = (category: SqlFunctionCategory, rows: readonly Row[]): SqlFunction[] =>
  rows.map(([signature, help, bounded]) => ({
    name: signature.slice(0, signature.indexOf("(")),
    category,
    signature,
    help,
    ...(bounded === "bounded" ? { isBounded: true as const } : {}),
    ...(bounded === "around" ? { isBoundedAround: true as const } : {}),
  }));

export const SQL_FUNCTIONS: readonly SqlFunction[] = [
  ...ofCategory("aggregate", [
    ["sum(number)", "The sum of the values."],
    ["avg(number)", "Their mean."],
    ["min(value)", "The smallest value."],
    ["max(value)", "The largest value."],
    ["count(*)", "How many rows there are; count(value) leaves out blank ones, count(DISTINCT value) repeated ones."],
    ["string_agg(text, separator)", "The texts of a group in one, at most 32,769 characters.", "bounded"],
    ["bool_and(condition)", "Whether it holds for all."],
    ["bool_or(condition)", "Whether it holds for any."],
    ["every(condition)", "Whether it holds for all."],
    ["percentile_cont(fraction)", "WITHIN GROUP (ORDER BY number): the percentile, between two values if need be."],
    ["percentile_disc(fraction)", "WITHIN GROUP (ORDER BY value): the first value at that fraction."],
    ["mode()", "WITHIN GROUP (ORDER BY value): the most frequent value."],
    ["stddev(number)", "Standard deviation of a sample."],
    ["stddev_samp(number)", "Standard deviation of a sample."],
    ["stddev_pop(number)", "Standard deviation of all."],
    ["variance(number)", "Variance of a sample."],
    ["var_samp(number)", "Variance of a sample."],
    ["var_pop(number)", "Variance of all."],
    ["corr(y, x)", "Correlation."],
    ["regr_slope(y, x)", "Slope of the line that fits best."],
    ["regr_intercept(y, x)", "Where that line meets x = 0."],
    ["grouping(column)", "1 in the rows of GROUPING SETS, ROLLUP or CUBE that don't group by the column."],
  ]),
  ...ofCategory("window", [
    ["row_number()", "OVER (…): the number of the row."],
    ["rank()", "OVER (ORDER BY …): the rank, with gaps."],
    ["dense_rank()", "OVER (ORDER BY …): the rank, without gaps."],
    ["percent_rank()", "OVER (ORDER BY …): the rank from 0 to 1."],
    ["cume_dist()", "OVER (ORDER BY …): the share of rows up to this one."],
    ["ntile(parts)", "OVER (ORDER BY …): the number of the part, of equal parts."],
    ["lag(value, rows, default)", "OVER (ORDER BY …): the value of a row before."],
    ["lead(value, rows, default)", "OVER (ORDER BY …): the value of a row after."],
    ["first_value(value)", "OVER (ORDER BY …): the value of the first row."],
    ["last_value(value)", "OVER (ORDER BY …): the value of the last row."],
    ["nth_value(value, number)", "OVER (ORDER BY …): the value of that row."],
  ]),
  ...ofCategory("number", [
    ["abs(number)", "Without its sign."],
    ["ceil(number)", "Rounded up."],
    ["ceiling(number)", "Rounded up."],
    ["floor(number)", "Rounded down."],
    ["round(number, places)", "Rounded."],
    ["trunc(number, places)", "Cut off."],
    ["trim_scale(number)", "Without zeros at the end."],
    ["mod(number, by)", "The remainder."],
    ["div(number, by)", "The whole part of the quotient."],
    ["power(number, exponent)", "To a power."],
    ["sqrt(number)", "Square root."],
    ["cbrt(number)", "Cube root."],
    ["exp(number)", "e to that power."],
    ["ln(number)", "Natural logarithm."],
    ["log(number)", "Logarithm to base 10; log(base, number) to another."],
    ["log10(number)", "Logarithm to base 10."],
    ["sign(number)", "-1, 0 or 1."],
    ["width_bucket(number, low, high, count)", "The number of the bucket among equal ones."],
    ["to_number(text, format)", "The number a text shows."],
  ]),
  ...ofCategory("text", [
    ["concat(value, …)", "The values in one text, without blank ones; up to 100 values.", "around"],
    ["concat_ws(separator, value, …)", "The same with a separator.", "around"],
    ["upper(text)", "In capitals."],
    ["lower(text)", "In small letters."],
    ["initcap(text)", "Each word with a capital."],
    ["trim(text)", "Without blanks at both ends."],
    ["btrim(text, characters)", "Without these characters at both ends."],
    ["ltrim(text, characters)", "Without these characters at its start."],
    ["rtrim(text, characters)", "Without these characters at its end."],
    ["length(text)", "How many characters."],
    ["char_length(text)", "How many characters."],
    ["character_length(text)", "How many characters."],
    ["octet_length(text)", "How many bytes."],
    ["left(text, count)", "The first characters."],
    ["right(text, count)", "The last characters."],
    ["substring(text, from, count)", "A part; also substring(text FROM pattern)."],
    ["substr(text, from, count)", "A part."],
    ["overlay(text PLACING new FROM start)", "With a part replaced."],
    ["replace(text, old, new)", "With each old text replaced, up to a million bytes.", "bounded"],
    ["split_part(text, separator, number)", "One of the parts."],
    ["position(part IN text)", "Where a part begins, or 0."],
    ["strpos(text, part)", "Where a part begins, or 0."],
    ["starts_with(text, start)", "Whether it starts so."],
    ["lpad(text, length, fill)", "Filled up at its start, to 32,769 characters at most.", "bounded"],
    ["rpad(text, length, fill)", "Filled up at its end, to 32,769 characters at most.", "bounded"],
    ["repeat(text, times)", "Repeated, up to a million bytes.", "bounded"],
    ["reverse(text)", "From its end."],
    ["translate(text, from, to)", "With characters exchanged.", "around"],
    ["ascii(text)", "The number of its first character."],
    ["chr(number)", "The character of that number."],
    ["regexp_replace(text, pattern, new, flags)", "With matches replaced, up to a million bytes.", "bounded"],
    ["regexp_like(text, pattern, flags)", "Whether it matches."],
    ["regexp_count(text, pattern)", "How many matches."],
    ["regexp_substr(text, pattern)", "The first match."],
    ["regexp_instr(text, pattern)", "Where the first match begins."],
    ["like_escape(pattern, character)", "What LIKE … ESCAPE stands for."],
    ["similar_to_escape(pattern, character)", "What SIMILAR TO … stands for."],
    ["md5(text)", "A hash."],
    ["array_to_string(list, separator)", "A list as a text.", "around"],
    ["string_to_array(text, separator)", "A text as a list."],
  ]),
  ...ofCategory("date", [
    ["now()", "This moment."],
    ["date_trunc(unit, moment)", "The start of its day, week, month, quarter or year."],
    ["date_part(unit, moment)", "A part of it: year, month, dow, …"],
    ["extract(unit FROM moment)", "A part of it."],
    ["date_bin(width, moment, origin)", "The start of its interval."],
    ["age(moment, moment)", "The interval between them."],
    ["to_char(value, format)", "A date or number as a text.", "around"],
    ["to_date(text, format)", "The date a text shows."],
    ["to_timestamp(text, format)", "The moment a text shows; to_timestamp(seconds) since 1970."],
    ["make_date(year, month, day)", "A date."],
    ["make_timestamp(year, month, day, hour, minute, second)", "A moment without a zone."],
    ["make_interval(years => …, days => …)", "An interval."],
    ["timezone(zone, moment)", "The same as moment AT TIME ZONE zone."],
    ["justify_days(interval)", "30 days as a month."],
    ["justify_hours(interval)", "24 hours as a day."],
    ["isfinite(moment)", "Whether it is a real moment."],
  ]),
  ...ofCategory("logic", [
    ["coalesce(value, …)", "The first that is not blank."],
    ["nullif(value, other)", "Blank where both are equal."],
    ["greatest(value, …)", "The largest."],
    ["least(value, …)", "The smallest."],
    ["num_nulls(value, …)", "How many are blank."],
    ["num_nonnulls(value, …)", "How many are not."],
  ]),
  ...ofCategory("rows", [
    ["generate_series(start, stop, step)", "A row for each number or moment."],
    ["unnest(list)", "A row for each of the list."],
    ["jsonb_array_elements_text(list)", "A row for each value of a field with several values."],
    ["jsonb_array_length(list)", "How many values a field with several values has."],
    ["jsonb_extract_path_text(value, name, …)", "A part of a nested value as a text."],
  ]),
];

/** These are syntax of their own and no calls. */
const WRITTEN_AS_SYNTAX: ReadonlySet<string> = new Set(["coalesce", "nullif", "greatest", "least", "grouping", "trim"]);

const BY_NAME: ReadonlyMap<string, SqlFunction> = new Map(
  SQL_FUNCTIONS.filter(({ name }) => !WRITTEN_AS_SYNTAX.has(name)).map((one) => [one.name, one]),
);

export const sqlFunction = (name: string): SqlFunction | undefined => BY_NAME.get(name);

const CHARACTERS: ReadonlySet<string> = new Set(["translate", "btrim", "ltrim", "rtrim"]);

/** Whether all but its first argument are sets of characters. */
export const takesCharacters = (name: string): boolean => CHARACTERS.has(name);

/** What the grammar itself writes with its schema, such as `pg_catalog.extract` for EXTRACT (… FROM …). */
export const SYNTAX_FUNCTIONS: ReadonlySet<string> = new Set([
  ...["extract", "btrim", "ltrim", "rtrim", "substring", "position", "overlay", "timezone"],
  ...["like_escape", "similar_to_escape"],
]);

/** What to write instead of a function that people know from elsewhere. */
export const INSTEAD: Readonly<Record<string, string>> = {
  ifnull: "coalesce",
  nvl: "coalesce",
  isnull: "coalesce",
  len: "length",
  group_concat: "string_agg",
  listagg: "string_agg",
  array_agg: "string_agg",
  datediff: "date - date",
  dateadd: "date + interval '1 day'",
  getdate: "now",
  year: "extract(year FROM …)",
  month: "extract(month FROM …)",
  day: "extract(day FROM …)",
  instr: "strpos",
  charindex: "strpos",
  median: "percentile_cont(0.5) WITHIN GROUP (ORDER BY …)",
  to_integer: "CAST(… AS integer)",
  iif: "CASE WHEN … THEN … ELSE … END",
  if: "CASE WHEN … THEN … ELSE … END",
  random: "row_number",
  format: "concat",
};
