/** New rows by one statement for many of them: where one is refused nothing of it is done, and each is written by itself. */
import { ConnectorError } from "@accord/connector-sdk";
import type { Batch } from "../../relational/write-batches.ts";
import type { MysqlSession, SqlValue } from "../client.ts";
import type { Column } from "../columns.ts";
import { serverErrorOf } from "../errors.ts";
import { quoteName } from "../quote-name.ts";
import type { Source } from "../reading/source.ts";
import { idOfRow, returnedText } from "../values.ts";
import { refusalOf } from "./refusals.ts";
import { bytesOf, WrongValueError, writtenValues } from "./written-values.ts";

/** Values of one statement: prepared ones take 65,535. */
const MAX_VALUES = 20_000;

/** It took longer than a statement may: triggers run for each row, and one row alone may be in time. */
const STATEMENT_TIME = 1969;

const columnsOf = (source: Source): Set<string> => new Set(source.columns.keys());

type NewRow = ReadonlyMap<Column, SqlValue>;

/**
 * Ids of the new rows in their order, as the server stored them (`RETURNING`, MariaDB). null: nothing was written, since one
 * is refused for what is in it, or they have not all the same columns.
 * @throws ConnectorError for what is not in the rows: a deadlock, a lost connection.
 */
export async function insertTogether(
  session: MysqlSession,
  source: Source,
  items: Batch["items"],
  assertMaySend: (() => void) | undefined,
): Promise<string[] | null> {
  const rows = newRows(source, items);
  const statements = rows && divided(rows, session.facts.maxPacket);
  if (!statements) return null;
  await session.run("SAVEPOINT accord_together");
  const ids: string[] = [];
  try {
    for (const some of statements) {
      assertMaySend?.();
      const { sql, values } = insertOf(source, some);
      ids.push(...(await session.run(sql, values)).rows.map((row) => idOfRow(source.key, row)));
    }
  } catch (error) {
    const said = error instanceof ConnectorError ? serverErrorOf(error) : null;
    // After a deadlock nothing is left of the transaction.
    const isOfRows =
      said?.errno === STATEMENT_TIME || (said && refusalOf(said, columnsOf(source))?.status === "rejected");
    if (!isOfRows) throw error;
  }
  if (ids.length === items.length) return ids;
  await session.run("ROLLBACK TO SAVEPOINT accord_together");
  return null;
}

/** null: not all have the same columns, or a value that the server would change. */
function newRows(source: Source, items: Batch["items"]): NewRow[] | null {
  try {
    const rows = items.map(({ operation }) =>
      writtenValues(source, operation.kind === "create" ? operation.values : {}),
    );
    const columns = [...(rows[0]?.keys() ?? [])];
    const isAlike = rows.every((row) => row.size === columns.length && columns.every((column) => row.has(column)));
    return columns.length > 0 && isAlike ? rows : null;
  } catch (error) {
    if (error instanceof WrongValueError) return null;
    throw error;
  }
}

function insertOf({ table, key }: Source, rows: readonly NewRow[]): { sql: string; values: SqlValue[] } {
  const columns = [...(rows[0]?.keys() ?? [])];
  const names = columns.map(({ name }) => quoteName(name)).join(", ");
  const places = rows.map(() => `(${columns.map(() => "?").join(", ")})`).join(", ");
  return {
    sql: `INSERT INTO ${table} (${names}) VALUES ${places} RETURNING ${key.map(returnedText).join(", ")}`,
    values: rows.flatMap((row) => columns.map((column) => row.get(column) ?? null)),
  };
}

/** Rows for each statement, within the server's packet; null where one row alone is larger. */
function divided(rows: readonly NewRow[], maxPacket: number): NewRow[][] | null {
  const statements: NewRow[][] = [];
  let [bytes, values] = [0, 0];
  for (const row of rows) {
    const size = bytesOf(row);
    if (size > maxPacket) return null;
    const current = statements.at(-1);
    const fits = bytes + size <= maxPacket && values + row.size <= MAX_VALUES;
    if (current && fits) current.push(row);
    else {
      statements.push([row]);
      [bytes, values] = [0, 0];
    }
    bytes += size;
    values += row.size;
  }
  return statements;
}
