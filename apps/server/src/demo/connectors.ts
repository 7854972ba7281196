/** The demo's connectors: created on the first start, pointed at the systems' present addresses on every start. */
import type { Id } from "@accord/contracts";
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import type { Values } from "@accord/contracts/data/values";
import { setTimeout as pause } from "node:timers/promises";
import type { Actor } from "../platform/ctx.ts";
import type { ConnectorsModule } from "../modules/connections/connectors/index.ts";
import type { BillingAddress } from "./billing.ts";
import { DEMO_FOLDER } from "./files.ts";
import type { DemoSystems } from "./systems.ts";

export interface DemoConnectors {
  billing: Id<"connector">;
  crm: Id<"connector">;
  flights: Id<"connector">;
}

interface Wanted {
  name: string;
  typeId: string;
  config: Values;
  authType: string;
  credentials: Record<string, string>;
}

const DEMO_CONNECTORS = ["billing", "crm", "flights"] as const satisfies readonly (keyof DemoConnectors)[];
const ACTIVATION_TIMEOUT_MS = 60_000;

/** Which of them earlier starts made: nothing is made twice, so that what somebody deleted stays deleted. */
export interface MadeConnectors {
  wasMade(key: keyof DemoConnectors): boolean;
  made(key: keyof DemoConnectors): void;
}

/** Gives the connectors that are there the present addresses of the systems that run. */
export async function repointDemoConnectors(
  { useCases }: Pick<ConnectorsModule, "useCases">,
  instanceId: Id<"instance">,
  systems: DemoSystems,
): Promise<void> {
  const existing = await idsByName(useCases, instanceId);
  for (const wanted of Object.values(wantedConnectors(systems))) {
    const known = existing.get(wanted.name);
    if (known) await repoint(useCases, instanceId, known, wanted);
  }
}

const idsByName = async (
  useCases: ConnectorsModule["useCases"],
  at: Id<"instance">,
): Promise<Map<string, Id<"connector">>> => new Map((await useCases.list(at)).map(({ name, id }) => [name, id]));

/**
 * Makes the connectors of the systems that run where they are missing by name, activates them and waits until their
 * schemas are known.
 */
export async function ensureDemoConnectors(
  { useCases }: Pick<ConnectorsModule, "useCases">,
  at: { instanceId: Id<"instance">; actor: Actor },
  systems: DemoSystems,
  earlier: MadeConnectors,
): Promise<Partial<DemoConnectors>> {
  const existing = await idsByName(useCases, at.instanceId);
  const ids: Partial<DemoConnectors> = {};
  const fresh: (keyof DemoConnectors)[] = [];
  const everyWanted = wantedConnectors(systems);
  for (const key of DEMO_CONNECTORS) {
    const wanted = everyWanted[key];
    if (!wanted) continue;
    const known = existing.get(wanted.name);
    if (known) ids[key] = known;
    else if (!earlier.wasMade(key)) {
      const made = await useCases.create(at, wanted);
      await useCases.activate(at.instanceId, made.id);
      ids[key] = made.id;
    }
    if (ids[key] && !earlier.wasMade(key)) fresh.push(key);
  }
  for (const key of fresh) {
    const made = ids[key];
    if (made) await untilActive(useCases, at.instanceId, made);
    earlier.made(key);
  }
  return ids;
}

/** Ports may be others after a restart; what a person configured besides stays. */
async function repoint(
  useCases: ConnectorsModule["useCases"],
  at: Id<"instance">,
  id: Id<"connector">,
  wanted: Wanted,
): Promise<void> {
  const detail = await useCases.detail(at, id);
  const address = ["host", "port", "baseUrl"].filter((name) => name in wanted.config);
  if (address.every((name) => detail.config[name] === wanted.config[name])) return;
  if (detail.schemaRefreshStatus === "PROCESSING") return;
  const config = {
    ...detail.config,
    ...Object.fromEntries(address.map((name) => [name, wanted.config[name] ?? null])),
  };
  await useCases.update(at, id, { version: detail.version, config, credentials: wanted.credentials });
}

