/** Comparing the draft with what is published, over records of real systems that are asked nothing. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Id, id } from "@accord/contracts";
import type { FieldChoice } from "@accord/contracts/sync/field-choice";
import {
  createFieldDraft,
  discardFieldDraft,
  listFieldPipelines,
  saveFieldDraft,
} from "@accord/contracts/sync/field-pipelines";
import { Graph, type GraphNode } from "@accord/contracts/sync/graph";
import {
  createPipelineDraft,
  getPipelineGraph,
  publishPipeline,
  savePipelineDraft,
} from "@accord/contracts/sync/pipelines";
import { diffBeforePublish, type PublishDiff } from "@accord/contracts/sync/tests/publish-diff";
import { pausePipeline, resumePipeline } from "@accord/contracts/sync/monitoring/runs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storingNothing } from "../../../../../test-kit/generated/database-hash.ts";
import { edge, node } from "../../../../../test-kit/graphs.ts";
import { eventually } from "../../../../../test-kit/sync-world/working-world.ts";
import { personPipeline, type PersonPipeline } from "../../../../../test-kit/systems/person-pipeline.ts";

const COUNT = 5;

let p: PersonPipeline;
/** As it is published. */
let graph: Graph;
let revision = 0;

const manager = () => p.t.as("SYNC_MANAGER");

beforeAll(async () => {
  p = await personPipeline(COUNT);
  await manager().call(pausePipeline, { params: { entityId: p.entityId }, body: {} });
  ({ revision } = await manager().call(createPipelineDraft, { params: { entityId: p.entityId }, body: {} }));
  const version = { entityId: p.entityId, graphVersion: "published" } as const;
  ({ graph } = await manager().call(getPipelineGraph, { params: version }));
}, 120_000);
afterAll(() => p.close());

async function save(draft: Graph): Promise<void> {
  const body = { graph: draft, revision };
  ({ revision } = await manager().call(savePipelineDraft, { params: { entityId: p.entityId }, body }));
}

interface Asked {
  records?: number;
  order?: "latest" | "spread";
  fieldPipelines?: FieldChoice;
  cursor?: string;
}
const ask = (body: Asked = {}): Promise<PublishDiff> =>
  manager().call(diffBeforePublish, { params: { id: p.entityId }, body });

/** What the draft with this graph would change. */
async function diffOf(draft: Graph): Promise<PublishDiff> {
  await save(draft);
  return ask();
}

/** The graph with another configuration of one node. */
function configured(nodeId: string, change: object): Graph {
  const nodes = graph.nodes.map((one) =>
    one.id === nodeId ? { ...one, configuration: { ...one.configuration, ...change } } : one,
  );
  return Graph.parse({ ...graph, nodes });
}

const mapping = (connectorField: string, coreField: string) => ({ connectorField, coreField });
const core = (): GraphNode => graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY")!;

/** Only what is not nothing. */
const counted = (counts: object) => Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
const destinationsOf = ({ destinations }: PublishDiff) =>
  Object.fromEntries(destinations.map(({ nodeId, counts }) => [nodeId, counted(counts)]));

/** `destination.field: before → after` of each record by its name. */
function writesOf({ records, destinations }: PublishDiff): Record<string, string[]> {
  const texts = records.map(({ name, destinations: sent }) => [
    name ?? "",
    sent.flatMap(({ destination, change, fields }) =>
      fields.length === 0
        ? [`${destinations[destination]?.nodeId} ${change}`]
        : fields.map(
            ({ field, before, after }) =>
              `${destinations[destination]?.nodeId}.${field} ${change}: ${String(before)} → ${String(after)}`,
          ),
    ),
  ]);
  return Object.fromEntries(texts);
}

/** By name, what each person has in a table of a system. */
async function rowsOf(table: string) {
  return p.systems.sql(`SELECT name, mail, city FROM ${table} ORDER BY id`);
}

test("a draft that is what is published makes no difference", async () => {
  const diff = await diffOf(graph);
  expect(diff).toMatchObject({
    compared: COUNT,
    differing: 0,
    cursor: null,
    records: [],
    unknown: [],
    unasked: 0,
    failed: [],
    published: { name: "First", number: 1 },
  });
  expect(counted(diff.counts)).toEqual({});
  expect(destinationsOf(diff)).toEqual({ to_shop: {}, to_crm: {} });
});

