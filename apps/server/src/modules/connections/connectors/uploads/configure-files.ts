/** Saves what was said of uploaded files in the configuration of their connector. */
import type { Id } from "@accord/contracts";
import type { Values } from "@accord/contracts/data/values";
import type { Db } from "../../../../platform/db/db.ts";
import type { Deps } from "../../../../platform/deps.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import { connectorFinder } from "../connector-finder.ts";
import { typeOf } from "../connector-view.ts";
import { editConnector, type ConnectorRow } from "../connectors.store.ts";
import type { SchemaRefresh } from "../entities/schema-refresh.ts";
import { refuse } from "../refusals.ts";
import { lockConnector } from "./files.store.ts";

export interface ConfigureParts {
  deps: Pick<Deps, "appDb" | "clock">;
  refresh: Pick<SchemaRefresh, "afterEdit">;
  reconnected(at: Id<"instance">, connectorId: Id<"connector">): Promise<void>;
}

/**
 * `decide` gets the connector as it is while nobody else changes it, and returns what is known of its files from now on;
 * what it changes by `tx` is one with that. The schema is read again afterwards.
 */
export type ConfigureFiles = (
  at: Id<"instance">,
  connectorId: Id<"connector">,
  decide: (tx: Db, row: ConnectorRow) => Promise<Values>,
) => Promise<void>;

export const configureFiles =
  ({ deps, refresh, reconnected }: ConfigureParts): ConfigureFiles =>
  async (at, connectorId, decide) => {
    const { status } = await deps.appDb.transaction().execute(async (tx) => {
      await lockConnector(tx, at, connectorId);
      const row = await connectorFinder(tx).demandAction(at, connectorId, "edit");
      const config = { ...row.config, files: await decide(tx, row) };
      refuse(typeOf(row).problems(config));
      if (!(await editConnector(tx, at, connectorId, row.version, { config }, deps.clock.now())))
        throw new AppError("stale_version", { version: row.version });
      return row;
    });
    await reconnected(at, connectorId);
    await refresh.afterEdit(at, connectorId, status);
  };
