/** Pages of rows in the order of their ids, from the last one read on. */
import { ConnectorError, type BadRecord } from "@accord/connector-sdk";
import type { MysqlClient, TextRow } from "../client.ts";
import { afterId, hasId, orderOf, type Condition } from "../key.ts";
import { idOfRow } from "../values.ts";
import { quoteName } from "../quote-name.ts";
import { Conditions, type Source } from "./source.ts";

export interface Asked {
  client: MysqlClient;
  source: Source;
  /** Begins with the columns of the key. */
  selected: string;
  conditions: readonly Condition[];
  after: string | null;
  pageSize: number;
  signal?: AbortSignal;
}

export interface OrderedRows {
  rows: TextRow[];
  /** The last id of a page that another one follows. */
  last: string | null;
  bad: BadRecord[];
}

/** Rows with one id that are looked at where nothing makes ids unique. */
const MAX_TIES = 1_000;

export async function orderedRows(asked: Asked): Promise<OrderedRows> {
  const { client, source, after, pageSize, signal } = asked;
  const { key } = source;
  const found = await select(asked, after === null ? null : afterId(key, after), pageSize + 1, signal);
  const rows = found.slice(0, pageSize);
  const end = found.length > pageSize ? rows.at(-1) : undefined;
  const last = end ? idOfRow(key, end) : null;
  if (last !== null && afterId(key, last) === null) throw endlessAt(source, last);
  if (!source.isLoose) return { rows, last, bad: [] };
  // All rows whose ids the server holds equal belong to one page: the next one begins after them.
  const ties = last === null ? [] : await select({ ...asked, conditions: [] }, hasId(key, last), MAX_TIES, signal);
  const without = after === null ? await rowsWithoutId(client, source, signal) : [];
  return withoutRepeats(source, rows, ties, { last, without });
}

/** Without a place to go on from, the same page would come again and again. */
const endlessAt = ({ name, key }: Source, id: string): ConnectorError =>
  new ConnectorError("configuration", `Reading ${name} can't go on after the id ${id.slice(0, 100)}.`, {
    hint: `No value of ${key.map((column) => column.name).join(", ")} can be compared with it: correct that row, or choose another field as id.`,
  });

function select(
  { client, source, selected, conditions }: Asked,
  place: Condition | null,
  limit: number,
  signal?: AbortSignal,
): Promise<TextRow[]> {
  const where = new Conditions();
  where.add(place);
  for (const condition of conditions) where.add(condition);
  if (source.isLoose) where.add(filled(source));
  return client.query(
    `SELECT ${selected} FROM ${source.table} t ${where.sql} ORDER BY ${orderOf(source.key)} LIMIT ${limit}`,
    where.values,
    signal,
  );
}

const filled = ({ key }: Source): Condition => ({
  sql: key.map(({ name }) => `t.${quoteName(name)} IS NOT NULL`).join(" AND "),
  values: [],
});

async function rowsWithoutId(client: MysqlClient, source: Source, signal?: AbortSignal): Promise<BadRecord[]> {
  if (!source.key.some(({ nullable }) => nullable)) return [];
  const isNull = source.key.map(({ name }) => `t.${quoteName(name)} IS NULL`).join(" OR ");
  const [row] = await client.query(`SELECT COUNT(*) FROM ${source.table} t WHERE ${isNull}`, [], signal);
  const count = row?.[0] ?? "0";
  const names = source.key.map(({ name }) => name).join(", ");
  return count === "0"
    ? []
    : [
        {
          place: `rows without ${names}`,
          message: `Rows without a value in the id field: ${count}. Fill it, or choose another id.`,
        },
      ];
}

/** A person may have chosen an id that is not unique: its first row is read, the others are reported. */
function withoutRepeats(
  { key }: Source,
  page: readonly TextRow[],
  ties: readonly TextRow[],
  { last, without }: { last: string | null; without: BadRecord[] },
): OrderedRows {
  const rows = new Map<string, TextRow>();
  const counts = new Map<string, number>();
  const repeated = new Set<string>();
  for (const row of page) {
    const id = idOfRow(key, row);
    if (rows.has(id)) repeated.add(id);
    else rows.set(id, row);
  }
  for (const row of ties) {
    const id = idOfRow(key, row);
    counts.set(id, (counts.get(id) ?? 0) + 1);
    if (!rows.has(id)) rows.set(id, row);
  }
  for (const [id, count] of counts) if (count > 1) repeated.add(id);
  const bad = [...repeated].map((id): BadRecord => ({
    place: `id ${id}`,
    message: "This id appears more than once: choose a field as id that is unique.",
  }));
  return { rows: [...rows.values()], last, bad: [...without, ...bad] };
}
