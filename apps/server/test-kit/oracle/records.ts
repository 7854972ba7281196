/** Records for random datasets: three entities that refer to each other, in tables of the server and in memory. */
import type { CatalogueEntity } from "@accord/analytics-engine";
import { createEntity } from "@accord/contracts/data/core-schema";
import type { DataType, Value, Values } from "@accord/contracts/data/values";
import { instanceCatalogue } from "../../src/modules/insights/engine/index.ts";
import { instanceSchema } from "../../src/platform/db/db.ts";
import { pickOf, type Rng, rngOf } from "../mirror/odd-records.ts";
import type { TestApp } from "../test-app.ts";
import { cellOf, type Column, type Table, type TextOrder } from "./cells.ts";

/** Few and similar, so that they meet; letters that change their number when they are folded, signs of patterns, blanks. */
export const TEXTS = [
  ...["", " ", "a", "A", "b", "ab", "Ab c", "é", "É", "e\u0301", "ß", "SS", "İ", "i", "ı", "ΑΣ", "ας", "ǅ", "ǆ"],
  ...["%", "_", "a_b", "a%b", "\\", "'", '"', "10", "9", "😀", "😀b", "ann@example.org", "zebra", "Zebra", "null"],
] as const;
const REGIONS = ["N", "n", "S", ""] as const;
const INTEGERS = [0, 1, -1, 2, 3, 7, 10, "9007199254740993", "9223372036854775807", "-9223372036854775808"] as const;
const DECIMALS = ["0", "1", "1.5", "-1.5", "0.1", "0.2", "0.3", "2.25", "-0.0001", "1234.5678", "3"] as const;
/** Sums of quarters have no rest. */
const DOUBLES = [0, 0.25, 1, 1.5, -2.75, 3, 1024] as const;
/** Ends of months, quarters and years, leap days, and days on which clocks are changed. */
const DAYS = [
  ...["2024-02-28", "2024-02-29", "2024-12-30", "2024-12-31", "2025-01-01", "2026-01-01", "2026-03-28", "2026-03-29"],
  ...["2026-03-30", "2026-03-31", "2026-04-01", "2026-10-24", "2026-10-25", "2026-10-26", "2026-12-31", "2027-01-01"],
] as const;
/** Beside midnights of zones and changes of clocks: Amsterdam, New York, Kolkata, Lord Howe, Apia. */
const MOMENTS = [
  ...[
    "2026-03-28T22:59:59.999999Z",
    "2026-03-28T23:00:00.000Z",
    "2026-03-29T00:59:59.999Z",
    "2026-03-29T01:00:00.000Z",
  ],
  ...[
    "2026-03-29T22:00:00.000Z",
    "2026-10-24T22:00:00.000Z",
    "2026-10-25T00:30:00.000Z",
    "2026-10-25T01:30:00.000001Z",
  ],
  ...["2026-10-25T23:00:00.000Z", "2026-03-08T06:59:59.000Z", "2026-03-08T07:00:00.000Z", "2026-11-01T05:30:00.000Z"],
  ...["2026-11-01T06:30:00.000Z", "2026-12-31T18:30:00.000Z", "2026-12-31T23:59:59.999Z", "2027-01-01T00:00:00.000Z"],
  ...["2026-04-04T15:00:00.000Z", "2026-10-03T15:30:00.000Z", "2026-06-30T10:59:59.999Z", "2026-06-30T11:00:00.000Z"],
  ...["1969-12-31T23:59:59.500Z", "2024-02-29T12:00:00.123456Z"],
] as const;

export const POOLS = { TEXTS, REGIONS, INTEGERS, DECIMALS, DOUBLES, DAYS, MOMENTS };

interface Field extends Column {
  value: (rng: Rng) => Value;
}
const field = (name: string, dataType: DataType, value: (rng: Rng) => Value): Field => ({
  ...{ name, dataType, isList: false },
  value: (rng) => (rng() < 0.12 ? null : value(rng)),
});
const some =
  (items: readonly Value[]) =>
  (rng: Rng): Value =>
    items[Math.floor(rng() * items.length)] ?? null;
const small = (rng: Rng): Value => (rng() < 0.15 ? pickOf(rng, INTEGERS) : Math.floor(rng() * 12) - 3);
const price = (rng: Rng): Value =>
  rng() < 0.4 ? pickOf(rng, DECIMALS) : (rng() * 200 - 50).toFixed(Math.floor(rng() * 5));
const tags = (rng: Rng): Value =>
  Array.from({ length: Math.floor(rng() * 3) }, () => pickOf(rng, ["a", "A", "b", "é"]));

const FIELDS = {
  sale: [
    field("label", "string", some(TEXTS)),
    field("note", "string", some(["a", "A", "b", ""])),
    field("pieces", "integer", small),
    field("amount", "decimal", price),
    field("weight", "double", some(DOUBLES)),
    field("isOpen", "boolean", some([true, false])),
    field("day", "date", some(DAYS)),
    field("placedAt", "datetime", some(MOMENTS)),
    { ...field("tags", "string", tags), isList: true },
  ],
  client: [
    field("name", "string", some(TEXTS)),
    field("region", "string", some(REGIONS)),
    field("rank", "integer", small),
    field("since", "date", some(DAYS)),
  ],
  region: [
    field("code", "string", some(REGIONS)),
    field("quota", "decimal", some(["1", "2", "2.0", "3.5", "-1"])),
    field("opened", "datetime", some(MOMENTS)),
  ],
} as const;
export type EntityName = keyof typeof FIELDS;
const COUNTS = { sale: 36, client: 9, region: 5 };

