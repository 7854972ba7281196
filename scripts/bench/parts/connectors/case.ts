/** One way through a connector, and the same by hand. */
import type { Connection } from "@accord/connector-sdk";
import { fieldNames } from "@accord/connector-sdk/test-kit";
import type { ConnectorDefinition } from "@accord/connector-sdk";
import { findConnectorType } from "@accord/connectors";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Values } from "@accord/contracts/data/values";

/** Each answers how many records went through. */
export interface ConnectorCase {
  ours(): Promise<number>;
  limit(): Promise<number>;
  close(): Promise<void>;
}

export interface NamedCase {
  name: string;
  open(): Promise<ConnectorCase>;
}

export function connectorType(type: string): ConnectorDefinition {
  const found = findConnectorType(type);
  if (!found) throw new Error(`There is no connector ${type}.`);
  return found;
}

/** Reads an entity from its beginning to its end, as a first load does. */
export async function readAll(connection: Connection, entity: EntitySchema, pageSize: number): Promise<number> {
  const fields = fieldNames(entity);
  let records = 0;
  for (let cursor = null, drained = false; !drained;) {
    const page: Awaited<ReturnType<Connection["read"]>> = await connection.read({
      ...{ entity, fields, pageSize },
      ...{ cursor, mode: "all" as const },
    });
    records += page.records.length;
    ({ drained } = page);
    cursor = JSON.parse(JSON.stringify(page.cursor));
  }
  return records;
}

let created = 0;

/** Creates records in batches; answers how many were. */
export async function createAll(
  connection: Connection,
  entity: EntitySchema,
  { rows, batch }: { rows: readonly Values[]; batch: number },
): Promise<number> {
  let done = 0;
  for (let from = 0; from < rows.length; from += batch) {
    const operations = rows
      .slice(from, from + batch)
      .map((values) => ({ kind: "create" as const, values, idempotencyKey: `bench-${(created += 1)}` }));
    const outcomes = (await connection.write?.({ entity, operations })) ?? [];
    done += outcomes.filter(({ status }) => status === "done").length;
  }
  return done;
}
