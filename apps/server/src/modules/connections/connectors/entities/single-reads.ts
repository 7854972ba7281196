/** Whether and how a system is asked for single records of an entity. */
import type { Connection } from "@accord/connector-sdk";
import type { ConnectorEntityFacts } from "../connector-facts.ts";

type GetByIds = NonNullable<Connection["getByIds"]>;

/**
 * How single records of an entity are asked for; null where it has none. A connection has the method for all its
 * entities, also for those it can't ask for: what an entity allows decides.
 */
export function singleReadsOf(
  connection: Pick<Connection, "getByIds">,
  { capabilities }: Pick<ConnectorEntityFacts, "capabilities">,
): GetByIds | null {
  return capabilities.includes("getById") ? (connection.getByIds?.bind(connection) ?? null) : null;
}
