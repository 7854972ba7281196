/** The pipeline that simulations run: two or three systems kept in agreement about contacts, matched by e-mail. */
import { EntitySchema, type FieldSchema } from "@accord/contracts/data/schema";
import { Graph } from "@accord/contracts/sync/graph";
import type { Authority } from "@accord/contracts/sync/matching";
import { compilePipeline, isActionsEndpoint, placesOf, type EndpointSchema, type Plan } from "@accord/sync-engine/run";
import { onSidePath, ACTION_FIELDS, onDeadEnd, onPath, onSinkPath } from "./action-nodes.ts";
import type { FakeSystem } from "../systems/fake-system.ts";
import { EDITED_FIELDS, REFERENCE_FIELD, TAG_FIELD } from "./scenario-fields.ts";
import type { Duplicates, Scenario } from "./scenario.ts";
import { CHANGING_FIELD } from "../systems/type-changes.ts";
import { LIST_FIELD, typedFields } from "../systems/typed-values.ts";

export { EDITED_FIELDS, REFERENCE_FIELD };
const FIELDS = ["email", ...EDITED_FIELDS];
const ENTITY = "contact";

function schemaWith(fields: readonly { apiName: string }[]): EntitySchema {
  const own = fields.map((field) => field.apiName);
  const all = FIELDS.filter((apiName) => !own.includes(apiName)).map((apiName): object => ({
    apiName,
    displayName: apiName,
  }));
  const id = { apiName: "id", displayName: "Id", isIdField: true };
  return EntitySchema.parse({ apiName: ENTITY, displayName: "Contact", fields: [id, ...all, ...fields] });
}

export const bossField = {
  apiName: REFERENCE_FIELD,
  displayName: REFERENCE_FIELD,
  dataType: "reference",
  referenceTo: ENTITY,
};

export const contactSchema: EntitySchema = schemaWith([]);
const familySchema = schemaWith([bossField]);
const actionFields = ACTION_FIELDS.map((apiName) => ({ apiName, displayName: apiName }));

/** What the scenario's entity looks like in a scenario, here and in each system. */
const schemaOf = (scenario: GraphChanges["scenario"]): EntitySchema => {
  if (scenario?.types)
    return schemaWith(typedFields(scenario.types).map((field) => ({ displayName: field.apiName, ...field })));
  if (!scenario?.actionOptions) return scenario?.hasReferences ? familySchema : contactSchema;
  return schemaWith([...(scenario.hasReferences ? [bossField] : []), ...actionFields]);
};
const withNumbers = (schema: EntitySchema): EntitySchema => ({
  ...schema,
  fields: schema.fields.map((field) =>
    field.apiName === CHANGING_FIELD ? { ...field, dataType: "double" as const } : field,
  ),
});
const withoutId = ({ fields }: EntitySchema): FieldSchema[] => fields.filter(({ isIdField }) => !isIdField);
export const contactFields: readonly FieldSchema[] = withoutId(contactSchema);
export const familyFields: readonly FieldSchema[] = withoutId(familySchema);

export type { Authority };

/** A system of the scenario: its connector's id, and whether it can be asked before something is created there. */
export interface ScenarioSystem {
  name: string;
  traits: { canLookup: boolean };
}

/** In what a pipeline differs from the plainest one. */
export interface GraphChanges {
  /** Added to each attach rule: the path is another one, what it does is the same. */
  path?: { note: string };
  scenario?: Pick<
    Scenario,
    "duplicates" | "hasReferences" | "readsSinglePages" | "noDeleteSystems" | "actionOptions" | "types"
  >;
  /** Systems that are only written, by name. */
  writeOnly?: readonly string[];
  /** Blanks replace values. */
  acceptsBlanks?: boolean;
  /** The system whose schema says that the column of changing type holds numbers. */
  numbersIn?: string;
}

const byEmail = {
  type: "condition",
  left: { kind: "field", field: "email" },
  operator: "equals",
  right: [{ kind: "token", token: "previous.values.email" }],
};

const mergeRules = ({ reportOnly, most, winner }: Duplicates): object => ({
  deduplicate: true,
  merge: { reportOnly, maxDuplicates: most, match: byEmail, winner: [{ rule: winner }] },
});

