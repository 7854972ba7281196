/** Records with values on which databases differ: folding of letters, blanks, ends of types, ends of the calendar, digits. */
import type { Id } from "@accord/contracts";
import { createEntity } from "@accord/contracts/data/core-schema";
import type { DataType } from "@accord/contracts/data/values";
import { instanceSchema } from "../../src/platform/db/db.ts";
import type { TestApp } from "../test-app.ts";

export type Rng = () => number;

/** Mulberry32. */
export function rngOf(seed: number): Rng {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pickOf = <Item>(rng: Rng, items: readonly Item[]): Item => {
  const item = items[Math.floor(rng() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
};

const TEXTS = [
  null,
  "",
  " ",
  "a",
  "A",
  "ä",
  "Ä",
  "a\u0308",
  "ß",
  "SS",
  "ẞ",
  "İ",
  "i",
  "I",
  "ı",
  "Σ",
  "σ",
  "ς",
  "ΑΣ",
  "ας",
  "ǅ",
  "ǆ",
  "Ω",
  "😀",
  "😀b",
  "%",
  "_",
  "a_b",
  "a%b",
  "a\\b",
  "'",
  '"',
  "null",
  "NULL",
  "10",
  "9",
  "x\ty",
  "x\ny",
  "zebra",
  "Zebra",
  "éclair",
  "e\u0301clair",
  "\u00a0",
  "\u200b",
  "ﬁ",
  "{a,b}",
  "K",
  "\u212a",
  "co-op",
  "coop",
] as const;
const INTEGERS = [
  null,
  0,
  1,
  -1,
  2,
  3,
  7,
  10,
  100,
  "9007199254740993",
  "9223372036854775807",
  "-9223372036854775808",
] as const;
const DECIMALS = [
  null,
  "0",
  "0.0",
  "0.00",
  "1",
  "1.5",
  "1.50",
  "-1.5",
  "0.000001",
  "-0.000001",
  "0.1",
  "0.2",
  "0.3",
  "3.333333",
  "99999999999.99",
  "2.50",
  "1000000",
] as const;
const DAYS = [
  null,
  "0001-01-01",
  "9999-12-31",
  "1969-12-31",
  "1970-01-01",
  "2000-02-29",
  "2024-02-29",
  "2024-12-30",
  "2025-01-01",
  "2026-03-29",
  "2026-10-25",
  "2026-11-29",
] as const;
const MOMENTS = [
  null,
  "2026-03-29 00:59:59.999999Z",
  "2026-03-29 01:00:00Z",
  "2026-10-25 00:30:00Z",
  "2026-10-25 01:30:00.000001Z",
  "2026-12-31 23:59:59.999Z",
  "2027-01-01 00:00:00Z",
  "0001-01-01 00:00:00Z",
  "9999-12-31 23:59:59.999999Z",
  "1969-12-31 23:59:59.5Z",
  "2024-02-29 12:00:00.123456Z",
] as const;

export interface OddShop {
  entityId: Id<"entity">;
  /** Of the entity that the first one refers to. */
  otherId: Id<"entity">;
  tables: { main: string; other: string };
  mainName: string;
  otherName: string;
}

const FIELDS: readonly (readonly [string, DataType])[] = [
  ["label", "string"],
  ["Label2", "string"],
  ["pieces", "integer"],
  ["amount", "decimal"],
  ["day", "date"],
  ["placedAt", "datetime"],
  ["isOpen", "boolean"],
  ["weight", "double"],
];

export async function makeOddShop(t: TestApp, seed: number, records: number): Promise<OddShop> {
  const suffix = t.deps.newId().slice(-8);
  const [mainName, otherName] = [`Main${suffix}`, `Other${suffix}`];
  const admin = t.as("SUPER_ADMIN");
  const field = ([apiName, dataType]: readonly [string, DataType]) => ({ apiName, displayName: apiName, dataType });
  const other = await admin.call(createEntity, {
    body: {
      apiName: otherName,
      displayName: "Other",
      fields: [field(["kind", "string"]), field(["rank", "integer"])],
      publish: true,
    },
  });
  const fields = [
    ...FIELDS.map(field),
    { apiName: "other", displayName: "other", dataType: "reference" as const, referenceTo: otherName },
  ];
  const main = await admin.call(createEntity, {
    body: { apiName: mainName, displayName: "Main", fields, publish: true },
  });
  const schema = instanceSchema(t.instanceId);
  const tables = { main: `"${schema}"."r_${mainName}"`, other: `"${schema}"."r_${otherName}"` };
  const rng = rngOf(seed);
  const others = Array.from({ length: 7 }, () => t.deps.newId());
  for (const [index, id] of others.entries())
    await t.deps.dataPool.query(
      `INSERT INTO ${tables.other} (accord_id, accord_deleted, "kind", "rank") VALUES ($1, $2, $3, $4)`,
      [id, index === 0, pickOf(rng, TEXTS), pickOf(rng, INTEGERS)],
    );
  for (let row = 0; row < records; row++)
    await insertOdd(t, tables.main, { rng, others: [...others, null, t.deps.newId()] });
  return { entityId: main.id, otherId: other.id, tables, mainName, otherName };
}

export async function insertOdd(
  t: TestApp,
  table: string,
  { rng, others }: { rng: Rng; others: readonly (string | null)[] },
): Promise<void> {
  const some = <Item>(items: readonly Item[]): Item => pickOf(rng, items);
  await t.deps.dataPool.query(
    `INSERT INTO ${table} (accord_id, accord_deleted, "label", "Label2", "pieces", "amount", "day", "placedAt", "isOpen", "weight", "other")
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      t.deps.newId(),
      rng() < 0.1,
      some(TEXTS),
      some(["a", "A", "b", null]),
      rng() < 0.3 ? some(INTEGERS) : Math.floor(rng() * 50) - 10,
      rng() < 0.5 ? some(DECIMALS) : (rng() * 1000 - 200).toFixed(Math.floor(rng() * 7)),
      some(DAYS),
      some(MOMENTS),
      some([true, false, null]),
      some([1.5, null, Number.NaN, -0]),
      some(others),
    ],
  );
}

export const ODD_VALUES = { TEXTS, INTEGERS, DECIMALS, DAYS, MOMENTS };
