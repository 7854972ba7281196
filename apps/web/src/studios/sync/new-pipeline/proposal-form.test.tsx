/** Making a pipeline from its page: what is sent, and that a try after a failure goes on from what exists. */
import { Graph } from "@accord/contracts/sync/graph";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { queryClient } from "../../../app/queries.ts";
import { useNotices } from "../../../app/notices.ts";
import "../../../app/words.ts";
import { openedDraft } from "../pipeline-editor/draft/opened-draft.fixtures.ts";
import { BUYER_FIELDS, buyers, coreEntity, fieldOf, SHOP, shop } from "./new-pipeline.fixtures.ts";
import { ProposalForm } from "./proposal-form.tsx";
import "./new-pipeline.css";

interface Sent {
  call: string;
  body: Record<string, unknown>;
  key: string | null;
}
const network = globalThis.fetch;
let sent: Sent[] = [];
/** Answers of calls that fail, by call; each once. */
let failures: Map<string, () => Response | Promise<Response>>;
/** What the server has. */
let made: ReturnType<typeof coreEntity> | undefined;
let draft: ReturnType<typeof openedDraft> | undefined;
let published: Graph | undefined;

const reply = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });
const CORE = Graph.parse({ nodes: [{ id: "core", nodeType: "CORE_ENTITY", label: "Buyers" }], edges: [] });

function publishDraft(): void {
  [published, draft] = [draft?.graph, undefined];
}

function answer({ call, body }: Sent): Response {
  if (call.includes("sample-records"))
    return reply({
      fields: BUYER_FIELDS,
      records: [{ id: "1", values: { id: 1, name: "Ann", mail: "ann@x.example" } }],
      bad: [],
    });
  if (call.startsWith("POST /data/entities/from-connector") || call === "POST /entities/from-connector")
    return reply(
      (made ??= coreEntity([], { displayName: body["displayName"], version: 0, state: "NEW", hasDraft: true })),
    );
  if (/GET \/entities\/\w+$/.test(call)) return reply(made);
  if (/POST \/entities\/\w+\/publish/.test(call))
    return reply((made = coreEntity([], { displayName: made?.displayName })));
  if (/POST \/pipelines\/\w+\/draft/.test(call))
    return reply((draft ??= openedDraft(published ?? CORE, { revision: 1, hasPublished: published !== undefined })));
  if (/PUT \/pipelines\/\w+\/draft/.test(call))
    return reply((draft = openedDraft(Graph.parse(body["graph"]), { revision: Number(body["revision"]) + 1 })));
  if (/POST \/pipelines\/\w+\/publish/.test(call)) {
    publishDraft();
    return reply(openedDraft(CORE));
  }
  if (/GET \/pipelines\/\w+\/graph\/published/.test(call) && published)
    return reply(openedDraft(published, { graphVersion: "published", hasPublished: true }));
  return new Response(null, { status: 404 });
}

