/** Published versions ready to run: compiled once per version of graph, entity and connector schemas, then kept. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Graph } from "@accord/contracts/sync/graph";
import { isSecretField } from "@accord/expressions";
import {
  compilePipeline,
  isActionsEndpoint,
  type ObserveNode,
  type EndpointFields,
  placesOf,
  type Plan,
} from "@accord/sync-engine/run";
import type { Deps } from "../../../../platform/deps.ts";
import type {
  ConnectorEntityFacts,
  ConnectorFacts,
  ConnectorsService,
  StoredConnector,
} from "../../../connections/connectors/index.ts";
import type { SchemaService } from "../../../data/schema/index.ts";
import type { NotificationsService } from "../../../operations/notifications/index.ts";
import type { ActionsService } from "../../actions/index.ts";
import type { PipelineService, PublishedVersion } from "../../pipelines/index.ts";
import type { ConfigurationMarks } from "../schedule/configuration-marks.store.ts";
import type { Referrer } from "../storage/pages/repoint-references.store.ts";
import {
  type PipelineSeals,
  type PipelineSecrets,
  fieldGraphsOf,
  pipelineSeals,
  pipelineSecrets,
} from "../secrets/pipeline-secrets.ts";
import { idFieldChanged } from "./id-fields.ts";
import { factsOf, PipelineNotRunnable, pipelineEndpoints, type World, worldOf } from "./pipeline-endpoints.ts";
import { prepareInstance } from "../storage/prepare.store.ts";
import { type RunStorage, runStorage } from "../storage/run-storage.store.ts";
import { sealedStorage } from "../secrets/sealed-storage.ts";
import { UnstorableValue } from "../storage/unstorable-values.store.ts";
import type { ScheduleStore } from "../schedule/schedule.store.ts";

export interface RunsDependencies {
  schema: Pick<SchemaService, "getEntity" | "listEntities">;
  connectors: Pick<
    ConnectorsService,
    "getConnector" | "entitySchema" | "findPlaces" | "openConnection" | "reportFailure" | "reportWorking"
  >;
  pipelines: Pick<
    PipelineService,
    "publishedVersion" | "versionById" | "publishedSince" | "remappedFields" | "listPublished"
  >;
  /** Says whether what a plan is made of has changed; where it is missing, all of it is read each time. */
  configuration?: ConfigurationMarks;
  /** Looks up what nodes ask for and performs the actions they wait for. */
  answers: Pick<ActionsService, "answer">;
  /** Its display name, for texts that people compose. */
  nameInstance(instanceId: Id<"instance">): Promise<string>;
  /** Tells people what they should know. */
  notify: NotificationsService["notify"];
}

/** Everything a cycle needs to know of its pipeline. */
export interface CompiledPipeline {
  plan: Plan;
  graph: Graph;
  entity: CoreEntity;
  entityNumber: number;
  publishedAt: string;
  connectors: ReadonlyMap<string, ConnectorFacts>;
  /** By place number. */
  entities: ReadonlyMap<number, ConnectorEntityFacts>;
  storage: RunStorage;
  /** Fields whose values nobody is shown. */
  secrets: PipelineSecrets;
  /** How values of secret fields are kept. */
  seals: PipelineSeals;
  /** A connector as it stood when the cycle began, right after that: connections opened then need not read it again. */
  stored(connectorId: string): StoredConnector | undefined;
}

const NOT_PUBLISHED = syncRefusals.notPublished;

