/** Connectors: the module, and what other modules may ask. */
import type { Id } from "@accord/contracts";
import type { Deps } from "../../../platform/deps.ts";
import type { Module } from "../../../platform/module.ts";
import type { AuditLog } from "../../operations/audit/index.ts";
import { connectorFactsService, type Registered } from "./connector-facts.service.ts";
import type { ConnectorsService, ConnectorUse } from "./connector-facts.ts";
import { connectorFinder } from "./connector-finder.ts";
import { connectorRoutes } from "./connectors.routes.ts";
import { bindToDestinations } from "./credentials/credentials.ts";
import { connectorsService, type ConnectorUseCases } from "./connectors.service.ts";
import { entitiesService } from "./entities/entities.service.ts";
import { connectionOpener, type ReadInbox } from "./open-connection.ts";
import type { UploadedSynapses } from "./uploaded-types.ts";
import { signInRoutes, signInService } from "./oauth/index.ts";
import { configureFiles, fileRoutes, filesService, tidyFilesJob } from "./uploads/index.ts";
import { autoRefreshJob, refreshSchemaJob, schemaRefresh } from "./entities/schema-refresh.ts";

export type { ConnectorUse } from "./connector-facts.ts";
export type { ConnectorEntityFacts, ConnectorFacts, ConnectorsService } from "./connector-facts.ts";
export { checkOf } from "./check.ts";
export { connectMasked } from "./credentials/masked-connection.ts";
export { credentialProblems } from "./credentials/credentials.ts";
export { CREDENTIAL_MASK, CredentialMask } from "./credentials/credential-mask.ts";
export { connectContext } from "./connection-context.ts";
export { maskedContext } from "./credentials/masked-connection.ts";
export { refuse, refuseForbiddenHosts } from "./refusals.ts";
export { reaches } from "./synapse-types.store.ts";
export { singleReadsOf } from "./entities/single-reads.ts";
export { filesFolderOf } from "./files-folder.ts";
export { isCheckedByList } from "./entities/change-detection.ts";
export { readerName, readerPrefix } from "./reader-names.ts";
export type { StoredConnector } from "./connectors.store.ts";
export type { UploadedSynapses } from "./uploaded-types.ts";
export type { WaitPolicy } from "./rate-limits/rate-limits.ts";

/** What custom synapses need of their connections. */
export interface SynapseConnections {
  usesOf(at: Id<"instance">, connectorId: Id<"connector">): Promise<ConnectorUse[]>;
  /** Their synapse is another one now: schemas are read again, and what failed is tried again. */
  changed(connections: readonly ChangedConnection[]): Promise<void>;
}

export interface ChangedConnection {
  id: Id<"connector">;
  instance_id: Id<"instance">;
}

export interface ConnectorsModule extends Module {
  synapses: SynapseConnections;
  service: ConnectorsService;
  /** For the demo and tests: the same use cases the endpoints have. */
  useCases: ConnectorUseCases;
}

export function connectorsModule(
  deps: Deps,
  inbox: ReadInbox | null,
  uploaded: UploadedSynapses | null,
  audit: AuditLog,
): ConnectorsModule {
  const registered: Registered = { uses: [], secretFields: [], reconnected: [] };
  const usesOf = async (at: Id<"instance">, connectorId: Id<"connector">): Promise<ConnectorUse[]> =>
    (await Promise.all(registered.uses.map((find) => find(at, connectorId)))).flat();
  const reconnected = async (at: Id<"instance">, connectorId: Id<"connector">): Promise<void> => {
    for (const goOn of registered.reconnected) await goOn(at, connectorId);
  };
  const open = connectionOpener(deps, inbox, uploaded?.open ?? null);
  const refresh = schemaRefresh(deps, open);
  const useCases = connectorsService(deps, { open, refresh, usesOf, reconnected, uploaded });
  const service = connectorFactsService(deps, open, refresh, registered);
  const { secretFieldsOf } = service;
  const finder = connectorFinder(deps.appDb);
  const configure = configureFiles({ deps, refresh, reconnected });
  const files = filesService({ deps, finder, configure });
  const signIns = signInService({ deps, audit, finder, reconnected, publish: refresh.tell });
  return {
    name: "connections/connectors",
    service,
    useCases,
    synapses: {
      usesOf,
      async changed(connections) {
        for (const { id, instance_id: at } of connections) {
          await refresh.afterPublish(at, id);
          await reconnected(at, id);
        }
      },
    },
    routes: [
      ...connectorRoutes(useCases, entitiesService(deps, { open, refresh, secretFieldsOf, usesOf })),
      ...fileRoutes(files),
      ...signInRoutes(signIns),
    ],
    start: () => bindToDestinations(deps.appDb),
    async startWorker() {
      const stops = [
        await deps.jobs.work(refreshSchemaJob, (data, { signal }) => refresh.run(data, signal), { concurrency: 2 }),
        await deps.jobs.work(autoRefreshJob, () => refresh.runAuto()),
        await deps.jobs.work(tidyFilesJob, () => files.tidy()),
      ];
      await deps.jobs.schedule(autoRefreshJob, "17 * * * *", {});
      await deps.jobs.schedule(tidyFilesJob, "*/10 * * * *", {});
      return async () => {
        for (const stop of stops) await stop();
      };
    },
  };
}
