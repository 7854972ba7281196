/** Prints records of a connection's entities, one to a line, and what can't be read. */
import type { Connection, Cursor, ReadPage, ReadRequest } from "../../packages/connector-sdk/src/index.ts";

interface Printed {
  /** Of each entity. */
  most: number;
  /** Api name; all of them where it is missing. */
  only?: string | undefined;
  read: (request: ReadRequest) => Promise<ReadPage>;
}

export async function printRecords(
  connection: Pick<Connection, "discover">,
  { most, only, read }: Printed,
): Promise<void> {
  for await (const { entity } of connection.discover(only === undefined ? {} : { only: [only] })) {
    const fields = entity.fields.map(({ apiName }) => apiName);
    let [left, cursor]: [number, Cursor | null] = [most, null];
    while (left > 0) {
      const page: ReadPage = await read({ entity, fields, cursor, mode: "all", pageSize: left });
      for (const { values: record } of page.records.slice(0, left)) console.log(JSON.stringify(record));
      for (const { place, message } of page.bad ?? []) console.log(`  ${place}: ${message}`);
      left -= page.records.length;
      if (page.drained) break;
      cursor = page.cursor;
    }
  }
}
