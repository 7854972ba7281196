/** No dataset, however it is put together, makes an answer, a statement or a value larger than it may be. */
import type { Id } from "@accord/contracts";
import type { DatasetConfigInput } from "@accord/contracts/insights/dataset-config";
import { createDataset, previewDataset } from "@accord/contracts/insights/datasets";
import { FORMULA_FUNCTIONS, type FormulaFunction } from "@accord/expressions";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { dealsConfig, makeDeals } from "../../../../test-kit/fixtures/insights.ts";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";

const MAX_CELL = 32_768;
/** Fixed, so that a run is the same everywhere; a failing example prints its own. */
const SEED = 20261121;

let t: TestApp;
let entityId: Id<"entity">;
beforeAll(async () => {
  t = await testApp();
  entityId = await makeDeals(t, t, [
    ["é".repeat(600_000), "9".repeat(300), 2_000_000_000, "2026-01-05"],
    ["a b".repeat(20_000), "-0.5", -7, "0001-01-01"],
    [null, null, null, null],
  ]);
}, 60_000);
const viewer = () => t.as("VIEWER");
const calculated = (formulas: readonly string[]): DatasetConfigInput => ({
  selectedFields: [],
  calculatedFields: formulas.map((formula, index) => ({
    aliasName: `f${index}`,
    displayName: `F ${index}`,
    dataType: "string",
    formula,
  })),
});
const send = (more: DatasetConfigInput, source = entityId) =>
  viewer().send(previewDataset, { body: { datasetConfig: dealsConfig(source, more) } });

interface Rows {
  rows: Record<string, unknown>[];
}
const rowsOf = (body: unknown): Rows["rows"] => (body as Rows).rows;
const longest = (body: unknown): number =>
  Math.max(0, ...rowsOf(body).flatMap((row) => Object.values(row).map((cell) => JSON.stringify(cell).length)));

const nested = (depth: number, wrap: (inner: string) => string, innermost: string): string =>
  depth === 0 ? innermost : wrap(nested(depth - 1, wrap, innermost));

test("replacing inside of replacing gives a cut text that says so", async () => {
  const fill = "x".repeat(1_000);
  const more = (text: string, from: string, to: string) => `replace(${text}, '${from}', '${fill.replaceAll("x", to)}')`;
  const formula = more(more(more(`'${"a".repeat(60)}'`, "a", "b"), "b", "c"), "c", "x");
  const answer = await send(calculated([formula]));
  expect(answer.status).toBe(200);
  const cells = rowsOf(answer.body).map((row) => row["f0"]);
  expect(cells).toEqual(Array.from({ length: 3 }, () => `${"x".repeat(MAX_CELL - 1)}…`));
});

test("a long text of a record is cut, and one that just fits is whole", async () => {
  const fits = "é".repeat(MAX_CELL);
  const source = await makeDeals(t, t, [
    [fits, "1", 1, null],
    [`${fits}é`, "1", 2, null],
  ]);
  const answer = await send({ sort: [{ field: "pieces" }] }, source);
  expect(rowsOf(answer.body).map((row) => row["status"])).toEqual([fits, `${"é".repeat(MAX_CELL - 1)}…`]);
});

test("texts of a group are joined up to the same length, in the order of the texts", async () => {
  const rows = Array.from({ length: 300 }, (_, index) => [String(1000 + index).repeat(200), "1", index, null]);
  const source = await makeDeals(t, t, rows);
  const folded: DatasetConfigInput = {
    group: true,
    selectedFields: dealsConfig(source)
      .selectedFields.slice(0, 1)
      .map((field) => ({ ...field, aggregate: "textList" })),
    calculatedFields: [
      { aliasName: "all", displayName: "All", dataType: "string", formula: "string_agg([status], '-')" },
      { aliasName: "first", displayName: "First", dataType: "string", formula: "first([status], [pieces])" },
      { aliasName: "last", displayName: "Last", dataType: "string", formula: "last([status], [pieces])" },
    ],
  };
  const answer = await send(folded, source);
  const all = rows.map(([status]) => status);
  const cut = (text: string) => `${text.slice(0, MAX_CELL - 1)}…`;
  expect(rowsOf(answer.body)).toEqual([
    { status: cut(all.join(", ")), all: cut(all.join("-")), first: all[0], last: all.at(-1) },
  ]);
});

