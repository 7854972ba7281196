/** Small graphs for the tests of the graph rules. */
import { FieldSchema } from "@accord/contracts/data/schema";
import { Graph } from "@accord/contracts/sync/graph";
import type { GraphCatalogue } from "./validation/catalogue.ts";

type NodeInput = { id: string } & Record<string, unknown>;

export const CRM = "c".repeat(24);
export const BILLING = "b".repeat(24);

export const source = (id: string, connectorId = CRM): NodeInput => ({
  id,
  label: id,
  nodeType: "ENTITY_SOURCE",
  configuration: {
    connectorId,
    entityDefinition: "company",
    fieldMappings: [{ connectorField: "name", coreField: "Name" }],
  },
});
export const sink = (id: string, connectorId = BILLING): NodeInput => ({
  ...source(id, connectorId),
  nodeType: "ENTITY_SINK",
});
export const core = (id = "core"): NodeInput => ({ id, label: "Account", nodeType: "CORE_ENTITY" });
export const fn = (id: string, apiName = "upperCase", configuration = {}): NodeInput => ({
  id,
  apiName,
  label: id,
  nodeType: "FUNCTION",
  configuration,
});

/** A graph from nodes and edges written `a>b`, or `a>b:true` with an edge type. */
export function graphOf(nodes: NodeInput[], edges: string[] = [], groups: { id: string; name: string }[] = []): Graph {
  return Graph.parse({
    nodes: nodes.map((node, index) => ({ location: { x: index * 200, y: 0 }, ...node })),
    edges: edges.map((text, index) => {
      const [ends = "", edgeType = "default"] = text.split(":");
      const [from = "", to = ""] = ends.split(">");
      return {
        id: `edge-${String(index).padStart(12, "0")}`,
        source: { nodeId: from },
        destination: { nodeId: to },
        edgeType,
      };
    }),
    groups,
  });
}

const field = (apiName: string, change: Partial<FieldSchema> = {}): FieldSchema =>
  FieldSchema.parse({ apiName, displayName: apiName, ...change });

export const catalogue: GraphCatalogue = {
  scope: "entity",
  coreEntity: {
    apiName: "Account",
    displayName: "Account",
    fields: [field("Name"), field("Phone"), field("Employees", { dataType: "integer" })],
  },
  functionFacts: (name) => {
    const facts = {
      levels: ["entity"] as const,
      sourceSideOnly: false,
      inputs: [],
      edgeTypes: ["default"],
      check: () => [],
    };
    if (name === "predicate") {
      const inputs = [{ name: "condition", label: "Condition", datatype: "predicate", required: true }];
      return { ...facts, label: "Decision", inputs, edgeTypes: ["true", "false"] };
    }
    if (name === "advancedAttachRecord") return { ...facts, label: "Attach record", sourceSideOnly: true };
    return ["upperCase", "forEach", "endLoop", "case", "caseBranch"].includes(name)
      ? { ...facts, label: name, edgeTypes: null }
      : undefined;
  },
  connectorEntity: (connectorId, entity) =>
    connectorId === CRM || connectorId === BILLING
      ? {
          connectorName: connectorId === CRM ? "CRM" : "Billing",
          status: "ACTIVE",
          entity:
            entity === "company"
              ? {
                  apiName: "company",
                  displayName: "Company",
                  custom: false,
                  readOnly: false,
                  child: false,
                  fields: [
                    field("id", { isIdField: true }),
                    field("name"),
                    field("created", { updateable: false, initializable: false }),
                  ],
                }
              : null,
          canCreate: true,
          canUpdate: true,
          canDelete: connectorId === CRM,
          createsOnce: true,
          hasId: true,
          readsChanges: true,
        }
      : undefined,
  customActions: null,
  unknownTokens: () => [],
};