test("a changed mapping of a destination changes these fields of these records there, and nothing else anywhere", async () => {
  const draft = configured("to_crm", {
    fieldMappings: [mapping("name", "name"), mapping("mail", "mail"), mapping("city", "mail")],
  });
  const crm = await rowsOf("crm.contact");
  await save(draft);
  const diff = await storingNothing(p.t, ask);
  expect(await rowsOf("crm.contact")).toEqual(crm);
  expect(diff).toMatchObject({ compared: COUNT, differing: COUNT });
  expect(counted(diff.counts)).toEqual({});
  expect(destinationsOf(diff)).toEqual({ to_shop: {}, to_crm: { updated: COUNT } });
  const expected = crm.map(({ name, mail, city }) => [
    name,
    [`to_crm.city updated: ${String(city)} → ${String(mail)}`],
  ]);
  expect(writesOf(diff)).toEqual(Object.fromEntries(expected));
  const fields = diff.records.flatMap(({ destinations }) => destinations.flatMap((one) => one.fields));
  expect(fields.every(({ isHeld, mapped }) => isHeld && mapped === "both")).toBe(true);
});

test("nothing is asked of the systems: it works while they are gone", async () => {
  const draft = configured("to_crm", {
    fieldMappings: [mapping("name", "name"), mapping("mail", "mail"), mapping("city", "name")],
  });
  const { sql } = p.systems;
  await sql("ALTER TABLE crm.contact RENAME TO away");
  await sql("ALTER TABLE shop.person RENAME TO away");
  try {
    expect(destinationsOf(await diffOf(draft))).toEqual({ to_shop: {}, to_crm: { updated: COUNT } });
  } finally {
    await sql("ALTER TABLE crm.away RENAME TO contact");
    await sql("ALTER TABLE shop.away RENAME TO person");
  }
});

const condition = (field: string, operator: string, value: string) => ({
  type: "condition",
  left: { kind: "field", field },
  operator,
  right: [{ kind: "literal", value }],
});

test("a filter before a destination holds back the records it is about, and a field that is not mapped any more is named", async () => {
  const filter = { ...node("only", "FUNCTION", { evaluatesToTrue: condition("name", "endsWith", "2") }, "predicate") };
  const edges = graph.edges.filter(({ destination }) => destination.nodeId !== "to_crm");
  const draft = Graph.parse({
    ...graph,
    nodes: [...graph.nodes, filter],
    edges: [...edges, edge(core().id, "only"), edge("only", "to_crm", "true")],
  });
  const diff = await diffOf(draft);
  expect(destinationsOf(diff)).toEqual({ to_shop: {}, to_crm: { noLongerSent: COUNT - 1 } });
  const names = new Set(diff.records.map(({ name }) => name));
  expect(names).toEqual(new Set(["Name 1", "Name 3", "Name 4", "Name 5"]));
  const dropped = await diffOf(
    configured("to_crm", { fieldMappings: [mapping("name", "name"), mapping("mail", "mail")] }),
  );
  expect(destinationsOf(dropped)).toEqual({ to_shop: {}, to_crm: { noLongerSent: COUNT } });
  expect(dropped.records[0]?.destinations[0]?.fields).toMatchObject([{ field: "city", mapped: "published" }]);
});

test("a filter behind a source keeps its records from the core", async () => {
  const filter = { ...node("only", "FUNCTION", { evaluatesToTrue: condition("name", "endsWith", "2") }, "predicate") };
  const edges = graph.edges.filter(({ source }) => source.nodeId !== "from_shop");
  const draft = Graph.parse({
    ...graph,
    nodes: [...graph.nodes, filter],
    edges: [...edges, edge("from_shop", "only"), edge("only", core().id, "true")],
  });
  const diff = await diffOf(draft);
  expect(counted(diff.counts)).toEqual({ heldBack: COUNT - 1 });
  expect(destinationsOf(diff)).toEqual({ to_shop: {}, to_crm: {} });
  expect(diff.records[0]?.heldBack).toEqual([{ source: "from_shop", isByDraft: true }]);
});

test("a removed destination is not sent any record any more", async () => {
  const draft = Graph.parse({
    ...graph,
    nodes: graph.nodes.filter(({ id: nodeId }) => nodeId !== "to_crm"),
    edges: graph.edges.filter(({ destination }) => destination.nodeId !== "to_crm"),
  });
  const diff = await diffOf(draft);
  expect(diff.destinations.map(({ nodeId, version }) => [nodeId, version])).toEqual([
    ["to_shop", "both"],
    ["to_crm", "published"],
  ]);
  expect(destinationsOf(diff)).toEqual({ to_shop: {}, to_crm: { noLongerSent: COUNT } });
});

