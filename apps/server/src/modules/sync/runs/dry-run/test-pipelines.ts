/** Compiles any version of a pipeline, a draft as well, for test runs: nothing is numbered, prepared or kept in storage. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { isSecretField } from "@accord/expressions";
import { compilePipeline, isActionsEndpoint, type ObserveNode, placesOf, type Resolved } from "@accord/sync-engine/run";
import type { PublishedVersion } from "../../pipelines/index.ts";
import type { DryPipeline } from "./dry-run.ts";
import { factsOf, worldOf } from "../worker/pipeline-endpoints.ts";
import { fieldGraphsOf, pipelineSecrets } from "../secrets/pipeline-secrets.ts";
import type { CompiledPipeline, RunsDependencies } from "../worker/plans.ts";

export type TestPipeline = DryPipeline &
  Pick<CompiledPipeline, "graph" | "entity" | "connectors" | "entities" | "secrets"> & {
    /** A field of the core or of a system is secret. */
    hasSecrets: boolean;
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
  match: async () => [],
  findHolders: async () => [],
  findDuplicates: async () => ({ records: [], places: new Map(), separated: [] }),
};

/** Throws `PipelineNotRunnable` when a connector or one of its entities is gone. */
export async function compileTest(
  needs: Pick<RunsDependencies, "connectors" | "schema" | "nameInstance">,
  instanceId: Id<"instance">,
  { version, entity }: { version: PublishedVersion; entity: CoreEntity },
  observe: ObserveNode,
): Promise<TestPipeline> {
  const fieldGraphs = fieldGraphsOf(version);
  const places = placesOf(version.graph, fieldGraphs).map((place, index) => ({ ...place, id: index + 1 }));
  const outside = places.filter((place) => !isActionsEndpoint(place));
  const world = worldOf(outside, await needs.connectors.findPlaces(instanceId, outside));
  const facts = places.map((place) => factsOf(place, world));
  const coreFields = entity.fields.filter(({ status }) => status === "ACTIVE");
  const entities = await needs.schema.listEntities(instanceId);
  const secretFieldsOf = new Map(
    [...entities, entity].map(({ apiName, fields }) => [
      apiName,
      fields.filter(isSecretField).map((field) => field.apiName),
    ]),
  );
  const plan = compilePipeline(version.graph, {
    pipelineId: entity.id,
    versionId: version.versionId,
    versionNumber: version.number,
    pipelineName: entity.displayName,
    instanceName: await needs.nameInstance(instanceId),
    timeZone: "UTC",
    coreFields,
    places: facts,
    fieldGraphs,
    secretFieldsOf,
    observe,
    ...(version.mergeConfig ? { mergePolicy: version.mergeConfig } : {}),
  });
  const secrets = pipelineSecrets(version, entity, facts);
  return {
    plan,
    storage: EMPTY_STORAGE,
    graph: version.graph,
    entity,
    connectors: world.connectors,
    entities: new Map(
      outside.flatMap(({ id, connectorId, entity: name }) => {
        const found = world.entities.get(`${connectorId}/${name}`);
        return found ? [[id, found] as const] : [];
      }),
    ),
    secrets,
    hasSecrets: coreFields.some(isSecretField) || outside.some(({ id }) => secrets.hasSecretsAt(id)),
  };
}
