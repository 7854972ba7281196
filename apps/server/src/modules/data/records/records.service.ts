/** Use cases of the data studio's records. */
import type { Deps } from "../../../platform/deps.ts";
import type { ConnectorsService } from "../../connections/connectors/index.ts";
import type { SchemaService } from "../schema/index.ts";
import type { RecordWriter, RecordHistory } from "./record-changer.ts";
import { recordReads } from "./record-reads.ts";
import { recordTools } from "./record-tools.ts";
import { recordWrites, type RecordLimits } from "./record-writes.ts";

export interface RecordsNeeds {
  schema: SchemaService;
  changes: RecordWriter & RecordHistory;
  connectors: Pick<ConnectorsService, "listConnectors">;
  limits: RecordLimits;
}

export type RecordsService = ReturnType<typeof recordsService>;

export function recordsService(
  deps: Pick<Deps, "appDb" | "dataPool" | "dataReads" | "clock" | "newId">,
  { schema, changes, connectors, limits }: RecordsNeeds,
) {
  const tools = recordTools({ dataPool: deps.dataPool, schema });
  return {
    ...recordReads(deps, tools, { schema, history: changes, connectors }),
    ...recordWrites(deps, tools, { schema, changes, limits }),
  };
}
