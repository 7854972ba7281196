/** A server for tests of dashboards: published ones and drafts, and two cards whose numbers follow a variable. */
import { id, type Permission } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { CardConfiguration, type CardData } from "@accord/contracts/insights/cards";
import { Dashboard, type DashboardSummary } from "@accord/contracts/insights/dashboards";
import { Variable, type VariableValues } from "@accord/contracts/insights/variables";
import { keyOf, queryClient } from "../../../app/queries.ts";

const dashboardId = id("dashboard");
export const ids = {
  published: dashboardId.parse("a".repeat(24)),
  withDraft: dashboardId.parse("b".repeat(24)),
  draftOfIt: dashboardId.parse("c".repeat(24)),
  draft: dashboardId.parse("d".repeat(24)),
  example: dashboardId.parse("e".repeat(24)),
  deals: id("dataCard").parse("1".repeat(24)),
  offers: id("dataCard").parse("2".repeat(24)),
  dataset: id("dataset").parse("3".repeat(24)),
};
const NOW = "2026-06-01T08:00:00.000Z";

const placed = (cardId: string, x: number) => ({ id: cardId, layout: { i: cardId, x, y: 0, w: 4, h: 2 } });

function dashboard(which: string, displayName: string, more: Partial<Dashboard>): Dashboard {
  return Dashboard.parse({
    ...{ id: which, displayName, name: displayName.toLowerCase().replaceAll(" ", "_"), description: "", tags: [] },
    ...{ variables: [], version: 1, draftStatus: "APPROVED", draft: null, parentId: null },
    ...{ seeded: false, isExample: false, createdBy: "Ada", updatedAt: NOW },
    dataCards: [placed(ids.deals, 0), placed(ids.offers, 4)],
    ...more,
  });
}

const metric = CardConfiguration.parse({
  vizType: "METRIC",
  datasetId: ids.dataset,
  columns: [{ column: "amount", name: "amount", displayName: "Amount", displayFormat: "number", aggregate: "sum" }],
});

const listedCard = (cardId: string, displayName: string) => ({
  ...{ id: cardId, displayName, name: displayName.toLowerCase(), description: "", tags: [], vizType: "METRIC" },
  ...{ datasetId: ids.dataset, datasetName: "Deals", updatedAt: NOW, updatedBy: "Ada", createdBy: "Ada" },
  dashboards: [],
});

export interface DashboardServer {
  stored: Map<string, Dashboard>;
  /** Of both cards. */
  variables: Variable[];
  /** What was asked besides reading, in order, with the milliseconds of `performance.now()`. */
  writes: { call: string; body: Record<string, unknown>; at: number }[];
  /** As the network was before. */
  stop: () => void;
}

/** Starts it for somebody with the permissions; what was read before is forgotten. */
export function startDashboardServer(...permissions: readonly Permission[]): DashboardServer {
  const network = globalThis.fetch;
  const all = [
    dashboard(ids.published, "Sales", {}),
    dashboard(ids.withDraft, "Service", { draft: ids.draftOfIt }),
    dashboard(ids.draftOfIt, "Service", { draftStatus: "NEW", parentId: ids.withDraft }),
    dashboard(ids.draft, "Plans", { draftStatus: "NEW" }),
    dashboard(ids.example, "Example", { isExample: true }),
  ];
  const top = {
    ...{ apiName: "top", displayName: "Top", datatype: "integer" },
    variableDefaultValue: { datatype: "integer", defaultValue: 5, defaultValueType: "LITERAL" },
  };
  const server: DashboardServer = {
    stored: new Map(all.map((one) => [one.id, one])),
    variables: [Variable.parse(top)],
    writes: [],
    stop: () => void (globalThis.fetch = network),
  };
  actAs(...permissions);
  globalThis.fetch = async (input, init) => {
    const [, call] = String(input).split("/api/v1");
    if (call === undefined) return network(input, init);
    const body: Record<string, unknown> = typeof init?.body === "string" ? JSON.parse(init.body) : {};
    return answer(server, init?.method ?? "GET", call.split("?")[0] ?? "", body);
  };
  return server;
}

/** Somebody else, who may do other things. */
export function actAs(...permissions: readonly Permission[]): void {
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", orgName: "Org", permissions });
}

const STALE = { code: "stale_version", message: "Somebody else saved this meanwhile." };
const notFound = () => Response.json({ code: "not_found", message: "Not found" }, { status: 404 });

function answer(server: DashboardServer, method: string, path: string, body: Record<string, unknown>): Response {
  const isRead = method === "GET" || path.endsWith("/data") || path.endsWith("/visit");
  if (!isRead) server.writes.push({ call: `${method} ${path}`, body, at: performance.now() });
  if (path === "/datacards")
    return Response.json({ dataCards: [listedCard(ids.deals, "All deals"), listedCard(ids.offers, "Offers")] });
  if (path === "/datasets") {
    const by = { createdBy: "Ada", updatedBy: "Ada", cards: 2, sources: ["Deal"], tags: [], updatedAt: NOW };
    const about = { id: ids.dataset, displayName: "Deals", name: "deals", description: "" };
    return Response.json({ datasets: [{ ...about, ...by }], entities: [] });
  }
  if (path === "/dashboards/datacard-settings") return applySettings(server, body);
  const [, dashboardId = "", action = "", cardId = ""] =
    /^\/dashboards(?:\/(\w{24}))?(?:\/(\w+))?(?:\/(\w+))?/.exec(path) ?? [];
  if (dashboardId === "") return method === "POST" ? create(server, body) : list(server);
  const found = server.stored.get(dashboardId);
  if (!found) return notFound();
  if (action === "cards") return Response.json({ data: dataOf(server, found, cardId, body), unfiltered: [] });
  return actOn(server, found, `${method} ${action}`, body);
}