beforeEach(() => {
  sent = [];
  failures = new Map();
  [made, draft, published] = [undefined, undefined, undefined];
  queryClient.clear();
  globalThis.fetch = async (path, init) => {
    const address = String(path);
    const at = address.indexOf("/api/v1/");
    if (at < 0) return network(path, init);
    const call = `${init?.method ?? "GET"} ${address.slice(at + "/api/v1".length).split("?")[0]}`;
    const one: Sent = {
      call,
      body: typeof init?.body === "string" ? JSON.parse(init.body) : {},
      key: new Headers(init?.headers).get("idempotency-key"),
    };
    sent.push(one);
    const failure = [...failures].find(([name]) => call.endsWith(name));
    if (!failure) return answer(one);
    failures.delete(failure[0]);
    return failure[1]();
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

async function open(unmapped: ReturnType<typeof coreEntity>[] = [], entity = buyers()) {
  const root = createRootRoute({ component: Outlet });
  const routes = [
    createRoute({
      getParentRoute: () => root,
      path: "/",
      component: () => <ProposalForm connector={shop()} entity={entity} existing={unmapped} unmapped={unmapped} />,
    }),
    createRoute({
      getParentRoute: () => root,
      path: "/sync-studio/entity/$entityId/pipeline/$graphVersion",
      component: () => <p>The graph</p>,
    }),
  ];
  const history = createMemoryHistory({ initialEntries: ["/"] });
  const router = createRouter({ routeTree: root.addChildren(routes), history });
  show(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await expect.element(page.getByRole("cell", { name: "ann@x.example" }).first()).toBeVisible();
  return history;
}
const calls = (part: string) => sent.filter(({ call }) => call.endsWith(part));
const publish = page.getByRole("button", { name: "Publish", exact: true });

test("one press makes the entity, its draft and what runs, and leads to its graph", async () => {
  const history = await open();
  await page.getByRole("checkbox", { name: "Take over Spent" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Customer");
  await publish.click();
  await expect.element(page.getByText("The graph")).toBeVisible();
  expect(history.location.pathname).toMatch(/\/pipeline\/published$/);
  const body = calls("/from-connector")[0]?.body;
  expect(body).toMatchObject({ displayName: "Customer", entityApiName: "buyers", publish: false });
  expect(body?.["fields"]).toEqual(["id", "number", "name", "mail", "changed"]);
  const source = published?.nodes.find(({ nodeType }) => nodeType === "ENTITY_SOURCE");
  expect(source?.configuration["fieldMappings"]).toHaveLength(5);
  expect(published?.edges).toHaveLength(2);
});

test("a failure says what exists by then, and the next try makes nothing twice and loses nothing typed", async () => {
  await open();
  await page.getByRole("textbox", { name: "Name" }).fill("Customer");
  await page.getByRole("switch", { name: /^Write changes back/ }).click();
  const problem = {
    code: "sink_cannot_create",
    severity: "error",
    nodeId: "sink",
    targetId: null,
    errorMessage: "Shop Buyers: it can't be written.",
    errorDetail: "",
  };
  const refusal = { code: "pipeline_invalid", message: "The pipeline has errors.", details: { problems: [problem] } };
  failures.set("/publish", () => reply({ code: "internal_error", message: "The disk is full." }, 500));
  await publish.click();
  await expect.element(page.getByText("The core entity could not be published")).toBeVisible();
  await expect.element(page.getByText(/The entity Customer exists\. Try again/)).toBeVisible();
  await expect.element(page.getByRole("textbox", { name: "Name" })).toHaveValue("Customer");

  failures.set(`/pipelines/${"e".repeat(24)}/publish`, () => reply(refusal, 422));
  await publish.click();
  await expect.element(page.getByText("Shop Buyers: it can't be written.")).toBeVisible();
  await expect.element(page.getByText(/exists\. The draft of its pipeline exists\. Try again/)).toBeVisible();
  await page.getByRole("switch", { name: /^Write changes back/ }).click();
  await publish.click();
  await expect.element(page.getByText("The graph")).toBeVisible();
  expect(calls("/from-connector")).toHaveLength(1);
  // The second try replaced what the first one had drawn.
  expect(published?.nodes.map(({ nodeType }) => nodeType).toSorted()).toEqual([
    "CORE_ENTITY",
    "ENTITY_SOURCE",
    "FUNCTION",
  ]);
});

test("where the answer was lost, the same is asked for again under the same key, and its name stays", async () => {
  await open();
  failures.set("/from-connector", () => Promise.reject(new TypeError("network")));
  await publish.click();
  await expect.element(page.getByText(/Whether the entity was created is not known/)).toBeVisible();
  await expect.element(page.getByRole("textbox", { name: "Name" })).toHaveAttribute("readonly");
  await publish.click();
  await expect.element(page.getByText("The graph")).toBeVisible();
  const tries = calls("/from-connector");
  expect(tries).toHaveLength(2);
  expect(tries[0]?.key).toBe(tries[1]?.key);
  expect(tries[0]?.body).toEqual(tries[1]?.body);
});

test("where the answer to publishing was lost, the next try finds what runs, and publishes nothing twice", async () => {
  await open();
  failures.set(`/pipelines/${"e".repeat(24)}/publish`, () => {
    publishDraft();
    return Promise.reject(new TypeError("network"));
  });
  await publish.click();
  await expect.element(page.getByText("The pipeline could not be published")).toBeVisible();
  await publish.click();
  await expect.element(page.getByText("The graph")).toBeVisible();
  expect(sent.filter(({ call }) => /POST \/pipelines\/\w+\/(publish|draft)/.test(call))).toHaveLength(2);
});

test("where publishing worked without an answer, later changes go to a draft, and it is said what is published", async () => {
  const history = await open();
  failures.set(`/pipelines/${"e".repeat(24)}/publish`, () => {
    publishDraft();
    return Promise.reject(new TypeError("network"));
  });
  await publish.click();
  await expect.element(page.getByText("The pipeline could not be published")).toBeVisible();
  await page.getByRole("switch", { name: /^Write changes back/ }).click();
  failures.set("/draft", () => reply({ code: "server_busy", message: "The database is busy." }, 503));
  await publish.click();
  await expect.element(page.getByText(/is published as it was sent before, without the last changes/)).toBeVisible();
  await publish.click();
  await expect.element(page.getByText("The graph")).toBeVisible();
  expect(history.location.pathname).toMatch(/\/pipeline\/draft$/);
  const sinks = (graph: Graph | undefined) => graph?.nodes.filter(({ nodeType }) => nodeType === "ENTITY_SINK");
  expect(sinks(published)).toHaveLength(0);
  expect(sinks(draft?.graph)).toHaveLength(1);
  expect(useNotices.getState().notices[0]?.message).toMatch(/The last changes are in its draft/);
});

test("a refusal made nothing: another name is asked for under another key", async () => {
  await open();
  failures.set("/from-connector", () => reply({ code: "name_taken", message: "The name is taken." }, 409));
  await publish.click();
  await expect.element(page.getByText("The name is taken.")).toBeVisible();
  await expect.element(page.getByText("Nothing was created.")).toBeVisible();
  await page.getByRole("textbox", { name: "Name" }).fill("Customer");
  await publish.click();
  await expect.element(page.getByText("The graph")).toBeVisible();
  const [first, second] = calls("/from-connector");
  expect(first?.key).not.toBe(second?.key);
  expect(second?.body["displayName"]).toBe("Customer");
});

test("an unpublished draft of the core entity is named, chosen by nobody but a person, and published as it is shown", async () => {
  const unpublished = coreEntity([fieldOf("name")], {
    madeFrom: { connectorId: SHOP, entityApiName: "buyers" },
    ...{ displayName: "Customer", version: 0, state: "NEW", hasDraft: true, revision: 2 },
  });
  await open([unpublished]);
  await expect.element(page.getByRole("radio", { name: "A new entity" })).toBeChecked();
  await expect.element(page.getByText("Customer was made from this entity and is an unpublished draft.")).toBeVisible();
  await page.getByRole("radio", { name: "An entity without a pipeline" }).click();
  await page.getByRole("combobox", { name: "Entity", exact: true }).click();
  await page.getByRole("option", { name: "Customer (unpublished draft)" }).click();
  await expect.element(page.getByText(/It is published with the fields that are shown here/)).toBeVisible();
  // Somebody else has edited it since it was read.
  made = { ...unpublished, revision: 3 };
  failures.set("/publish", () => reply({ code: "stale_version", message: "Somebody else changed this." }, 409));
  await publish.click();
  await expect.element(page.getByText("Somebody else changed this.")).toBeVisible();
  expect(calls("/publish").map(({ body }) => body["revision"])).toEqual([2]);
  expect(published).toBeUndefined();
});

test("a draft that somebody else has begun is not replaced", async () => {
  const target = coreEntity([fieldOf("name")]);
  await open([target]);
  await page.getByRole("radio", { name: "An entity without a pipeline" }).click();
  await page.getByRole("combobox", { name: "Entity", exact: true }).click();
  await page.getByRole("option", { name: "Buyers" }).click();
  draft = openedDraft(Graph.parse({ ...CORE, nodes: [...CORE.nodes, { id: "other", nodeType: "FUNCTION" }] }));
  await page.getByRole("button", { name: "Open in the editor" }).click();
  await expect.element(page.getByText(/Somebody else has begun the pipeline/)).toBeVisible();
  expect(sent.some(({ call }) => call.startsWith("PUT"))).toBe(false);
});

test("a reference that is kept as text says so at its row, why, and where to make what it refers to", async () => {
  const seller = fieldOf("seller", { dataType: "reference", referenceTo: "sellers" });
  await open([], buyers([...BUYER_FIELDS, seller]));
  const row = page.getByRole("row", { name: /Seller/ });
  await expect
    .element(row.getByText(/^Kept as text, the relation is lost: the model holds no sellers of Shop/))
    .toBeVisible();
  await expect
    .element(row.getByRole("link", { name: "New pipeline for sellers" }))
    .toHaveAttribute("href", `/sync-studio/new-pipeline?connectorId=%22${SHOP}%22&entity=sellers`);
  expect(page.getByText(/^Kept as text/).elements()).toHaveLength(1);
});
