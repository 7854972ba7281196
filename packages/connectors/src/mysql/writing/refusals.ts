/** What the server says of a row that it will not take: whether that may pass, and which row stands in its way. */
import { ConnectorError, type WriteOperation, type WriteOutcome } from "@accord/connector-sdk";
import type { EntitySchema } from "@accord/contracts/data/schema";
import { indexesOf } from "../catalogue.ts";
import type { MysqlClient } from "../client.ts";
import type { MysqlConfig } from "../config.ts";
import { CONTENDED, type ServerError } from "../errors.ts";
import { hasOneOf } from "../key.ts";
import { sourceOf } from "../reading/source.ts";
import { idOfRow } from "../values.ts";
import { sentence } from "../../relational/sentence.ts";

export type Rejected = Extract<WriteOutcome, { status: "rejected" }>;

const REFUSALS: ReadonlyMap<number, string> = new Map([
  ...[1022, 1062, 1169, 1586, 1761, 1762].map((errno) => [errno, "duplicate"] as const),
  ...[1048, 1263, 1364].map((errno) => [errno, "required"] as const),
  ...[1216, 1217, 1451, 1452].map((errno) => [errno, "reference_missing"] as const),
  ...[1369, 3819, 4025].map((errno) => [errno, "check_failed"] as const),
  ...[1118, 1406, 1301].map((errno) => [errno, "too_long"] as const),
  ...[1264, 1690].map((errno) => [errno, "out_of_range"] as const),
  ...[1265, 1292, 1366, 1367, 1411, 3140, 3141, 3156, 4078].map((errno) => [errno, "wrong_type"] as const),
  // Of triggers: no case fits, several rows in place of one. Of tables: no partition takes the row, or another one does,
  // too much for the log of undoing, and what indexes on expressions, or on the items of a list, do not take.
  ...[1172, 1242, 1339, 1526, 1591, 1713, 1748, 1863, 3751, 3752, 3905, 3906, 3907].map(
    (errno) => [errno, "refused"] as const,
  ),
  ...[1644, 1643, 1906, 3105].map((errno) => [errno, "refused"] as const),
]);

/** Classes of states that are about the values of a row: data, constraints, checks, and what applications say. */
const ABOUT_VALUES = /^(?:22|23|44|45)/;

/** Refusals for what other rows hold, or do not hold yet. */
const ABOUT_OTHER_ROWS: ReadonlySet<string> = new Set(["duplicate", "reference_missing"]);

/** What the server says about one row that it will not take; null when the problem is not the row. */
export function refusalOf(
  { errno, state, message }: ServerError,
  columns: ReadonlySet<string> = new Set(),
): Rejected | Extract<WriteOutcome, { status: "retry" }> | null {
  if (CONTENDED.has(errno)) return { status: "retry", message: sentence(message) };
  // `SIGNAL` in a trigger may take any state and number.
  const code = REFUSALS.get(errno) ?? (ABOUT_VALUES.test(state) ? "refused" : undefined);
  if (code === undefined) return null;
  const field = fieldNamed(message, columns);
  const isTransient = ABOUT_OTHER_ROWS.has(code);
  return {
    status: "rejected",
    code,
    message: sentence(message),
    ...(field !== undefined && { field }),
    ...(isTransient && { isTransient }),
  };
}

/** The column that a message names. */
const NAMES = [
  /[Cc]olumn '(.+?)' (?:cannot|at row|in|is)/,
  /[Ff]or column '(.+?)' at row/,
  /[Ff]or column (?:`[^`]*`\.)*`(.+?)` at row/,
  /Field '(.+?)' doesn't/,
  /generated column '(.+?)' in table/,
  /FOREIGN KEY \(`([^`]+)`\)/,
  /CONSTRAINT `(?:[^`]*\.)?(.+?)` failed for/,
];

function fieldNamed(message: string, columns: ReadonlySet<string>): string | undefined {
  for (const pattern of NAMES) {
    const name = pattern.exec(message)?.[1];
    if (name !== undefined && columns.has(name)) return name;
  }
  return undefined;
}

/** A row that was refused for what other rows hold. */
export interface RefusedRow {
  operation: WriteOperation;
  outcome: Rejected;
  error: ServerError;
}

interface Table {
  client: MysqlClient;
  config: MysqlConfig;
  request: { entity: EntitySchema };
}

/** Adds to the outcomes of doubled values which field they are about, and which row holds them. */
export async function explainRefusals(table: Table, refused: readonly RefusedRow[]): Promise<void> {
  const doubled = refused.filter(({ outcome }) => outcome.code === "duplicate");
  if (doubled.length === 0) return;
  try {
    const { client, config, request } = table;
    const indexes = await indexesOf(client, config.database, request.entity.apiName);
    for (const row of doubled) {
      // `customer.email` in MySQL, `email` in MariaDB.
      const name = / for key '(?:.*\.)?(.+?)'/.exec(row.error.message)?.[1];
      const index = indexes.find((candidate) => candidate.name === name && candidate.isUnique && candidate.isWhole);
      const [column, ...more] = index?.columns ?? [];
      if (column !== undefined && more.length === 0) await explain(table, row, column);
    }
  } catch (error) {
    // The refusal itself is known, and answered.
    if (!(error instanceof ConnectorError)) throw error;
  }
}

async function explain(
  { client, config, request }: Table,
  { operation, outcome }: RefusedRow,
  name: string,
): Promise<void> {
  const value = operation.kind === "delete" ? undefined : operation.values[name];
  if (value === undefined || value === null) return;
  outcome.field = name;
  const source = await sourceOf(client, config, { entity: request.entity, fields: [] });
  const column = source.columns.get(name);
  if (!column) return;
  const { sql, values } = hasOneOf([column], [String(value)]);
  const [row] = await client.query(`SELECT ${source.selected} FROM ${source.table} t WHERE ${sql} LIMIT 1`, values);
  if (row) outcome.message += ` The row ${idOfRow(source.key, row)} holds it.`;
}
