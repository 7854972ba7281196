/** Sync as a whole: pipelines, what they do, their runs and the comparison of what systems hold. */
import type { Id } from "@accord/contracts";
import type { Deps } from "../../platform/deps.ts";
import type { ConnectorsService } from "../connections/connectors/index.ts";
import type { SchemaService } from "../data/schema/index.ts";
import type { InstancesService } from "../identity/instances/index.ts";
import type { NotificationsService } from "../operations/notifications/index.ts";
import { actionsModule } from "./actions/index.ts";
import { fragmentsModule } from "./fragments/index.ts";
import { pipelinesModule } from "./pipelines/index.ts";
import { reconciliationModule } from "./reconciliation/index.ts";
import { retentionModule } from "./retention/index.ts";
import { configurationMarks, runsModule } from "./runs/index.ts";
import { pipelineTestsModule } from "./tests/index.ts";

interface SyncNeeds {
  notify: NotificationsService["notify"];
  schema: SchemaService;
  connectors: ConnectorsService;
  instances: InstancesService;
}

/** Pipelines, what they do and the runs of them; they know of each other. */
export function syncModules(deps: Deps, { notify, schema, connectors, instances }: SyncNeeds) {
  const organisationOf = organisationsOfInstances(instances);
  const actions = actionsModule(deps, { schema, connectors, organisationOf, notify });
  const customActions = actions.service.custom;
  const pipelines = pipelinesModule(deps, { schema, connectors, limits: instances, customActions });
  const configuration = configurationMarks(deps.appPool);
  const running = {
    nameInstance: async (at: Id<"instance">) =>
      (await instances.listActive()).find(({ id }) => id === at)?.displayName ?? "",
    answers: actions.service,
    schema,
    connectors,
    pipelines: pipelines.service,
  };
  const runs = runsModule(deps, { ...running, notify, configuration });
  pipelines.service.connectRuns(runs.service);
  actions.service.connectChanges(runs.service);
  actions.service.registerUses((at) => pipelines.service.usesOfActions(at));
  const reconciliation = reconciliationModule(deps, { schema, connectors, answers: actions.service, runs });
  const { schedule } = runs;
  // What somebody corrected is tried at once, not when its wait is over.
  connectors.onReconnected((at, connectorId) => schedule.retrySystem(at, connectorId));
  const retention = retentionModule(deps, { schedule, instances, connectors, pipelines: pipelines.service });
  const tests = pipelineTestsModule(deps, running);
  const fragments = fragmentsModule(deps, { instances });
  return { pipelines, actions, runs, reconciliation, retention, tests, fragments };
}

/** An instance never changes its organisation: each is read once. */
function organisationsOfInstances(instances: InstancesService) {
  const organisations = new Map<string, Id<"organisation">>();
  return async (at: Id<"instance">): Promise<Id<"organisation"> | null> => {
    if (!organisations.has(at)) {
      for (const { id, organisationId } of await instances.listActive()) organisations.set(id, organisationId);
    }
    return organisations.get(at) ?? null;
  };
}