test("values changed on the way to the core are in the core and at each destination", async () => {
  const upper = node("upper", "FUNCTION", { field: "city", value: "Berlin" }, "setValue");
  const edges = graph.edges.filter(({ source }) => source.nodeId !== "from_shop");
  const draft = Graph.parse({
    ...graph,
    nodes: [...graph.nodes, upper],
    edges: [...edges, edge("from_shop", "upper"), edge("upper", core().id)],
  });
  const people = await rowsOf("shop.person");
  const diff = await diffOf(draft);
  expect(counted(diff.counts)).toEqual({ values: COUNT });
  expect(destinationsOf(diff)).toEqual({ to_shop: { updated: COUNT }, to_crm: { updated: COUNT } });
  const values = Object.fromEntries(diff.records.map(({ name, values: changed }) => [name, changed]));
  expect(values).toEqual(
    Object.fromEntries(people.map(({ name, city }) => [name, [{ field: "city", before: city, after: "Berlin" }]])),
  );
});

test("a field pipeline makes a difference only where it is chosen to go along", async () => {
  const { fields } = await manager().call(listFieldPipelines, { params: { entityId: p.entityId } });
  const fieldId = fields.find(({ apiName }) => apiName === "city")!.id;
  const params = { entityId: p.entityId, fieldId };
  const opened = await manager().call(createFieldDraft, { params, body: {} });
  const source = opened.graph.nodes.find(({ nodeType }) => nodeType === "ATTRIBUTE_SOURCE")!;
  const upper = node("upper", "FUNCTION", {}, "upperCase");
  const edges = opened.graph.edges.flatMap((one) =>
    one.source.nodeId === source.id ? [edge(source.id, "upper"), edge("upper", one.destination.nodeId)] : [one],
  );
  const changed = Graph.parse({ ...opened.graph, nodes: [...opened.graph.nodes, upper], edges });
  await manager().call(saveFieldDraft, { params, body: { graph: changed, revision: opened.revision } });
  await save(graph);
  const ready = await ask({ fieldPipelines: "ready" });
  expect([ready.fieldPipelines, counted(ready.counts)]).toEqual([[], {}]);
  const people = await rowsOf("shop.person");
  const changing = people.filter(({ city }) => String(city).toUpperCase() !== city).length;
  const choices: FieldChoice[] = ["all", [fieldId]];
  for (const fieldPipelines of choices) {
    const diff = await ask({ fieldPipelines });
    expect(diff.fieldPipelines).toMatchObject([{ field: "city", change: "added" }]);
    expect(counted(diff.counts)).toEqual({ values: changing });
  }
  await manager().call(discardFieldDraft, { params });
});

test("an action on the way is named and not performed", async () => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  p.t.deps.outbound.allow(new URL(url).host);
  const post = node("post", "ACTION", { url, body: "{{previous.values.mail}}", retries: 0 }, "httpRequest");
  const edges = graph.edges.filter(({ source }) => source.nodeId !== "from_shop");
  const draft = Graph.parse({
    ...graph,
    nodes: [...graph.nodes, post],
    edges: [...edges, edge("from_shop", "post"), edge("post", core().id)],
  });
  const diff = await diffOf(draft);
  server.close();
  expect(requests).toBe(0);
  expect(counted(diff.counts)).toEqual({ actions: COUNT });
  expect(diff.records[0]?.actions).toEqual({
    before: [],
    after: [`Would be performed: send a POST request to ${url}`],
  });
});

test("a destination that may not be updated refuses what the draft would write", async () => {
  const fieldMappings = [mapping("name", "name"), mapping("mail", "mail"), mapping("city", "name")];
  const diff = await diffOf(configured("to_crm", { fieldMappings, update: false }));
  expect(destinationsOf(diff)).toEqual({ to_shop: {}, to_crm: { refused: COUNT } });
  expect(diff.records[0]?.destinations[0]).toMatchObject({
    message: "this destination is not set to do that",
    fields: [{ field: "city" }],
  });
});