export function pipelinePlans(
  deps: Pick<Deps, "dataPool" | "secrets">,
  needs: RunsDependencies,
  schedule: ScheduleStore,
) {
  const known = new Map<string, KnownPlan>();

  async function published(
    instanceId: Id<"instance">,
    pipelineId: Id<"entity">,
  ): Promise<Pick<Preparing, "version" | "entity" | "secretFieldsOf">> {
    const [version, entity, entities] = await Promise.all([
      needs.pipelines.publishedVersion(instanceId, pipelineId),
      needs.schema.getEntity(instanceId, pipelineId),
      needs.schema.listEntities(instanceId),
    ]);
    if (!version || !entity) throw new PipelineNotRunnable(NOT_PUBLISHED);
    return { version, entity, secretFieldsOf: secretNamesOf(entities) };
  }

  return {
    /** Throws `PipelineNotRunnable` when the entity, a connector or one of its entities is gone. */
    async load(instanceId: Id<"instance">, pipelineId: Id<"entity">): Promise<CompiledPipeline> {
      const kept = known.get(`${instanceId}/${pipelineId}`);
      // Before what it stands for: a change in between shows as one the next time.
      const mark = kept ? ((await needs.configuration?.mark(instanceId, pipelineId, kept.places)) ?? null) : null;
      if (kept && mark !== null && kept.mark === mark) return { ...kept.ready, stored: justRead(kept.stored) };
      // Most of the time it is the same version, and all can be asked for at once: each cycle begins with this.
      const early = kept && needs.connectors.findPlaces(instanceId, kept.places);
      early?.catch(() => {});
      const made = await published(instanceId, pipelineId);
      const { version } = made;
      const { versionId } = version;
      const isSame = kept?.versionId === versionId;
      const places = isSame ? kept.places : pipelineEndpoints(version);
      const found = await (isSame && early ? early : needs.connectors.findPlaces(instanceId, places));
      const world = worldOf(places, found);
      const key = keyOf({ ...made, ...world });
      // What is not compiled may have changed: whether a connector is in error.
      const ready =
        kept?.key === key
          ? { ...kept.ready, connectors: world.connectors }
          : await prepare(deps, needs, schedule, { instanceId, pipelineId, ...made, ...world });
      const { stored } = world;
      known.set(`${instanceId}/${pipelineId}`, { versionId, places, key, mark: isSame ? mark : null, ready, stored });
      return { ...ready, stored: justRead(stored) };
    },

    /** Connectors that its published version uses; less work than to load it. Throws `PipelineNotRunnable`. */
    async connectorsOf(instanceId: Id<"instance">, pipelineId: Id<"entity">): Promise<string[]> {
      const version = await needs.pipelines.publishedVersion(instanceId, pipelineId);
      if (!version) throw new PipelineNotRunnable(NOT_PUBLISHED);
      return [...new Set(pipelineEndpoints(version).map(({ connectorId }) => connectorId))];
    },

    /** The same, made anew so that `observe` sees each record at each node. Throws `PipelineNotRunnable`. */
    async loadWatched(
      instanceId: Id<"instance">,
      pipelineId: Id<"entity">,
      observe: ObserveNode,
    ): Promise<CompiledPipeline> {
      const made = await published(instanceId, pipelineId);
      const places = pipelineEndpoints(made.version);
      const world = worldOf(places, await needs.connectors.findPlaces(instanceId, places));
      return prepare(deps, needs, schedule, { instanceId, pipelineId, ...made, ...world }, observe);
    },
  };
}

export type PipelinePlans = ReturnType<typeof pipelinePlans>;

/** What is compiled of a pipeline. */
function keyOf({ version, entity, secretFieldsOf, ...world }: Omit<Preparing, "instanceId" | "pipelineId">): string {
  return JSON.stringify([
    [...secretFieldsOf],
    version.versionId,
    version.mergeConfig,
    entity.version,
    entity.revision,
    [...world.connectors.values()].map(({ name, writeBatchSize, readDelaySeconds }) => [
      name,
      writeBatchSize,
      readDelaySeconds,
    ]),
    [...world.entities.values()].map(({ schema, capabilities }) => [schema, capabilities]),
  ]);
}

interface KnownPlan {
  versionId: string;
  places: EndpointFields[];
  key: string;
  /** Of what it was made of; null where that is not known. */
  mark: string | null;
  ready: CompiledPipeline;
  stored: World["stored"];
}

/** Milliseconds for which a connector counts as just read. */
const JUST_READ_MS = 1_000;

function justRead(stored: World["stored"]): CompiledPipeline["stored"] {
  const readAt = performance.now();
  return (connectorId) => (performance.now() - readAt < JUST_READ_MS ? stored.get(connectorId) : undefined);
}

