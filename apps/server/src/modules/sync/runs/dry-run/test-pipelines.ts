/** Compiles any version of a pipeline, a draft as well, for test runs: nothing is numbered, prepared or kept in storage. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { GraphNode } from "@accord/contracts/sync/graph";
import { isSecretField } from "@accord/expressions";
import {
  compilePipeline,
  isActionsEndpoint,
  type ObserveNode,
  placesOf,
  type Plan,
  type Remapped,
  type Resolved,
} from "@accord/sync-engine/run";
import type { PublishedVersion } from "../../pipelines/index.ts";
import type { DryPipeline } from "./dry-run.ts";
import { factsOf, worldOf } from "../worker/pipeline-endpoints.ts";
import { fieldGraphsOf, pipelineSecrets } from "../secrets/pipeline-secrets.ts";
import type { CompiledPipeline, RunsDependencies } from "../worker/plans.ts";
import type { StoredState } from "./stored-state.ts";
import {
  entitiesOf,
  secretNames,
  spreadSecrets,
  type TestGraphs,
  type TestSecretNeeds,
  testSecrets,
} from "./test-secrets.ts";

export type TestNeeds = TestSecretNeeds & Pick<RunsDependencies, "nameInstance">;

export type TestPipeline = DryPipeline &
  Pick<CompiledPipeline, "graph" | "entity" | "connectors" | "entities" | "secrets"> & {
    /** A field of the core, of a system or of records that are looked up is secret. */
    hasSecrets: boolean;
    /** Fields whose values are not shown, wherever they are met. */
    secretNames: ReadonlySet<string>;
    /** Nodes whose results are made of secret values. */
    secretNodes: ReadonlySet<string>;
  };

/** Every record is new: nothing is attached, merged or found by a link. */
const EMPTY_STORAGE: DryPipeline["storage"] = {
  resolve: async (): Promise<Resolved> => ({
    absorbed: new Set(),
    links: new Map(),
    records: new Map(),
    unanswered: new Map(),
    otherPlaces: new Map(),
    quarantined: new Map(),
    references: new Map(),
  }),
  match: async () => ({ records: [], cut: [], isFull: false }),
  findHolders: async () => [],
  findDuplicates: async () => ({ records: [], places: new Map(), separated: [] }),
};

/**
 * Throws `PipelineNotRunnable` when a connector or one of its entities is gone.
 * @param tested `graphs`: other versions of the pipeline; what they move to or from a password is secret as well.
 * `stored`: what its records meet; without it each of them is new. `remapped`: see `CompileInput.remapped`.
 */
export async function compileTest(
  needs: TestNeeds,
  instanceId: Id<"instance">,
  tested: {
    version: PublishedVersion;
    entity: CoreEntity;
    graphs: readonly TestGraphs[];
    stored?: StoredState | undefined;
    remapped?: Remapped | undefined;
  },
  observe: ObserveNode,
): Promise<TestPipeline> {
  const { version, entity, graphs, stored, remapped } = tested;
  const fieldGraphs = fieldGraphsOf(version);
  const places = placesOf(version.graph, fieldGraphs).map(
    (place, index) => stored?.numbered(place, index) ?? { ...place, id: index + 1 },
  );
  const outside = places.filter((place) => !isActionsEndpoint(place));
  const world = worldOf(outside, await needs.connectors.findPlaces(instanceId, outside));
  const endpoints = places.map((place) => factsOf(place, world));
  const coreFields = entity.fields.filter(({ status }) => status === "ACTIVE");
  const secrets = await testSecrets(needs, instanceId, entity.id, [version, ...graphs]);
  const secretFieldsOf = secretsByEntity([...(await entitiesOf(needs, instanceId)), entity]);
  const facts = {
    pipelineId: entity.id,
    versionId: version.versionId,
    versionNumber: version.number,
    pipelineName: entity.displayName,
    instanceName: await needs.nameInstance(instanceId),
    timeZone: "UTC",
    coreFields,
    places: endpoints,
    fieldGraphs,
    secretFieldsOf,
    ...(version.mergeConfig ? { mergePolicy: version.mergeConfig } : {}),
    ...(remapped ? { remapped } : {}),
  };
  let hasSecrets = false;
  const secretNodes = new Set<string>();
  const compile = (): Plan => {
    const written: string[] = [];
    const noting: ObserveNode = (node, run, context) => {
      hasSecrets ||= context.secrets.names.size > 0;
      if (context.secrets.slots.has(context.slot) || isCodeWith(node, secretNames(secrets)))
        written.push(...fieldsNamed(node, coreFields));
      if (context.secrets.slots.has(context.slot)) secretNodes.add(node.id);
      return observe(node, run, context);
    };
    const plan = compilePipeline(version.graph, { ...facts, secretNames: secretNames(secrets), observe: noting });
    const more = written.filter((field) => !secrets.core.has(field));
    if (more.length === 0) return plan;
    // A field that a secret value is written into is secret from there on, and what is made of it.
    for (const field of more) secrets.core.add(field);
    spreadSecrets(secrets, [version, ...graphs]);
    return compile();
  };
  const plan = compile();
  const names = secretNames(secrets);
  return {
    plan,
    storage: stored?.storage(names) ?? EMPTY_STORAGE,
    graph: version.graph,
    entity,
    connectors: world.connectors,
    entities: new Map(
      outside.flatMap(({ id, connectorId, entity: name }) => {
        const found = world.entities.get(`${connectorId}/${name}`);
        return found ? [[id, found] as const] : [];
      }),
    ),
    secrets: withNames(pipelineSecrets(version, entity, endpoints), names),
    hasSecrets: hasSecrets || names.size > 0,
    secretNames: names,
    secretNodes,
  };
}

/** The same, and all of these names wherever they are met: a field keeps its name in texts and in records in flight. */
function withNames(secrets: CompiledPipeline["secrets"], names: ReadonlySet<string>): CompiledPipeline["secrets"] {
  return {
    core: secrets.core.and(names),
    at: (placeId) => secrets.at(placeId).and(names),
    hasSecretsAt: (placeId) => names.size > 0 || secrets.hasSecretsAt(placeId),
  };
}

function secretsByEntity(entities: readonly CoreEntity[]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { apiName, fields } of entities) {
    const secret = fields.filter(isSecretField).map((field) => field.apiName);
    names.set(apiName, [...new Set([...(names.get(apiName) ?? []), ...secret])]);
  }
  return names;
}

/** Code of one's own that names one of these fields. */
const isCodeWith = ({ apiName, configuration }: GraphNode, names: ReadonlySet<string>): boolean =>
  apiName === "customCode" && [...names].some((name) => String(configuration["script"]).includes(name));

/** Core fields that stand anywhere in a node's configuration: those it writes are among them. */
function fieldsNamed({ apiName: kind, configuration }: GraphNode, coreFields: readonly FieldSchema[]): string[] {
  const all = coreFields.map(({ apiName }) => apiName);
  if (kind === "customCode") return all.filter((name) => String(configuration["script"]).includes(name));
  const names = new Set(all);
  const within = (part: unknown): string[] => {
    if (typeof part === "string") return names.has(part) ? [part] : [];
    return typeof part === "object" && part !== null ? Object.values(part).flatMap(within) : [];
  };
  return within(configuration);
}