function list(server: DashboardServer): Response {
  const listed = [...server.stored.values()].filter(({ parentId }) => parentId === null);
  const dashboards = listed.map((one): DashboardSummary => {
    const { displayName, name, description, tags, draftStatus, draft, seeded, isExample, updatedAt } = one;
    return {
      ...{ id: one.id, displayName, name, description, tags, draftStatus, draft, seeded, isExample, updatedAt },
      ...{ cards: one.dataCards.length, layout: [], shares: 0, updatedBy: "Ada" },
    };
  });
  return Response.json({ dashboards, lastVisited: null, available: true });
}

function create(server: DashboardServer, body: Record<string, unknown>): Response {
  const made = dashboard("f".repeat(24), String(body["displayName"]), { draftStatus: "NEW", dataCards: [] });
  server.stored.set(made.id, made);
  return Response.json(made);
}

function actOn(server: DashboardServer, found: Dashboard, call: string, body: Record<string, unknown>): Response {
  const card = (cardId: string, displayName: string) => ({
    ...{ id: cardId, displayName, description: "", configuration: metric, variables: server.variables },
  });
  switch (call) {
    case "GET ": {
      const cards = [card(ids.deals, "All deals"), card(ids.offers, "Offers")];
      return Response.json({ dashboard: found, cards, unpublishedChanges: [], reverts: [] });
    }
    case "PUT ": {
      if (body["version"] !== found.version) return Response.json(STALE, { status: 409 });
      const changed = Dashboard.parse({ ...found, ...body, name: found.name, version: found.version + 1 });
      server.stored.set(found.id, changed);
      return Response.json(changed);
    }
    case "POST visit":
      return Response.json({});
    case "POST draft": {
      const draft = dashboard(ids.draftOfIt, found.displayName, { draftStatus: "NEW", parentId: found.id });
      server.stored.set(draft.id, draft);
      server.stored.set(found.id, { ...found, draft: draft.id });
      return Response.json(draft);
    }
    case "POST publish": {
      const published = { ...found, id: found.parentId ?? found.id, draftStatus: "APPROVED" as const, parentId: null };
      server.stored.delete(found.id);
      server.stored.set(published.id, { ...published, draft: null });
      return Response.json({ ...published, draft: null });
    }
    case "DELETE draft": {
      server.stored.delete(found.id);
      const parent = server.stored.get(found.parentId ?? "");
      if (parent) server.stored.set(parent.id, { ...parent, draft: null });
      return Response.json({ parentId: found.parentId, reverted: 0 });
    }
    case "DELETE ":
      server.stored.delete(found.id);
      return Response.json({ draft: found.draft });
    default:
      return notFound();
  }
}

interface Settings {
  dashboardId: string;
  dataCardId: string;
  configuration: VariableValues;
}

/** Refuses items without a value, as the server does. */
function applySettings(server: DashboardServer, body: Record<string, unknown>): Response {
  const { dashboardId, dataCardId, configuration }: Settings = JSON.parse(JSON.stringify(body));
  const blank = Object.entries(configuration).filter(([, value]) => value === null || value === "");
  const errors = blank.map(([name]) => ({ path: `configuration.${name}`, message: "must not be empty" }));
  if (errors.length > 0)
    return Response.json({ code: "validation_failed", message: "Some fields are not valid.", errors }, { status: 400 });
  const found = server.stored.get(dashboardId);
  if (!found) return notFound();
  const dataCards = found.dataCards.map((one) =>
    one.id === dataCardId ? { ...one, variablesMap: { ...one.variablesMap, ...configuration } } : one,
  );
  const changed = { ...found, dataCards, version: found.version + 1 };
  server.stored.set(found.id, changed);
  return Response.json(changed);
}

/** Ten for each of the first ones that the variable asks for. */
function dataOf(server: DashboardServer, shown: Dashboard, cardId: string, body: Record<string, unknown>): CardData {
  const chosen: VariableValues = JSON.parse(JSON.stringify(body["variablesMap"] ?? {}));
  const kept = shown.dataCards.find((one) => one.id === cardId)?.variablesMap;
  const initial = server.variables.find(({ apiName }) => apiName === "top")?.variableDefaultValue?.defaultValue;
  return {
    columns: [{ name: "c0", displayName: "Amount", dataType: "integer" }],
    rows: [{ c0: Number(chosen["top"] ?? kept?.["top"] ?? initial) * 10 }],
    ...{ reduction: null, asOf: NOW, dataAsOf: null, label: "" },
  };
}