/** Where ids of an entity's records are kept as references. */
async function referrersOf(needs: RunsDependencies, instanceId: Id<"instance">, apiName: string): Promise<Referrer[]> {
  const entities = await needs.schema.listEntities(instanceId);
  return entities.flatMap((entity) =>
    entity.fields
      .filter(
        ({ dataType, referenceTo, status }) =>
          dataType === "reference" && referenceTo === apiName && status === "ACTIVE",
      )
      .map(({ apiName: field, isMultiValueField }) => ({
        entityId: entity.id,
        apiName: entity.apiName,
        field,
        isList: isMultiValueField,
      })),
  );
}

/** Fields of the core by which records are looked for. */
function lookedUpIn({ sources, merge }: Plan): string[] {
  const rules = [...sources.flatMap(({ attach }) => attach), ...(merge ? [merge.match] : [])];
  return [...new Set(rules.flatMap(({ equalities }) => equalities).map(({ field }) => field))];
}

interface Preparing extends World {
  instanceId: Id<"instance">;
  pipelineId: Id<"entity">;
  version: PublishedVersion;
  entity: CoreEntity;
  /** Names of secret fields by entity, of entities that have any. */
  secretFieldsOf: ReadonlyMap<string, readonly string[]>;
}

const secretNamesOf = (entities: readonly CoreEntity[]): Preparing["secretFieldsOf"] =>
  new Map(
    entities
      .map(({ apiName, fields }) => [apiName, fields.filter(isSecretField).map((field) => field.apiName)] as const)
      .filter(([, names]) => names.length > 0),
  );

async function prepare(
  deps: Pick<Deps, "dataPool" | "secrets">,
  needs: RunsDependencies,
  schedule: ScheduleStore,
  { instanceId, pipelineId, version, entity, secretFieldsOf, connectors, entities, stored }: Preparing,
  observe?: ObserveNode,
): Promise<CompiledPipeline> {
  const fieldGraphs = fieldGraphsOf(version);
  const { entityNumber, places } = await schedule.settleIn(
    instanceId,
    pipelineId,
    placesOf(version.graph, fieldGraphs),
  );
  const otherIds = await idFieldChanged(schedule, instanceId, { places, connectors, entities });
  if (otherIds !== null) throw new PipelineNotRunnable(otherIds);
  const facts = places.map((place) => factsOf(place, { connectors, entities }));
  const fields = entity.fields.filter(({ status }) => status === "ACTIVE");
  const plan = compilePipeline(version.graph, {
    pipelineId,
    versionId: version.versionId,
    versionNumber: version.number,
    pipelineName: entity.displayName,
    instanceName: await needs.nameInstance(instanceId),
    timeZone: "UTC",
    coreFields: fields,
    places: facts,
    fieldGraphs,
    secretFieldsOf,
    ...(observe ? { observe } : {}),
    ...(version.mergeConfig ? { mergePolicy: version.mergeConfig } : {}),
    remapped: await needs.pipelines.remappedFields(instanceId, pipelineId),
  });
  const table = { apiName: entity.apiName, fields };
  const lookedUp = lookedUpIn(plan);
  await prepareInstance(deps.dataPool, instanceId, { entity: table, lookedUp }).catch((error: unknown) => {
    throw error instanceof UnstorableValue ? new PipelineNotRunnable(error.message) : error;
  });
  const secrets = pipelineSecrets(version, entity, facts);
  const seals = pipelineSeals(deps.secrets, instanceId, entity, secrets);
  const hasSecrets = fields.some(isSecretField) || places.some(({ id }) => secrets.hasSecretsAt(id));
  const referrers = (): Promise<Referrer[]> => referrersOf(needs, instanceId, entity.apiName);
  const scope = { instanceId, pipelineId, entityNumber, entity: table, referrers };
  return {
    plan,
    graph: version.graph,
    entity,
    entityNumber,
    publishedAt: version.publishedAt,
    connectors,
    entities: new Map(
      places
        .filter((place) => !isActionsEndpoint(place))
        .map(({ id, connectorId, entity: name }) => [id, entities.get(`${connectorId}/${name}`)!]),
    ),
    secrets,
    storage: hasSecrets ? sealedStorage(deps, scope, seals) : runStorage(deps.dataPool, scope),
    seals,
    stored: justRead(stored),
  };
}
