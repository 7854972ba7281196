/** The pipeline that simulations run: two or three systems kept in agreement about contacts, matched by e-mail. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import { EntitySchema } from "@accord/contracts/data/schema";
import { Graph } from "@accord/contracts/sync/graph";
import type { Authority } from "@accord/contracts/sync/matching";
import { compilePipeline } from "../run/compile.ts";
import type { PlaceFacts } from "../run/pipeline-facts.ts";
import { placesOf } from "../run/places.ts";
import type { Plan } from "../run/plan.ts";
import type { FakeSystem } from "./fake-system.ts";

/** Fields that people edit; `email` identifies a contact and never changes. */
export const EDITED_FIELDS = ["name", "phone", "note"] as const;
const FIELDS = ["email", ...EDITED_FIELDS];
const ENTITY = "contact";

export const contactSchema: EntitySchema = EntitySchema.parse({
  apiName: ENTITY,
  displayName: "Contact",
  fields: [
    { apiName: "id", displayName: "Id", isIdField: true },
    ...FIELDS.map((apiName) => ({ apiName, displayName: apiName })),
  ],
});
export const contactFields: readonly FieldSchema[] = contactSchema.fields.filter(({ isIdField }) => !isIdField);

export type { Authority };

/** A system of the scenario: its connector's id, and whether it can be asked before something is created there. */
export interface ScenarioSystem {
  name: string;
  traits: { canLookup: boolean };
}

/** In what a later version differs from the first. */
export interface GraphChanges {
  /** Added to each attach rule: the road is another one, what it does is the same. */
  road?: { note: string };
}

/** Every system is source and destination, matched by e-mail. */
export function contactGraph(
  systems: readonly ScenarioSystem[],
  authority: Authority,
  changes: GraphChanges = {},
): Graph {
  const fieldMappings = FIELDS.map((field) => ({ connectorField: field, coreField: field }));
  const at = (system: ScenarioSystem): object => ({
    connectorId: system.name,
    entityDefinition: ENTITY,
    fieldMappings,
  });
  const attachPredicate = {
    type: "condition",
    left: { kind: "field", field: "email" },
    operator: "equals",
    right: [{ kind: "token", token: "previous.values.email" }],
  };
  const ranking = systems.map((system) => `source-${system.name}`);
  return Graph.parse({
    nodes: [
      {
        id: "core-node-000",
        nodeType: "CORE_ENTITY",
        configuration: { authority, ranking, rejectEmptyValues: true, deduplicate: false },
      },
      ...systems.flatMap((system) => [
        {
          id: `source-${system.name}`,
          label: `from ${system.name}`,
          nodeType: "ENTITY_SOURCE",
          configuration: at(system),
        },
        {
          id: `attach-${system.name}`,
          label: `match ${system.name}`,
          nodeType: "FUNCTION",
          apiName: "advancedAttachRecord",
          configuration: { attachPredicate, ...changes.road },
        },
        {
          id: `sink-${system.name}`,
          label: `to ${system.name}`,
          nodeType: "ENTITY_SINK",
          configuration: { ...at(system), delete: true, ...(system.traits.canLookup ? { matchOn: "email" } : {}) },
        },
      ]),
    ],
    edges: systems.flatMap((system) => [
      edge(`source-${system.name}`, `attach-${system.name}`),
      edge(`attach-${system.name}`, "core-node-000"),
      edge("core-node-000", `sink-${system.name}`),
    ]),
  });
}

/** Place numbers follow the order of the systems, from 1. */
export function planFor(
  systems: readonly FakeSystem[],
  authority: Authority,
  version = 1,
  changes: GraphChanges = {},
): Plan {
  const graph = contactGraph(systems, authority, changes);
  const places = placesOf(graph).map((need, index): PlaceFacts => {
    const traits = systems.find(({ name }) => name === need.connectorId)!.traits;
    return {
      ...need,
      id: index + 1,
      connectorName: need.connectorId,
      schema: contactSchema,
      writeBatchSize: 3,
      readDelayMs: traits.lagMs + 1,
      idempotentCreate: traits.idempotentCreate,
      canLookup: traits.canLookup,
    };
  });
  return compilePipeline(graph, {
    pipelineId: "pipeline",
    versionId: `version-${version}`,
    versionNumber: version,
    pipelineName: "Contacts",
    instanceName: "Simulation",
    timeZone: "UTC",
    coreFields: contactFields,
    places,
  });
}

const edge = (from: string, to: string): object => ({
  id: `${from}-${to}`,
  source: { nodeId: from },
  destination: { nodeId: to },
});