test.each(["latest", "spread"] as const)(
  "records are compared page by page, %s, each once, and another draft is noticed",
  async (order) => {
    await save(configured("to_crm", { fieldMappings: [mapping("name", "mail"), mapping("mail", "mail")] }));
    const seen: string[] = [];
    let cursor: string | undefined;
    const versions = new Set<string>();
    do {
      const page = await ask({ order, records: 2, ...(cursor ? { cursor } : {}) });
      seen.push(...page.records.map(({ recordId }) => recordId));
      versions.add(page.versions);
      cursor = page.cursor ?? undefined;
    } while (cursor);
    expect(new Set(seen).size).toBe(COUNT);
    expect(seen).toHaveLength(COUNT);
    expect(versions.size).toBe(1);
    const other = await diffOf(graph);
    expect(versions.has(other.versions)).toBe(false);
  },
);

test("a cursor that is none, and a draft that can't run, are refused", async () => {
  const send = (body: object) => manager().send(diffBeforePublish, { params: { id: p.entityId }, body });
  expect(await send({ cursor: "2020 x" })).toMatchObject({ status: 400, body: { errors: [{ path: "cursor" }] } });
  expect(await send({ records: 101 })).toMatchObject({ status: 400 });
  const faulty = node("upper", "FUNCTION", {}, "setValue");
  const edges = graph.edges.filter(({ source }) => source.nodeId !== "from_shop");
  await save(
    Graph.parse({
      ...graph,
      nodes: [...graph.nodes, faulty],
      edges: [...edges, edge("from_shop", "upper"), edge("upper", core().id)],
    }),
  );
  expect(await send({})).toMatchObject({ status: 422, body: { code: "pipeline_invalid" } });
  const foreign: Id<"entity"> = id("entity").parse("0".repeat(24));
  expect((await manager().send(diffBeforePublish, { params: { id: foreign }, body: {} })).status).toBe(404);
});

test("what was foreseen is what the systems hold once the draft is published", async () => {
  const decide = node("is_two", "FUNCTION", { evaluatesToTrue: condition("name", "endsWith", "2") }, "predicate");
  const berlin = node("berlin", "FUNCTION", { field: "city", value: "Berlin" }, "setValue");
  const mapped = configured("to_crm", {
    fieldMappings: [mapping("name", "name"), mapping("mail", "city"), mapping("city", "city")],
  });
  const edges = graph.edges.filter(({ source }) => source.nodeId !== "from_shop");
  const diff = await diffOf(
    Graph.parse({
      nodes: [...mapped.nodes, decide, berlin],
      edges: [
        ...edges,
        edge("from_shop", "is_two"),
        edge("is_two", "berlin", "true"),
        edge("is_two", core().id, "false"),
        edge("berlin", core().id),
      ],
    }),
  );
  const before = { to_shop: await rowsOf("shop.person"), to_crm: await rowsOf("crm.contact") };
  const foreseen = (nodeId: "to_shop" | "to_crm") =>
    before[nodeId].map((row) => {
      const sent = diff.records.find(({ name }) => name === row["name"])?.destinations ?? [];
      const fields = sent.filter((one) => diff.destinations[one.destination]?.nodeId === nodeId);
      return {
        ...row,
        ...Object.fromEntries(
          fields.flatMap((one) => (one.isDue ? one.fields.map(({ field, after }) => [field, after]) : [])),
        ),
      };
    });
  const expected = { to_shop: foreseen("to_shop"), to_crm: foreseen("to_crm") };
  expect(expected.to_shop[1]).toMatchObject({ name: "Name 2", city: "Berlin" });
  expect(expected.to_crm[1]).toMatchObject({ name: "Name 2", mail: "Berlin" });
  expect(diff.destinations.map(({ nodeId, notDue }) => [nodeId, notDue])).toEqual([
    ["to_shop", 0],
    ["to_crm", COUNT - 1],
  ]);
  const params = { entityId: p.entityId };
  await manager().call(publishPipeline, { params, body: { versionName: "Second", revision } });
  await manager().call(resumePipeline, { params, body: {} });
  await eventually("both systems as foreseen", async () => {
    const now = { to_shop: await rowsOf("shop.person"), to_crm: await rowsOf("crm.contact") };
    return JSON.stringify(now) === JSON.stringify(expected) ? true : undefined;
  });
  await p.untilSent(COUNT);
  expect({ to_shop: await rowsOf("shop.person"), to_crm: await rowsOf("crm.contact") }).toEqual(expected);
}, 90_000);
