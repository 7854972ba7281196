/** Walks pages the way the engine does. */
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Connection, Cursor, ReadRequest, SourceRecord } from "../connection.ts";

export const fieldNames = (entity: EntitySchema): string[] => entity.fields.map((field) => field.apiName);

/** A pass that has not ended after this many pages never will. */
const MAX_PAGES = 500;

export interface Pass {
  records: SourceRecord[];
  cursor: Cursor;
  pages: number;
}

/** Reads until drained; `between` runs after each page, to change things meanwhile. */
export async function readToEnd(
  connection: Connection,
  request: Pick<ReadRequest, "entity" | "cursor" | "pageSize"> & Partial<ReadRequest>,
  between?: (records: SourceRecord[], cursor: Cursor) => Promise<void>,
): Promise<Pass> {
  const records: SourceRecord[] = [];
  let { cursor } = request;
  for (let pages = 1; pages <= MAX_PAGES; pages += 1) {
    const page = await connection.read({ fields: fieldNames(request.entity), mode: "changes", ...request, cursor });
    records.push(...page.records);
    // The engine keeps cursors as JSON.
    cursor = JSON.parse(JSON.stringify(page.cursor)) as Cursor;
    if (page.drained) return { records, cursor, pages };
    await between?.(page.records, cursor);
  }
  throw new Error(`No end after ${MAX_PAGES} pages.`);
}

/** What a reader that keeps the last seen state of each id ends up with. */
export const latestById = (records: readonly SourceRecord[]): Map<string, SourceRecord["values"]> =>
  new Map(records.filter((record) => !record.deleted).map((record) => [record.id, record.values]));

export async function entityNamed(connection: Connection, name: string): Promise<EntitySchema> {
  for await (const { entity } of connection.discover({ only: [name] })) if (entity.apiName === name) return entity;
  throw new Error(`Discovery did not find ${name}.`);
}