test("a list of texts that a formula makes with texts of its own holds each once, in order", async () => {
  const rows = ["b", "a", "b"].map((status, index) => [status, "1", index, null]);
  const source = await makeDeals(t, t, rows);
  const formula = "concat([status], '!')";
  const calculatedFields = [
    { aliasName: "all", displayName: "All", dataType: "string" as const, formula, aggregate: "textList" as const },
  ];
  const answer = await send({ group: true, selectedFields: [], calculatedFields }, source);
  expect(rowsOf(answer.body)).toEqual([{ all: "a!, b!" }]);
});

test("an answer with too many bytes is refused before it is built", async () => {
  const wide = Array.from({ length: 180 }, () => "lpad([status], 1000, 'x')");
  const source = await makeDeals(
    t,
    t,
    Array.from({ length: 100 }, (_, index) => [`${index}`, "1", index, null]),
  );
  const refused = await send(calculated(wide), source);
  expect(refused).toMatchObject({ status: 422, body: { code: "answer_too_large" } });
});

test("a formula that stands in itself many times over is refused before it is printed", async () => {
  for (const [wrap, innermost] of [
    [(inner: string) => `power(${inner}, 1)`, "[pieces]"],
    [(inner: string) => `initcap(${inner})`, "[status]"],
  ] as const) {
    const { status, body } = await send(calculated([nested(40, wrap, innermost)]));
    expect([status, (body as { code?: string }).code]).toEqual([422, "dataset_invalid"]);
  }
});

test("datasets on datasets read a limited number of tables", async () => {
  const sources = (datasetId: string, datasetType: "ENTITY" | "DATASET") =>
    Array.from({ length: 10 }, (_, index) => ({ datasetId, datasetType, datasourceAlias: `s${index}` }));
  const joined = (datasetId: string, datasetType: "ENTITY" | "DATASET"): DatasetConfigInput => ({
    sources: sources(datasetId, datasetType),
    joins: sources(datasetId, datasetType)
      .slice(1)
      .map((source) => ({
        field1: { datasetId, datasourceAlias: "s0", apiName: "pieces" },
        field2: { datasetId, datasourceAlias: source.datasourceAlias, apiName: "pieces" },
      })),
    selectedFields: [
      { alias: "pieces", displayName: "Pieces", apiName: "pieces", dataType: "integer", datasourceAlias: "s0" },
    ],
  });
  let below: string = entityId;
  for (let depth = 0; depth < 5; depth++) {
    const config = dealsConfig(entityId, joined(below, depth === 0 ? "ENTITY" : "DATASET"));
    const answer = await t.as("SYNC_MANAGER").send(createDataset, {
      body: { displayName: "Deep", name: `deep${t.deps.newId()}`, datasetConfig: config },
    });
    if (answer.status !== 200) {
      expect(answer).toMatchObject({ status: 422, body: { code: "dataset_invalid" } });
      expect(JSON.stringify(answer.body)).toContain("60 tables");
      return;
    }
    below = (answer.body as { id: string }).id;
  }
  expect.unreachable("all five levels were accepted");
});

type Kind = "text" | "number" | "integer" | "boolean" | "time";

