/** Conditions and formulas mean in PostgreSQL what they mean in memory, for random ones on random records. */
import type { Value, Values } from "@accord/contracts/data/values";
import {
  checkFormula,
  column,
  compileFormula,
  dottedField,
  dottedSql,
  fixedSql,
  sql,
  compilePredicate,
  type FieldShape,
  formulaSql,
  kindOf,
  predicateSql,
  printSql,
} from "@accord/expressions";
import {
  FIELDS,
  FORMULA_FIELDS,
  formula,
  formulaRow,
  OWN_FIELDS,
  OWNERS,
  predicate,
  REFERENCE_TEXTS,
  row,
  valueIn,
} from "@accord/expressions/test-kit";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../../test-kit/database/database.ts";
import { withClient } from "./transaction.ts";

const NOW = Date.parse("2026-11-21T10:00:00.000Z");
/** Short ones make most texts too long, which has to be the same on both sides. */
const MAX_LENGTHS = [3, 7, 32_769] as const;
const ZONES = ["UTC", "Europe/Berlin", "America/New_York"] as const;
/** Fixed, so that a run is the same everywhere; a failing example prints its own. */
const SEED = 20261121;

type Fields = Readonly<Record<string, FieldShape>>;
let database: TestDatabase;
beforeAll(async () => void (database = await testDatabase()));
afterAll(() => database.drop());

function columnType(field: FieldShape): string {
  switch (kindOf(field)) {
    case "list":
    case "object":
      return "jsonb";
    case "id":
      return 'text COLLATE "C"';
    case "integer":
      return "bigint";
    case "decimal":
      return "numeric";
    case "double":
      return "double precision";
    case "moment":
      return "timestamptz";
    case "boolean":
    case "date":
    case "text":
      return kindOf(field);
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const stored = (field: FieldShape, value: Value | undefined): unknown =>
  value !== null && columnType(field) === "jsonb" ? JSON.stringify(value) : value;
const columnOf = (fields: Fields) => (name: string) => {
  const field = fields[name];
  return field && { ...field, sql: column("r", name) };
};

/** Columns of the row, and of the record its owner refers to by a dotted name. */
const predicateColumn = (name: string) => {
  const dotted = dottedField(name, "r", (entity, field) =>
    entity === "r" && field === "owner" ? { dataType: "reference", referenceTo: "owners" } : FIELDS[`owner.${field}`],
  );
  const own = columnOf(OWN_FIELDS)(name);
  if (!dotted || own) return own;
  const owners = (alias: string) => fixedSql(`owners ${alias}`);
  const table = {
    table: owners("p1"),
    column,
    id: (alias: string) => column(alias, "id"),
    counts: () => fixedSql("TRUE"),
  };
  return { ...dotted.field, sql: dottedSql(dotted, column("r", "owner"), () => table) };
};

const OWNERS_SQL = `CREATE TEMP TABLE IF NOT EXISTS owners AS SELECT * FROM jsonb_to_recordset($1) AS o (id text, "Name" text, born date)`;
const ownerRows = JSON.stringify(Object.entries(OWNERS).map(([id, values]) => ({ id, ...values })));
const referenceSql = (dataset: string, name: string) =>
  dataset === "words" && name === "word" ? sql`SELECT unnest(${[...REFERENCE_TEXTS]}::text[])` : undefined;

/** A table of the fields, filled with these rows, for as long as `work` takes. */
async function withRows<Result>(
  fields: Fields,
  rows: readonly Values[],
  work: (query: (text: string, params: unknown[]) => Promise<{ n: number; v: Value }[]>) => Promise<Result>,
): Promise<Result> {
  return withClient(database.data.pool, async (client) => {
    const columns = Object.entries(fields).map(([name, field]) => `${quoted(name)} ${columnType(field)}`);
    await client.query(`CREATE TEMP TABLE IF NOT EXISTS r (n integer, ${columns.join(", ")})`);
    const names = Object.keys(fields);
    const places = names.map((_, index) => `$${index + 2}`).join(", ");
    for (const [n, one] of rows.entries())
      await client.query(`INSERT INTO r VALUES ($1, ${places})`, [
        n,
        ...names.map((name) => stored(fields[name]!, one[name])),
      ]);
    try {
      return await work(async (text, params) => (await client.query<{ n: number; v: Value }>(text, params)).rows);
    } finally {
      await client.query("DROP TABLE r");
    }
  });
}

test("[T17] a condition finds the same records in PostgreSQL and in memory, also with hostile names and values", async () => {
  const rows = fc.array(row, { minLength: 5, maxLength: 12 });
  const predicates = fc.array(predicate, { minLength: 12, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(rows, predicates, fc.constantFrom(...ZONES), (records, trees, timeZone) =>
      withRows(OWN_FIELDS, records, async (query) => {
        await query(OWNERS_SQL, [ownerRows]);
        for (const tree of trees) {
          const { text, params } = printSql(
            predicateSql(tree, { column: predicateColumn, referenceData: referenceSql, timeZone, now: NOW }),
          );
          const found = await query(`SELECT n FROM r WHERE ${text} ORDER BY n`, params);
          const scope = { field: (name: string) => FIELDS[name], hasReferenceData: () => true, timeZone };
          const access = { field: valueIn, referenceData: () => (word: string) => REFERENCE_TEXTS.includes(word) };
          const holds = compilePredicate(tree, scope, access).run(records, NOW);
          const expected = records.flatMap((_, n) => (holds[n] ? [n] : []));
          expect({ tree, text, found: found.map(({ n }) => n) }).toEqual({ tree, text, found: expected });
        }
      }),
    ),
    { numRuns: 200, seed: SEED },
  );
});

test("a formula computes the same value in PostgreSQL and in memory", async () => {
  const rows = fc.array(formulaRow, { minLength: 3, maxLength: 8 });
  const formulas = fc.array(formula, { minLength: 12, maxLength: 12 });
  const environments = fc.record({
    timeZone: fc.constantFrom(...ZONES),
    maxTextLength: fc.constantFrom(...MAX_LENGTHS),
  });
  await fc.assert(
    fc.asyncProperty(rows, formulas, environments, (records, trees, { timeZone, maxTextLength }) =>
      withRows(FORMULA_FIELDS, records, async (query) => {
        for (const tree of trees) {
          const checked = checkFormula(tree, { field: (name) => FORMULA_FIELDS[name] });
          if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
          const { text, params } = printSql(
            formulaSql(checked, { column: columnOf(FORMULA_FIELDS), timeZone, now: NOW, maxTextLength }),
          );
          const found = await query(`SELECT n, ${text} AS v FROM r ORDER BY n`, params);
          const compute = compileFormula<Values>(checked, { field: (name) => (record) => record[name] });
          const isNumber = ["integer", "decimal", "double"].includes(checked.typed.type);
          for (const [n, record] of records.entries()) {
            const expected = compute(record, { now: NOW, timeZone, maxTextLength });
            const label = `${JSON.stringify(tree)} on ${JSON.stringify(record)}: ${text}`;
            if (isNumber && expected !== null) expect(nearness(found[n]!.v, expected), label).toBeLessThan(1e-9);
            else expect(found[n]!.v, label).toEqual(expected);
          }
        }
      }),
    ),
    { numRuns: 150, seed: SEED },
  );
});

/** Quotients and roots agree but for their last digits. */
const nearness = (found: Value, expected: Value): number =>
  found === null ? Infinity : Math.abs(Number(found) - Number(expected)) / Math.max(1, Math.abs(Number(expected)));
