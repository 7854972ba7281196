/** Frees a system of what it retains for the pipelines of a connector that is leaving it: deleted, or moved elsewhere. */
import type { Connection } from "@accord/connector-sdk";
import type { Log } from "../../../platform/log/log.ts";
import { readerPrefix } from "./reader-names.ts";

/** Closes the connection. A system that does not answer is left as it is: nobody could free it later either. */
export async function dropReaders(connection: Connection, connectorId: string, log: Log): Promise<void> {
  try {
    for (const { name } of (await connection.listReaders?.(readerPrefix(connectorId))) ?? [])
      await connection.dropReader?.(name);
  } catch (error) {
    log.warn({ err: error, connectorId }, "replication slots may be left behind in the database");
  } finally {
    await connection.close();
  }
}
