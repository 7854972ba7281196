/** Statements that must not run, by what refuses them. `Deal`, `Contact` and `Order` are tables, `least` and `states` variables. */
import { type Code, HEAVY } from "./heavy.ts";
import { CALLS, CATALOGUES, MODIFYING, OTHER_SCHEMAS, STATEMENTS, TYPES } from "./hostile-parts.ts";

/** By the code of the refusal, each with its statements. */
export const HOSTILE: readonly (readonly [Code, readonly string[]])[] = [
  ["function", CALLS.map((call) => `SELECT ${call} AS x FROM Deal`)],
  [
    "function",
    CALLS.slice(0, 20).map((call) => `SELECT status FROM Deal WHERE amount > 1 AND (SELECT ${call}) IS NULL`),
  ],
  [
    "function",
    ["SELECT * FROM pg_ls_dir('/') f", "SELECT * FROM Deal, LATERAL query_to_xml(status, true, true, '') q"],
  ],
  [
    "function",
    [
      "SELECT 1 AS n FROM Deal ORDER BY pg_sleep(1)",
      "SELECT 1 AS n FROM Deal LIMIT (SELECT pg_sleep(1)::text::integer)",
    ],
  ],
  [
    "function",
    [
      "SELECT count(*) FILTER (WHERE pg_sleep(1) IS NULL) AS n FROM Deal",
      "SELECT sum(1) OVER (ORDER BY pg_sleep(1)) AS n FROM Deal",
    ],
  ],
  [
    "function",
    [
      "SELECT CASE WHEN true THEN set_config('a', 'b', true) END AS n",
      'SELECT "pg_sleep"(1) AS n',
      "SELECT PG_SLEEP(1) AS n",
    ],
  ],
  [
    "function",
    ["VALUES (pg_sleep(1))", "SELECT 1 AS n GROUP BY pg_sleep(1)", "SELECT 1 AS n HAVING pg_sleep(1) IS NULL"],
  ],
  [
    "schema",
    [
      "SELECT pg_catalog.pg_sleep(1) AS n",
      "SELECT public.f() AS n",
      "SELECT accord_analytics.replace('a', 'b', 'c') AS n",
    ],
  ],
  [
    "schema",
    [
      "SELECT pg_catalog.lower('A') AS n",
      "SELECT a.b.f() AS n",
      "SELECT x.y.z AS n FROM Deal x",
      "SELECT 1::public.mytype AS n",
    ],
  ],
  ["schema", OTHER_SCHEMAS.map((table) => `SELECT * FROM ${table}`)],
  ["schema", OTHER_SCHEMAS.map((table) => `SELECT d.status FROM Deal d LEFT JOIN ${table} x ON true`)],
  ["table_unknown", CATALOGUES.map((table) => `SELECT * FROM ${table}`)],
  ["table_unknown", CATALOGUES.slice(0, 8).map((table) => `SELECT (SELECT count(*) FROM ${table}) AS n FROM Deal`)],
  [
    "table_unknown",
    [
      "SELECT * FROM Invoice",
      "SELECT * FROM r_Deal",
      "SELECT * FROM tables",
      "SELECT * FROM ONLY secret",
      "TABLE pg_class",
    ],
  ],
  [
    "table_unknown",
    [
      "WITH tables AS (SELECT * FROM tables) SELECT * FROM tables",
      "WITH x AS (SELECT * FROM y), y AS (SELECT 1 AS n) SELECT * FROM x",
    ],
  ],
  [
    "table_unknown",
    [
      "SELECT * FROM (WITH x AS (SELECT 1 AS n) SELECT * FROM x) a, x",
      "(WITH x AS (SELECT 1 AS n) SELECT * FROM x) UNION ALL SELECT * FROM x",
    ],
  ],
  [
    "reserved_name",
    [
      "WITH pg_class AS (SELECT * FROM pg_class) SELECT * FROM pg_class",
      "WITH pg_class AS (SELECT 1 AS n) SELECT * FROM pg_class",
      "SELECT pg_x.status FROM Deal pg_x",
    ],
  ],
  ["not_select", STATEMENTS],
  ["modifies", MODIFYING],
  [
    "several_statements",
    [
      "SELECT 1 AS n; SELECT 2 AS n",
      "SELECT 1 AS n; DROP TABLE Deal",
      "SELECT 1 AS n;; RESET ROLE",
      "SELECT 1 AS n; -- x\nCOMMIT;",
    ],
  ],
  ["into", ["SELECT * INTO x FROM Deal", "SELECT 1 AS n INTO TEMP x", "SELECT status INTO UNLOGGED x FROM Deal"]],
  [
    "locks",
    [
      "SELECT * FROM Deal FOR UPDATE",
      "SELECT * FROM Deal FOR SHARE",
      "SELECT * FROM Deal FOR NO KEY UPDATE SKIP LOCKED",
      "SELECT * FROM (SELECT * FROM Deal FOR UPDATE) x",
    ],
  ],
  [
    "recursive",
    [
      "WITH RECURSIVE x AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM x) SELECT * FROM x",
      "SELECT * FROM (WITH RECURSIVE x AS (SELECT 'a' AS t UNION ALL SELECT t || t FROM x) SELECT * FROM x) y",
    ],
  ],
  ["type", TYPES.map((type) => `SELECT CAST(status AS ${type}) AS x FROM Deal`)],
  [
    "type",
    [
      "SELECT 'pg_class'::regclass AS x",
      "SELECT regclass 'pg_class' AS x",
      "SELECT '{}'::json AS x",
      "SELECT ARRAY['x']::regclass[] AS x",
      "SELECT * FROM Deal WHERE 'pg_class'::regclass IS NULL",
    ],
  ],
  ["parameter", ["SELECT $1 AS n", "SELECT * FROM Deal WHERE status = $2", "SELECT {{least}} AS n, $1 AS m"]],
  [
    "variable_beside",
    [
      "SELECT pg_sleep{{least}}::text AS x",
      "SELECT pg_catalog.to_regclass{{least}}::text AS x",
      "SELECT public.f{{least}} AS x",
      'WITH "ts_stat$1" AS (SELECT 1 AS word) SELECT f.word AS word FROM ts_stat{{least}} f',
      "SELECT {{least}}a AS x",
      'SELECT "pg_sleep"{{least}} AS x',
    ],
  ],
  [
    "row_function",
    [
      "SELECT u.ts_stat::text AS x FROM unnest(string_to_array('select 1','~')) u",
      "SELECT U.TS_STAT::text AS x FROM unnest(string_to_array('select 1','~')) u",
      'SELECT "u"."ts_stat"::text AS x FROM unnest(string_to_array(\'select 1\',\'~\')) AS "u"',
      "SELECT g.pg_get_userbyid::text AS x FROM generate_series(16384,17000) g",
      "SELECT generate_series.pg_sleep::text AS x FROM generate_series(1,1)",
      "SELECT ts_stat.ts_stat AS x FROM unnest(string_to_array('select 1','~')) AS ts_stat (y)",
      "SELECT u.ts_stat AS x FROM unnest(string_to_array('a','~')) u, (SELECT 1 AS n FROM unnest(string_to_array('a','~')) u (ts_stat)) z",
      "SELECT 1 AS n FROM Deal WHERE EXISTS (SELECT 1 FROM generate_series(1, 1) g WHERE g.pg_sleep IS NULL)",
      "SELECT f.ts_stat AS x FROM concat('select ', '1') f",
      "SELECT d.row_to_json::text AS x FROM Deal d",
      "SELECT d.array_agg::text AS x FROM Deal d",
    ],
  ],
  ["function_source", ["SELECT u.ts_stat AS x FROM coalesce('select 1') u", "SELECT 1 AS n FROM current_date d"]],
  ["clause", ["SELECT b.x AS x FROM (SELECT 'a' AS x) a, LATERAL (SELECT a.x || a.x AS x) b"]],
  [
    "too_heavy",
    [
      `WITH q0 AS (SELECT 'a' AS x), ${Array.from({ length: 40 }, (_, at) => `q${at + 1} AS (SELECT (SELECT x || x) AS x FROM q${at})`).join(", ")} SELECT x FROM q40`,
    ],
  ],
  ["variable_unknown", ["SELECT {{nothing}} AS n", "SELECT * FROM Deal WHERE status = {{status}}"]],
  [
    "variable_in_text",
    [
      "SELECT '{{least}}' AS n",
      "SELECT * FROM Deal WHERE status LIKE '%{{least}}%'",
      "SELECT $$ {{least}} $$ AS n",
      'SELECT "{{least}}" FROM Deal',
    ],
  ],
  ["variable_list_place", ["SELECT * FROM Deal WHERE status IN ('a', {{states}})"]],
  ["variable_form", ["SELECT {{ least }} AS n", "SELECT {{least-1}} AS n"]],
  [
    "operator",
    [
      "SELECT 1 OPERATOR(pg_catalog.+) 2 AS n",
      "SELECT 'a' @@ 'b' AS n",
      "SELECT 1 <-> 2 AS n",
      "SELECT 5 !@# 3 AS n",
      "SELECT 1 & 2 AS n",
      "SELECT @ 1 AS n",
    ],
  ],
  ["unicode_escapes", ['SELECT * FROM U&"pg\\005fclass"', "SELECT U&'\\0041' AS n"]],
  [
    "clause",
    [
      "SELECT CURRENT_USER AS n",
      "SELECT SESSION_USER AS n",
      "SELECT USER AS n",
      "SELECT CURRENT_CATALOG AS n",
      "SELECT CURRENT_SCHEMA AS n",
      "SELECT CURRENT_ROLE AS n",
    ],
  ],
  [
    "clause",
    [
      "SELECT * FROM Deal TABLESAMPLE SYSTEM (1)",
      "SELECT * FROM XMLTABLE('/a' PASSING '<a/>' COLUMNS x text)",
      "SELECT XMLELEMENT(NAME a) AS n",
      "SELECT XMLPARSE(DOCUMENT '<a/>') AS n",
    ],
  ],
  [
    "clause",
    [
      'SELECT status COLLATE "de_DE" AS n FROM Deal',
      'SELECT status COLLATE pg_catalog."C" AS n FROM Deal',
      "SELECT (d).status FROM Deal d",
      "SELECT ARRAY(SELECT 1) AS n",
      "SELECT (ARRAY[1])[1] AS n",
      "SELECT * FROM ROWS FROM (generate_series(1, 2)) x",
    ],
  ],
  [
    "clause",
    [
      "WITH x AS NOT MATERIALIZED (SELECT 1 AS n) SELECT * FROM x",
      "SELECT * FROM Deal ORDER BY status USING <",
      "SELECT JSON_OBJECT('a': 1) AS n",
      "SELECT * FROM JSON_TABLE('[]', '$' COLUMNS (a int)) x",
    ],
  ],
  [
    "clause",
    [
      "SELECT JSON_VALUE('{}', '$.a') AS n",
      "SELECT CAST('a' AS SETOF text) AS n",
      "SELECT 'x' IS JSON AS n",
      "SELECT DEFAULT AS n",
    ],
  ],
  ["function_variadic", ["SELECT concat(VARIADIC ARRAY['a']) AS n"]],
  ["empty", ["", "   ", ";", ";;", "-- nothing", "/* nothing */"]],
  ["unreadable", ["SELECT 'a", 'SELECT "a', "SELECT /* a", "SELECT $$ a", "SELECT E'\\'"]],
  [
    "syntax",
    [
      "SELECT pg_/**/sleep(1) AS n",
      "SELECT * FROM Deal)",
      "SELECT 1 AS n) AS w; RESET ROLE; SELECT (1",
      "SELECT 1 AS n UNION",
      "SELEC 1",
      "(SELECT 1 AS n",
    ],
  ],
  ["syntax_at_keyword", ["SELECT * FROM order", "SELECT status FROM WHERE"]],
  ["nul_character", ["SELECT 'a\0b' AS n"]],
  [
    "row_function",
    [
      "SELECT w.pg_sleep AS x FROM generate_series(1, 2) w JOIN generate_series(1, 2) h USING (pg_sleep)",
      "WITH q AS (SELECT 1 AS a) SELECT q.pg_typeof AS x FROM q",
      "SELECT g.text AS x FROM generate_series(1, 2) g",
    ],
  ],
  ["operator", ["SELECT 'a' OPERATOR(accord_analytics.||) 'b' AS x", "SELECT 'a' OPERATOR(pg_catalog.||) 'b' AS x"]],
  ...HEAVY,
];