async function untilActive(
  useCases: ConnectorsModule["useCases"],
  at: Id<"instance">,
  id: Id<"connector">,
): Promise<void> {
  for (let waited = 0; waited < ACTIVATION_TIMEOUT_MS; waited += 100) {
    const { status, errorMessage } = await useCases.detail(at, id);
    if (status === "ACTIVE") return;
    if (status === "ERROR") throw new Error(`A connector of the demo could not be activated: ${errorMessage}`);
    await pause(100);
  }
  throw new Error("A connector of the demo did not become active in time.");
}

/** Of the systems that run. */
function wantedConnectors({ billing, crm }: DemoSystems): Partial<Record<keyof DemoConnectors, Wanted>> {
  return {
    ...(billing ? { billing: wantedBilling(billing) } : {}),
    ...(crm ? { crm: wantedCrm(crm) } : {}),
    flights: {
      name: "Flights",
      typeId: "files",
      config: { folder: DEMO_FOLDER },
      authType: "none",
      credentials: {},
    },
  };
}

const wantedBilling = ({ host, port, database, user, password }: BillingAddress): Wanted => ({
  name: "Billing",
  typeId: "postgres",
  config: { host, port, database, schemas: "public", encryption: "none", listen: true },
  authType: "userPassword",
  credentials: { username: user, password },
});

const wantedCrm = ({ url, apiKey }: NonNullable<DemoSystems["crm"]>): Wanted => ({
  name: "Harbor CRM",
  typeId: "http",
  config: {
    baseUrl: `${url}/api`,
    checkPath: "/companies?size=1",
    errorSelector: "error.message",
    apiKeyName: "X-Api-Key",
    // The same JSON a person's form would have sent.
    entities: [JSON.parse(JSON.stringify(COMPANIES)) as Values],
  },
  authType: "apiKey",
  credentials: { apiKey },
});

const madeThere = { updateable: false, initializable: false };

const COMPANIES: HttpEntityInput = {
  apiName: "companies",
  displayName: "Company",
  idField: "id",
  watermarkField: "updated_at",
  deletedField: "deleted",
  fields: [
    { apiName: "id", displayName: "ID", ...madeThere, nillable: false },
    { apiName: "name", displayName: "Name", nillable: false, length: 300 },
    { apiName: "domain", displayName: "Domain" },
    { apiName: "vat_number", displayName: "VAT number" },
    { apiName: "industry", displayName: "Industry" },
    { apiName: "employees", displayName: "Employees", dataType: "integer" },
    { apiName: "annual_revenue", displayName: "Annual revenue", dataType: "decimal" },
    {
      apiName: "stage",
      displayName: "Stage",
      dataType: "picklist",
      picklist: [
        { id: "prospect", label: "Prospect" },
        { id: "customer", label: "Customer" },
        { id: "former", label: "Former customer" },
      ],
    },
    { apiName: "phone", displayName: "Phone" },
    { apiName: "email", displayName: "E-mail" },
    { apiName: "street", displayName: "Street" },
    { apiName: "postal_code", displayName: "Postal code" },
    { apiName: "city", displayName: "City" },
    { apiName: "country", displayName: "Country" },
    { apiName: "owner", displayName: "Owner" },
    { apiName: "deleted", displayName: "Deleted", dataType: "boolean", ...madeThere },
    { apiName: "created_at", displayName: "Created at", dataType: "datetime", ...madeThere, isCreatedAtField: true },
    { apiName: "updated_at", displayName: "Updated at", dataType: "datetime", ...madeThere },
  ],
  list: {
    path: "/companies",
    recordSelector: "companies",
    paging: { kind: "cursor", cursorSelector: "paging.next", cursorParam: "cursor", sizeParam: "size", size: 1000 },
    watermark: { param: "updated_after", overlapSeconds: 5 },
  },
  getById: { path: "/companies/{{id}}" },
  lookup: { path: "/companies?domain={{value}}", recordSelector: "companies", field: "domain" },
  create: { method: "POST", path: "/companies", idempotencyHeader: "Idempotency-Key" },
  update: { method: "PATCH", path: "/companies/{{id}}" },
  delete: { method: "DELETE", path: "/companies/{{id}}" },
};
