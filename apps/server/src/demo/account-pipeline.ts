/** The demo's Account pipeline: Billing and the CRM kept in agreement, both ways. */
import { Graph } from "@accord/contracts/sync/graph";
import type { DemoConnectors } from "./connectors.ts";

export const DEMO_VERSION = {
  versionName: "Billing and CRM agree",
  summary: "Companies are matched by tax id or domain; the most recent change wins; prospects stay in the CRM.",
};

const equals = (field: string) => ({
  type: "condition",
  left: { kind: "field", field },
  operator: "equals",
  right: [{ kind: "field", field }],
});

/** Two records are one company when their tax ids or their domains are the same. */
const SAME_COMPANY = { type: "group", combinator: "or", children: [equals("taxId"), equals("website")] };

const SHARED = [
  ["name", "name"],
  ["vat_number", "taxId"],
  ["domain", "website"],
  ["email", "email"],
  ["phone", "phone"],
  ["street", "billingStreet"],
  ["postal_code", "billingPostalCode"],
  ["city", "billingCity"],
  ["country", "billingCountry"],
] as const;
const BILLING_ONLY = [
  ["customer_number", "accountNumber"],
  ["status", "status"],
  ["customer_since", "customerSince"],
] as const;
const CRM_ONLY = [
  ["industry", "industry"],
  ["employees", "employeeCount"],
  ["annual_revenue", "annualRevenue"],
] as const;

const rows = (...pairs: (readonly [string, string])[]) =>
  pairs.map(([connectorField, coreField]) => ({ connectorField, coreField }));

const at = (column: number, row: number) => ({ x: 40 + column * 244, y: 60 + row * 130 });

interface FunctionNode {
  id: string;
  apiName: string;
  label: string;
  displayName: string;
  description?: string;
  configuration: object;
  location: { x: number; y: number };
}
const functionNode = (node: FunctionNode) => ({ ...node, name: node.label, nodeType: "FUNCTION" });

const attach = (id: string, label: string, row: number) =>
  functionNode({
    id,
    apiName: "advancedAttachRecord",
    label,
    displayName: "Attach record",
    description: "The same tax id or the same domain means the same company.",
    configuration: { attachPredicate: SAME_COMPANY },
    location: at(3, row),
  });

function sources({ billing, crm }: Pick<DemoConnectors, "billing" | "crm">) {
  return [
    {
      id: "demo-billing-source",
      nodeType: "ENTITY_SOURCE",
      label: "Billing customers",
      connectorEntityName: "Customers",
      location: at(0, 0),
      configuration: {
        connectorId: billing,
        entityDefinition: "customers",
        scheduleSeconds: 5,
        fieldMappings: rows(...SHARED, ...BILLING_ONLY),
      },
    },
    {
      id: "demo-crm-source",
      nodeType: "ENTITY_SOURCE",
      label: "CRM companies",
      connectorEntityName: "Company",
      location: at(0, 1),
      configuration: {
        connectorId: crm,
        entityDefinition: "companies",
        scheduleSeconds: 3,
        fieldMappings: rows(...SHARED, ...CRM_ONLY),
      },
    },
  ];
}

/** Only what Billing knows as a customer is written back to it. */
const customerStage = functionNode({
  id: "demo-customer-stage",
  apiName: "predicate",
  label: "Is a customer",
  displayName: "Decision",
  description: "Prospects have no account number yet: they live in the CRM until Billing knows them.",
  configuration: {
    evaluatesToTrue: {
      type: "condition",
      left: { kind: "field", field: "accountNumber" },
      operator: "isNotBlank",
      right: [],
    },
  },
  location: at(5, 0),
});

function sinks({ billing, crm }: Pick<DemoConnectors, "billing" | "crm">) {
  return [
    {
      id: "demo-billing-sink",
      nodeType: "ENTITY_SINK",
      label: "Update Billing",
      connectorEntityName: "Customers",
      location: at(6, 0),
      configuration: {
        connectorId: billing,
        entityDefinition: "customers",
        fieldMappings: rows(...SHARED),
        create: false,
        update: true,
      },
    },
    {
      id: "demo-crm-sink",
      nodeType: "ENTITY_SINK",
      label: "Update CRM",
      connectorEntityName: "Company",
      location: at(6, 1),
      configuration: {
        connectorId: crm,
        entityDefinition: "companies",
        fieldMappings: rows(...SHARED),
        create: true,
        update: true,
        matchOn: "domain",
      },
    },
  ];
}

const WAYS = [
  ["demo-billing-source", "demo-billing-domain"],
  ["demo-billing-domain", "demo-billing-website"],
  ["demo-billing-website", "demo-billing-attach"],
  ["demo-billing-attach", "demo-core-account"],
  ["demo-crm-source", "demo-crm-named"],
  ["demo-crm-named", "demo-crm-attach"],
  ["demo-crm-attach", "demo-core-account"],
  ["demo-core-account", "demo-customer-stage"],
  ["demo-customer-stage", "demo-billing-sink", "true"],
  ["demo-core-account", "demo-crm-sink"],
] as const;

/** The graph of the demo pipeline over these connectors; valid as it is. */
export function accountPipeline(connectors: Pick<DemoConnectors, "billing" | "crm">): Graph {
  const nodes = [
    ...sources(connectors),
    functionNode({
      id: "demo-billing-domain",
      apiName: "extractDomain",
      label: "Domain of e-mail",
      displayName: "Extract domain",
      configuration: { value: "{{previous.values.email}}" },
      location: at(1, 0),
    }),
    functionNode({
      id: "demo-billing-website",
      apiName: "setValue",
      label: "Fill the website",
      displayName: "Set value",
      description: "Where Billing has no domain, the one of the e-mail address.",
      configuration: { target: "field", field: "website", value: "{{Value From Domain of e-mail}}", onlyIfEmpty: true },
      location: at(2, 0),
    }),
    attach("demo-billing-attach", "Match with Accord", 0),
    functionNode({
      id: "demo-crm-named",
      apiName: "filter",
      label: "Has a name",
      displayName: "Filter",
      configuration: {
        condition: { type: "condition", left: { kind: "field", field: "name" }, operator: "isNotBlank", right: [] },
      },
      location: at(1, 1),
    }),
    attach("demo-crm-attach", "Match with Billing", 1),
    {
      id: "demo-core-account",
      nodeType: "CORE_ENTITY",
      label: "Account",
      name: "Account",
      location: at(4, 0.5),
      configuration: {
        // A change made by hand in either system travels to the other.
        authority: "LATEST",
        rejectEmptyValues: true,
      },
    },
    customerStage,
    ...sinks(connectors),
  ];
  const edges = WAYS.map(([from, to, edgeType = "default"], index) => ({
    id: `demo-edge-${String(index + 1).padStart(4, "0")}`,
    source: { nodeId: from, anchor: 2 },
    destination: { nodeId: to, anchor: 0 },
    edgeType,
  }));
  return Graph.parse({ nodes, edges });
}
