/** Actions of pipelines and what their nodes ask: the module, and what running pipelines call. */
import { type Id, id } from "@accord/contracts";
import { isSecretField } from "@accord/expressions";
import type { DataResult, DataRequest } from "@accord/sync-engine/functions";
import type { Deps } from "../../../platform/deps.ts";
import type { Module } from "../../../platform/module.ts";
import { startSealing } from "../../../platform/secrets/sealing-pass.store.ts";
import type { RecordWriter } from "../../data/records/index.ts";
import type { SchemaService } from "../../data/schema/index.ts";
import type { ConnectorsService } from "../../connections/connectors/index.ts";
import type { NotificationsService } from "../../operations/notifications/index.ts";
import { actionHistory } from "./action-history.ts";
import { startActionWorker } from "./action-worker.ts";
import { actionRoutes } from "./actions.routes.ts";
import { resolveDataRequests } from "./data-request-resolver.ts";
import type { PipelineContext } from "./pipeline-context.ts";
import { customActionChecks } from "./custom-actions/custom-action-checks.ts";
import { customActionService, type FindActionUses } from "./custom-actions/custom-actions.service.ts";
import { customRequests } from "./custom-actions/custom-requests.ts";
import { olderActions } from "./older-actions.store.ts";
import { actionHandlers } from "./action-handlers.ts";
import { actionExecutor } from "./action-executor.ts";
import { type ServiceProviders, serviceProviders } from "./providers/providers.ts";

export { endOccurrences, insertActions } from "./action-runs.store.ts";
export { sealedCall, type StoredCall } from "./sealed-work.ts";
export type { PipelineContext } from "./pipeline-context.ts";
export { readActionProblems } from "./failed-actions.store.ts";

export interface ActionsDependencies {
  schema: Pick<SchemaService, "getEntity" | "listEntities">;
  connectors: Pick<ConnectorsService, "entitySchema" | "openConnection">;
  organisationOf(at: Id<"instance">): Promise<Id<"organisation"> | null>;
  notify: NotificationsService["notify"];
}

export interface ActionsService {
  /** In the order of the questions. Throws `ConnectorError` when a system can't be reached. */
  answer(pipeline: PipelineContext, dataRequests: readonly DataRequest[]): Promise<DataResult[]>;
  /** Custom actions by id, for palettes and validation. */
  custom: Pick<ReturnType<typeof customActionService>, "list">;
  /** The service that answers questions for data cards. */
  assistant: Pick<ServiceProviders, "findAssistant" | "complete">;
  /** Running pipelines make changes of records; they need this module in turn. */
  connectChanges(changes: RecordWriter): void;
  /** Pipelines say where custom actions are used. */
  registerUses(find: FindActionUses): void;
}

const entityIds = id("entity");

export function actionsModule(deps: Deps, needs: ActionsDependencies): Module & { service: ActionsService } {
  let changer: RecordWriter | undefined;
  let usesOf: FindActionUses = async () => [];
  const changes = (): RecordWriter => {
    if (!changer) throw new Error("running pipelines have not made themselves known");
    return changer;
  };
  const services = serviceProviders(deps);
  const requests = customRequests(deps);
  const secretFields = async (instanceId: Id<"instance">, pipelineId: string): Promise<boolean | undefined> => {
    const entity = await needs.schema.getEntity(instanceId, entityIds.parse(pipelineId), "draft");
    return entity?.fields.some(isSecretField);
  };
  const hasSecretFields = async (...of: Parameters<typeof secretFields>) => (await secretFields(...of)) ?? false;
  /** One that is gone may have had some. */
  const mayHaveSecretFields = async (...of: Parameters<typeof secretFields>) => (await secretFields(...of)) ?? true;
  const perform = actionHandlers(deps, { ...needs, changes, services, custom: requests, hasSecretFields });
  const executor = actionExecutor(deps, perform, { batchingOf: requests.batchingOf, hasSecretFields });
  const custom = customActionService(deps, (instanceId) => usesOf(instanceId));
  const checks = customActionChecks(deps, custom);
  const service: ActionsService = {
    answer: (pipeline, dataRequests) =>
      resolveDataRequests({ deps, needs, executor, services }, pipeline, dataRequests),
    custom,
    assistant: services,
    connectChanges: (next) => void (changer = next),
    registerUses: (find) => void (usesOf = find),
  };
  return {
    name: "sync/actions",
    service,
    routes: actionRoutes({ ...custom, ...checks }, actionHistory(deps, needs.schema), services),
    async startWorker() {
      const stop = startActionWorker(deps, executor);
      const stopSealing = startSealing(deps.dataPool, olderActions(deps.secrets, mayHaveSecretFields), (error) =>
        deps.log.warn({ err: error }, "sealing older actions failed; it is tried again"),
      );
      return async () => {
        await Promise.all([stop(), stopSealing()]);
      };
    },
  };
}