/** Formulas of a kind that call all functions, with the largest arguments that can be written. */
function formulas(depth: number): Record<Kind, fc.Arbitrary<string>> {
  const leaves: Record<Kind, fc.Arbitrary<string>> = {
    text: fc.constantFrom("[status]", `'${"ab".repeat(60)}'`, "''", "'a'", "'é'"),
    number: fc.constantFrom("[amount]", "[pieces]", "-1", "1000000000000"),
    integer: fc.constantFrom("[pieces]", "2147483647", "-1", "0", "1000"),
    boolean: fc.constantFrom("true", "[pieces] > 0"),
    time: fc.constantFrom("[day]", "now()", "today()"),
  };
  if (depth === 0) return leaves;
  const inner = formulas(depth - 1);
  const calls = FORMULA_FUNCTIONS.filter((one) => one.category !== "aggregate" && one.name !== "now");
  const ofKind = (kind: Kind) =>
    fc.oneof(
      { weight: 1, arbitrary: leaves[kind] },
      ...calls.filter((one) => kindOf(one) === kind).map((one) => ({ weight: 1, arbitrary: callOf(one, inner) })),
    );
  return {
    text: ofKind("text"),
    number: ofKind("number"),
    integer: ofKind("integer"),
    boolean: ofKind("boolean"),
    time: ofKind("time"),
  };
}

/** What a function gives; those that give what they are given are called with texts, or numbers where they count. */
function kindOf({ returns, category }: FormulaFunction): Kind {
  switch (returns) {
    case "text":
      return "text";
    case "integer":
      return "integer";
    case "decimal":
    case "double":
      return "number";
    case "boolean":
      return "boolean";
    case "date":
    case "datetime":
      return "time";
    default:
      return category === "number" ? "number" : category === "date" ? "time" : "text";
  }
}

function callOf(definition: FormulaFunction, inner: Record<Kind, fc.Arbitrary<string>>): fc.Arbitrary<string> {
  const parameters = definition.repeats
    ? [...definition.parameters, ...Array.from({ length: 4 }, () => definition.parameters.at(-1) ?? "any")]
    : definition.parameters;
  const args = parameters.map((parameter, index): fc.Arbitrary<string> => {
    switch (parameter) {
      case "unit":
        return fc.constantFrom("'second'", "'year'");
      case "pattern":
        return fc.constantFrom("'.*'", "'[a-z]+'");
      case "zone":
        return fc.constant("'Asia/Tokyo'");
      case "format":
        return fc.constant(`'${"EEEE MMMM ".repeat(20)}'`);
      case "dayForm":
        return fc.constant("'yyyy-MM-dd'");
      case "double":
        return definition.constant?.includes(index) ? fc.constantFrom("0.5", "-1", "1000 * 1000") : inner.number;
      case "any":
        if (definition.name === "if" && index === 0) return inner.boolean;
        return definition.category === "number" || definition.name === "between" ? inner.number : inner.text;
      default:
        return inner[parameter];
    }
  });
  return fc.tuple(...args).map((texts) => `${definition.name}(${texts.join(", ")})`);
}

test("every function nested in every other keeps to the limits", async () => {
  const inner = formulas(2);
  const perFunction = FORMULA_FUNCTIONS.map((definition) => callOf(definition, inner));
  const few = fc.tuple(...perFunction);
  await fc.assert(
    fc.asyncProperty(few, async (texts) => {
      for (const isAggregate of [false, true]) {
        const wanted = texts.filter((_, index) => (FORMULA_FUNCTIONS[index]?.category === "aggregate") === isAggregate);
        for (let start = 0; start < wanted.length; start += 4) {
          const part = wanted.slice(start, start + 4).filter((text) => text.length <= 4_000);
          const answer = await send({ ...calculated(part), group: isAggregate });
          const codes = ["dataset_invalid", "query_timeout", "answer_too_large"];
          if (answer.status !== 200) expect(codes, part.join("; ")).toContain((answer.body as { code: string }).code);
          // As JSON each character may take more than one.
          else expect(longest(answer.body)).toBeLessThanOrEqual(2 * MAX_CELL);
        }
      }
    }),
    { numRuns: 12, seed: SEED },
  );
}, 120_000);