const ID: Column = { name: "accord_id", dataType: "reference", isList: false };
const NUMBER: Column = { name: "nr", dataType: "integer", isList: false };
const CLIENT: Column = { name: "client", dataType: "reference", isList: false };

/** What each entity offers to datasets here. */
export const COLUMNS: Readonly<Record<EntityName, readonly Column[]>> = {
  sale: [ID, NUMBER, CLIENT, ...FIELDS.sale],
  client: [ID, ...FIELDS.client],
  region: [ID, ...FIELDS.region],
};

export type TextPlaces = ReadonlyMap<string, number>;

export interface Shop {
  ids: Readonly<Record<EntityName, string>>;
  entities: readonly CatalogueEntity[];
  /** In the database's order, those that no case has computed. */
  places: TextPlaces;
  /** The order of more texts, together with those. */
  placesWith(texts: ReadonlySet<string>): Promise<TextPlaces>;
  /** Replaces all records; answers the current ones by the entity's id. */
  fill(seed: number): Promise<ReadonlyMap<string, Table>>;
}

export async function makeShop(t: TestApp): Promise<Shop> {
  const admin = t.as("SUPER_ADMIN");
  const named = ({ name, dataType, isList }: Column) => ({
    ...{ apiName: name, displayName: name, dataType },
    ...(isList ? { isMultiValueField: true } : {}),
  });
  const make = (apiName: string, fields: (ReturnType<typeof named> & { referenceTo?: string })[]) =>
    admin.call(createEntity, { body: { apiName, displayName: apiName, publish: true, fields } });
  const region = await make("OracleRegion", FIELDS.region.map(named));
  const client = await make("OracleClient", FIELDS.client.map(named));
  const sale = await make("OracleSale", [
    ...[NUMBER, ...FIELDS.sale].map(named),
    { ...named(CLIENT), referenceTo: "OracleClient" },
  ]);
  const made = { sale, client, region };
  const ids = { sale: sale.id, client: client.id, region: region.id };
  const catalogue = instanceCatalogue(t.instanceId, [sale, client, region], []);
  const entities = Object.values(ids).flatMap((id) => catalogue.entity(id) ?? []);
  const tableOf = (name: EntityName): string => `"${instanceSchema(t.instanceId)}"."r_${made[name].apiName}"`;
  const known = new Set<string>([...TEXTS, ...REGIONS]);
  return {
    ids,
    entities,
    places: await databaseOrder(t, known),
    placesWith: (texts) => databaseOrder(t, new Set([...known, ...texts])),
    async fill(seed) {
      const rng = rngOf(seed);
      const clients = Array.from({ length: COUNTS.client }, () => idOf(rng));
      const records = new Map<string, Table>();
      for (const name of ["sale", "client", "region"] as const) {
        const rows = Array.from({ length: COUNTS[name] }, (_, nr): Values => {
          const values = FIELDS[name].map((one): [string, Value] => [one.name, one.value(rng)]);
          const own = name === "client" ? (clients[nr] ?? idOf(rng)) : idOf(rng);
          const more: Values = name === "sale" ? { nr, client: some([...clients, null, idOf(rng)])(rng) } : {};
          return { accord_id: own, accord_deleted: rng() < 0.12, ...more, ...Object.fromEntries(values) };
        });
        await replace(t, tableOf(name), rows);
        const columns = [...COLUMNS[name]];
        const current = rows.filter((row) => row["accord_deleted"] !== true);
        records.set(ids[name], {
          columns,
          rows: current.map((row) => new Map(columns.map((column) => [column.name, cellOf(row[column.name], column)]))),
        });
      }
      return records;
    },
  };
}

const idOf = (rng: Rng): string => Array.from({ length: 24 }, () => Math.floor(rng() * 16).toString(16)).join("");

async function replace(t: TestApp, table: string, rows: readonly Values[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
    .map((name) => `"${name}"`)
    .join(", ");
  await t.deps.dataPool.query(`DELETE FROM ${table}`);
  await t.deps.dataPool.query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1)`,
    [JSON.stringify(rows)],
  );
}

/** Ids are compared letter by letter, whatever the database's order. */
const ID_TEXT = /^[0-9a-f]{24}$/;
const byLetter: TextOrder = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

/** Installations differ in it (ADR 41): it is asked for. */
async function databaseOrder(t: TestApp, texts: ReadonlySet<string>): Promise<TextPlaces> {
  const { rows } = await t.deps.dataPool.query<{ text: string }>(
    "SELECT text FROM unnest($1::text[]) AS of(text) ORDER BY text",
    [[...texts]],
  );
  return new Map(rows.map(({ text }, place) => [text, place]));
}

/** By the places of texts; what has none is noted in `unknown`, and has to be asked for before anything is believed. */
export function textOrderBy(places: TextPlaces, unknown: Set<string>): TextOrder {
  return (one, other) => {
    const [at, otherAt] = [places.get(one), places.get(other)];
    if (at !== undefined && otherAt !== undefined) return at - otherAt;
    if (one !== other && !(ID_TEXT.test(one) && ID_TEXT.test(other))) unknown.add(one).add(other);
    return byLetter(one, other);
  };
}

/** All ids of clients that the records name or have had, in no order of their own. */
export const referencesOf = (records: ReadonlyMap<string, Table>): string[] => {
  const ids = [...records.values()].flatMap(({ rows }) =>
    rows.flatMap((row) => ["accord_id", "client"].flatMap((name) => row.get(name) ?? [])),
  );
  return ids.flatMap((cell) => (cell?.kind === "text" ? [cell.text] : []));
};
