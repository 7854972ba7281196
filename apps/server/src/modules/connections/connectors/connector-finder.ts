/** Finds a connector of an instance, and refuses what its state does not allow. */
import type { Id } from "@accord/contracts";
import { isConnectorActionAllowed, type ConnectorAction } from "@accord/contracts/connections/connectors";
import type { Db } from "../../../platform/db/db.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { findConnector, type ConnectorRow } from "./connectors.store.ts";

export interface ConnectorFinder {
  /** @throws AppError("not_found") */
  find(at: Id<"instance">, connectorId: string): Promise<ConnectorRow>;
  /** @throws AppError("schema_refresh_running" | "connector_not_active" | "invalid_state") */
  demandAction(at: Id<"instance">, connectorId: string, action: ConnectorAction): Promise<ConnectorRow>;
}

export function connectorFinder(appDb: Db): ConnectorFinder {
  const find: ConnectorFinder["find"] = async (at, connectorId) => {
    const row = await findConnector(appDb, at, connectorId);
    if (!row) throw new AppError("not_found", { what: "Synapse" });
    return row;
  };
  return {
    find,
    async demandAction(at, connectorId, action) {
      const row = await find(at, connectorId);
      const state = { status: row.status, schemaRefreshStatus: row.schema_status };
      if (isConnectorActionAllowed(state, action)) return row;
      if (row.schema_status === "PROCESSING") throw new AppError("schema_refresh_running");
      if (action === "refreshSchema" || action === "editEntities")
        throw new AppError("connector_not_active", { name: row.name });
      throw new AppError("invalid_state", { reason: `${row.name} is ${row.status}.` });
    },
  };
}
