/** Which small faults are built into a source: each kind once, and nothing that could not be read any more. */
import { expect, test } from "vitest";
import { walk } from "../check/syntax-walk.ts";
import { sqlEdits } from "./sql-edits.ts";
import { syntaxEdits } from "./syntax-edits.ts";

/** What a text becomes with each of its faults, one at a time, after the name of the fault. */
function mutated(text: string): string[] {
  const found: string[] = [];
  const at = (position = 1): number => position - 1;
  const source = {
    of: ({ span }: { span?: { start: number; end: number } }) => text.slice(at(span?.start), at(span?.end)),
    start: ({ span }: { span?: { start: number } }) => at(span?.start),
    end: ({ span }: { span?: { end: number } }) => at(span?.end),
  };
  walk("a.ts", text, () => (node, ancestors) => {
    for (const { kind, start, end, becomes } of syntaxEdits(node, ancestors, source)) {
      const changed = text.slice(0, start) + becomes + text.slice(end);
      walk("a.ts", changed, () => () => {});
      found.push(`${kind}: ${changed}`);
    }
  });
  return found;
}

const sql = (text: string): string[] =>
  sqlEdits(text).map(({ kind, start, end, becomes }) => `${kind}: ${text.slice(0, start)}${becomes}${text.slice(end)}`);

test("conditions are turned round, bounds moved, parts taken for one another", () => {
  expect(mutated("if (a < b) stop();")).toEqual([
    "negation: if (!(a < b)) stop();",
    "bound: if (a <= b) stop();",
    "statement: if (a < b) ;",
  ]);
  expect(mutated("x = a === b ? 1 : y;")).toEqual([
    "statement: ;",
    "equality: x = a !== b ? 1 : y;",
    "constant: x = a === b ? 2 : y;",
    "constant: x = a === b ? (0) : y;",
  ]);
  expect(mutated("const f = a && !b;")).toEqual(["logic: const f = a || !b;", "not: const f = a && b;"]);
});

test("what is left out is a call, an early return, a fallback, a filter", () => {
  expect(mutated("function f() { if (a) return 40; return b ?? 50; }")).toEqual([
    "negation: function f() { if (!(a)) return 40; return b ?? 50; }",
    "early-return: function f() { if (a) ; return b ?? 50; }",
    "fallback: function f() { if (a) return 40; return b; }",
  ]);
  expect(mutated("const c = d.filter(e);")).toEqual(["filter: const c = d;"]);
  expect(mutated("const c = d ?? null;"), "hardly anything tells undefined from null").toEqual([]);
  expect(mutated('type T = "SELECT WHERE a < b" | 1 | true;'), "types do nothing").toEqual([]);
});

test("a condition of SQL is switched off with its parameters still there", () => {
  expect(sql("SELECT a FROM t WHERE b = $1 AND (c OR d = $2) ORDER BY e LIMIT 3")).toEqual([
    "sql-condition: SELECT a FROM t WHERE (b = $1 OR true) AND (c OR d = $2) ORDER BY e LIMIT 3",
    "sql-condition: SELECT a FROM t WHERE b = $1 AND ((c OR d = $2) OR true) ORDER BY e LIMIT 3",
    "sql-order: SELECT a FROM t WHERE b = $1 AND (c OR d = $2) ORDER BY e DESC LIMIT 3",
  ]);
  expect(sql('DELETE FROM ${table("x")} WHERE a BETWEEN $1 AND $2 AND NOT b')).toEqual([
    'sql-condition: DELETE FROM ${table("x")} WHERE (a BETWEEN $1 AND $2 OR true) AND NOT b',
    'sql-condition: DELETE FROM ${table("x")} WHERE a BETWEEN $1 AND $2 AND (NOT b OR true)',
  ]);
  expect(sql("UPDATE t SET at = least(at, now()) WHERE NOT EXISTS (SELECT FROM u WHERE u.id <= t.id)")).toEqual([
    "sql-extreme: UPDATE t SET at = greatest(at, now()) WHERE NOT EXISTS (SELECT FROM u WHERE u.id <= t.id)",
    "sql-condition: UPDATE t SET at = least(at, now()) WHERE (NOT EXISTS (SELECT FROM u WHERE u.id <= t.id) OR true)",
    "sql-condition: UPDATE t SET at = least(at, now()) WHERE NOT EXISTS (SELECT FROM u WHERE (u.id <= t.id OR true))",
    "sql-bound: UPDATE t SET at = least(at, now()) WHERE NOT EXISTS (SELECT FROM u WHERE u.id < t.id)",
  ]);
  expect(sql("INSERT INTO t VALUES ($1) ON CONFLICT (a) DO UPDATE SET b = 1")).toEqual([]);
  const path = "SELECT a #>> b FROM t WHERE a -> 'b' ->> 'c' <@ d";
  expect(sql(path), "operators on JSON compare nothing").toEqual([
    "sql-condition: SELECT a #>> b FROM t WHERE (a -> 'b' ->> 'c' <@ d OR true)",
  ]);
  expect(sql("SELECT FROM a LEFT JOIN b ON true"), "and what always holds can't be switched off").toEqual([
    "sql-flag: SELECT FROM a LEFT JOIN b ON false",
  ]);
});
