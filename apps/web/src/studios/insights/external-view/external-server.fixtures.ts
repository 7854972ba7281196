/** A server with an external product, for tests of its screens. */
import { API_PREFIX, type Permission } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { EXTERNAL_FRAME_PATH } from "@accord/contracts/insights/external-view";
import { afterEach, beforeEach } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";

export const EVERYTHING: readonly Permission[] = [
  ...(["READ_DASHBOARD", "READ_INSIGHTS", "VIEW_DATACARD", "PREVIEW_DATACARD", "CREATE_DATASET"] as const),
  ...(["SERVICE_CREDENTIAL", "READ_FEATURES", "ENABLE_FEATURE", "DISABLE_FEATURE"] as const),
];

export interface ExternalServer {
  isActive: boolean;
  isConfigured: boolean;
  hasLists: boolean;
  mayConfigure: boolean;
  /** Why a call is refused, by its beginning: `GET /insights-provider/token`. */
  refusals: Record<string, { status: number; code: string; message: string; description?: string; errors?: object[] }>;
  /** Lists without anything in them. */
  isEmpty: boolean;
  isCut: boolean;
  /** Calls in order, with their query. */
  calls: string[];
  saved: Record<string, unknown>[];
  /** What differs in the settings that are stored. */
  stored: object;
  /** Calls that are never answered, by their beginning. */
  slow: string;
}

const item = (id: string, name: string, description = "") => ({
  ...{ id, name, description, updatedAt: "2026-05-01T10:00:00.000Z" },
});
const LISTS: Readonly<Record<string, object[]>> = {
  dashboards: [item("sales/emea", "Sales in EMEA", "Orders by country"), item("7", "Support")],
  datasets: [item("orders", "Orders", "One row an order")],
  datacards: [item("kpi-1", "Orders this month")],
};
const COLUMNS = [
  { name: "id", label: "Number", type: "integer" },
  { name: "country", label: "Country", type: "text" },
];

export const PRODUCT_ORIGIN = "https://bi.invalid";

export function storedSettings(change: object = {}) {
  return {
    settings: {
      ...{ name: "Lighthouse", address: `${PRODUCT_ORIGIN}/embed`, tokenIn: "query", tokenName: "token" },
      ...{ tokenSeconds: 300, audience: "", sendsPerson: false, listAddress: "", checksAccess: false },
      paths: {
        ...{ dashboard: "dashboards/{id}", dataset: "datasets/{id}" },
        ...{ datasetCopy: "datasets/{id}/copy", dataCard: "datacards/{id}" },
      },
    },
    ...{ hasSecret: true, issuer: "https://accord.example", instanceId: "a".repeat(24) },
    ...{ version: 1, updatedAt: "2026-05-01T10:00:00.000Z" },
    ...change,
  };
}

/** The page that holds the frame: tests have no server that answers it, and this is all that is in it. */
const framePage = (): string =>
  URL.createObjectURL(new Blob(["<!doctype html><title>Frame</title>"], { type: "text/html" }));

function serveFramePage(): () => void {
  const { setAttribute } = HTMLIFrameElement.prototype;
  HTMLIFrameElement.prototype.setAttribute = function (name, value) {
    setAttribute.call(this, name, value === `${API_PREFIX}${EXTERNAL_FRAME_PATH}` ? framePage() : value);
  };
  return () => void (HTMLIFrameElement.prototype.setAttribute = setAttribute);
}

/** For a test file: each test begins with a product that has everything. */
export function withExternalServer(use: (server: ExternalServer) => void): void {
  const network = globalThis.fetch;
  let stopServing = (): void => {};
  beforeEach(async () => {
    const server: ExternalServer = {
      ...{ isActive: true, isConfigured: true, hasLists: true, mayConfigure: true, isEmpty: false, isCut: false },
      ...{ refusals: {}, calls: [], saved: [], stored: {}, slow: "-" },
    };
    use(server);
    stopServing = serveFramePage();
    queryClient.clear();
    signInWith(EVERYTHING);
    await page.viewport(1280, 900);
    globalThis.fetch = async (input, init) => {
      const [, path] = String(input).split("/api/v1");
      if (path === undefined) return network(input, init);
      const call = `${init?.method ?? "GET"} ${path}`;
      server.calls.push(call);
      if (call.startsWith(server.slow)) return new Promise<Response>(() => {});
      const body: unknown = typeof init?.body === "string" ? JSON.parse(init.body) : {};
      return answer(server, call, body);
    };
  });
  afterEach(async () => {
    globalThis.fetch = network;
    stopServing();
    await page.viewport(414, 896);
  });
}

export function signInWith(permissions: readonly Permission[]): void {
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions, orgName: "Northwind" });
}

function answer(server: ExternalServer, call: string, body: unknown): Response {
  const refusal = Object.entries(server.refusals).find(([begin]) => call.startsWith(begin))?.[1];
  if (refusal) return Response.json(refusal, { status: refusal.status });
  const [name = ""] = call.split("?");
  const list = /^GET \/insights-provider\/(dashboards|datasets|datacards)$/.exec(name)?.[1];
  if (list !== undefined) return Response.json(listOf(server, list));
  switch (name) {
    case "GET /insights-provider": {
      const { isActive, isConfigured, hasLists, mayConfigure } = server;
      const status = isActive ? "active" : "inactive";
      return Response.json({ status, isConfigured, name: isConfigured ? "Lighthouse" : "", hasLists, mayConfigure });
    }
    case "GET /insights-provider/token":
      return Response.json(tokenFor(new URLSearchParams(call.split("?")[1]), server.calls.length));
    case "GET /insights-provider/datasets/orders":
      return Response.json({ ...item("orders", "Orders", "One row an order"), columns: COLUMNS, isCut: false });
    case "GET /insights-provider/datasets/orders/rows":
      return Response.json({
        columns: COLUMNS,
        rows: [
          ["1", "Norway"],
          ["2", null],
        ],
        isCut: server.isCut,
      });
    default:
      return settingsAnswer(server, name, body);
  }
}

function settingsAnswer(server: ExternalServer, name: string, body: unknown): Response {
  switch (name) {
    case "GET /features/InsightsProvider":
      return Response.json({ name: "InsightsProvider", enabled: server.isActive });
    case "POST /features/InsightsProvider/enable":
    case "POST /features/InsightsProvider/disable":
      server.isActive = name.endsWith("enable");
      return Response.json({ name: "InsightsProvider", enabled: server.isActive });
    case "GET /insights-provider/settings":
      return Response.json(
        server.isConfigured
          ? storedSettings(server.stored)
          : storedSettings({ settings: null, hasSecret: false, version: 0 }),
      );
    case "PUT /insights-provider/settings":
      server.saved.push(Object(body));
      server.isConfigured = true;
      return Response.json(storedSettings({ version: 2 }));
    case "DELETE /insights-provider/settings":
      server.isConfigured = false;
      return Response.json({});
    default:
      return Response.json({ code: "not_found", message: "Address not found", status: 404 }, { status: 404 });
  }
}

const listOf = ({ hasLists, isEmpty, isCut }: ExternalServer, list: string) => ({
  ...{ items: hasLists && !isEmpty ? LISTS[list] : [], isListed: hasLists, isCut },
});

function tokenFor(query: URLSearchParams, count: number) {
  const token = `token-${count}`;
  const path = `${query.get("view")}/${query.get("key") ?? ""}`;
  return { token, expiresAt: "2026-06-01T08:00:00.000Z", address: `${PRODUCT_ORIGIN}/embed/${path}?token=${token}` };
}