/** Every system is source and destination, matched by e-mail. */
export function contactGraph(
  systems: readonly ScenarioSystem[],
  authority: Authority,
  { path, scenario, writeOnly = [], acceptsBlanks = false }: GraphChanges = {},
): Graph {
  const fields = [
    ...FIELDS,
    ...(scenario?.hasReferences ? [REFERENCE_FIELD] : []),
    ...(scenario?.types ? [LIST_FIELD] : []),
  ];
  const fieldMappings = fields.map((field) => ({ connectorField: field, coreField: field }));
  const at = (system: ScenarioSystem): object => ({
    connectorId: system.name,
    entityDefinition: ENTITY,
    fieldMappings,
  });
  const sinkOf = (system: ScenarioSystem): object => {
    const keeper = scenario?.noDeleteSystems.find((candidate) => systems[candidate.system] === system);
    const { fieldMappings: both, ...place } = { ...at(system), fieldMappings };
    const tag = { connectorField: TAG_FIELD, coreField: TAG_FIELD };
    return {
      ...place,
      fieldMappings: scenario?.actionOptions ? [...both, tag] : both,
      delete: !keeper && scenario?.duplicates?.deletesLosers !== false,
      recreate: keeper?.recreates === true,
      ...(system.traits.canLookup ? { matchOn: "email" } : {}),
    };
  };
  const sources = systems.filter(({ name }) => !writeOnly.includes(name));
  const ranking = sources.map((system) => `source-${system.name}`);
  const mergeBatch = scenario?.duplicates ? mergeRules(scenario.duplicates) : { deduplicate: false };
  const single = scenario?.readsSinglePages ? { readMode: "single" } : {};
  const actionOptions = scenario?.actionOptions ?? null;
  const way = ({ name }: ScenarioSystem): string[] =>
    [`source-${name}`, `attach-${name}`, ...(actionOptions ? onPath(name, actionOptions) : []).map(idOf), CORE].map(
      idOf,
    );
  const out = actionOptions ? [CORE, "post"] : [CORE];
  return Graph.parse({
    nodes: [
      {
        id: CORE,
        nodeType: "CORE_ENTITY",
        configuration: { authority, ranking, rejectEmptyValues: !acceptsBlanks, ...mergeBatch },
      },
      ...sources.flatMap((system) => [
        {
          id: `source-${system.name}`,
          label: `from ${system.name}`,
          nodeType: "ENTITY_SOURCE",
          configuration: { ...at(system), ...single },
        },
        {
          id: `attach-${system.name}`,
          label: `match ${system.name}`,
          nodeType: "FUNCTION",
          apiName: "advancedAttachRecord",
          configuration: { attachPredicate: byEmail, ...path },
        },
        ...(actionOptions ? [...onPath(system.name, actionOptions), onSidePath(system.name, actionOptions)] : []),
      ]),
      ...(actionOptions ? [onSinkPath(actionOptions), onDeadEnd(actionOptions)] : []),
      ...systems.map((system) => ({
        id: `sink-${system.name}`,
        label: `to ${system.name}`,
        nodeType: "ENTITY_SINK",
        configuration: sinkOf(system),
      })),
    ],
    edges: [
      ...sources.flatMap((system) => edgesAlong(way(system))),
      ...(actionOptions ? sources.map(({ name }) => edge(`source-${name}`, `note-${name}`)) : []),
      ...(actionOptions ? [...edgesAlong(out), edge(CORE, "tell")] : []),
      ...systems.map(({ name }) => edge(out.at(-1) ?? CORE, `sink-${name}`)),
    ],
  });
}

const CORE = "core-node-000";
const idOf = (node: string | { id: string }): string => (typeof node === "string" ? node : node.id);
const edgesAlong = (ids: readonly string[]): object[] => ids.slice(1).map((id, index) => edge(ids[index] ?? "", id));

/** Nothing is read or written at the place of loose actions. */
const ACTIONS_FACTS = {
  connectorName: "Actions",
  schema: EntitySchema.parse({ apiName: "actions", displayName: "Actions", fields: [] }),
  writeBatchSize: 3,
  readDelayMs: 0,
  idempotentCreate: true,
  canLookup: false,
  canGetById: false,
  listsAll: false,
};

/** Place numbers follow the order of the systems, from 1. */
export function planFor(
  systems: readonly FakeSystem[],
  authority: Authority,
  version = 1,
  changes: GraphChanges = {},
): Plan {
  const graph = contactGraph(systems, authority, changes);
  const schema = schemaOf(changes.scenario);
  const places = placesOf(graph).flatMap((need): EndpointSchema[] => {
    if (isActionsEndpoint(need)) return [{ ...ACTIONS_FACTS, ...need, id: systems.length + 1 }];
    const index = systems.findIndex(({ name }) => name === need.connectorId);
    const traits = systems[index]?.traits;
    if (!traits) return [];
    return [
      {
        ...need,
        id: index + 1,
        connectorName: need.connectorId,
        schema: changes.numbersIn === need.connectorId ? withNumbers(schema) : schema,
        writeBatchSize: 3,
        readDelayMs: traits.lagMs + 1,
        idempotentCreate: traits.idempotentCreate,
        canLookup: traits.canLookup,
        canGetById: true,
        listsAll: systems[index]?.listsAll === true,
      },
    ];
  });
  return compilePipeline(graph, {
    pipelineId: "pipeline",
    versionId: `version-${version}`,
    versionNumber: version,
    pipelineName: "Contacts",
    instanceName: "Simulation",
    timeZone: "UTC",
    coreFields: withoutId(schema),
    places,
  });
}

const edge = (from: string, to: string): object => ({
  id: `${from}-${to}`,
  source: { nodeId: from },
  destination: { nodeId: to },
});
