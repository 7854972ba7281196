/** Trying a record on a graph as it is being edited: real records and pasted ones, on real systems that are asked nothing. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Values } from "@accord/contracts/data/values";
import type { Id } from "@accord/contracts";
import { Graph, type GraphNode } from "@accord/contracts/sync/graph";
import { createPipelineDraft, getPipelineGraph } from "@accord/contracts/sync/pipelines";
import { pausePipeline } from "@accord/contracts/sync/monitoring/runs";
import {
  listRecordsToTry,
  TRY_RECORD_LIMITS,
  type TryRecordBody,
  tryRecord,
} from "@accord/contracts/sync/tests/try-record";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storingNothing } from "../../../../../test-kit/generated/database-hash.ts";
import { edge, node } from "../../../../../test-kit/graphs.ts";
import { personPipeline, type PersonPipeline } from "../../../../../test-kit/systems/person-pipeline.ts";

let p: PersonPipeline;
let graph: Graph;
let server: Server;
let requests = 0;

const manager = () => p.t.as("SYNC_MANAGER");
const params = () => ({ id: p.entityId });
const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

beforeAll(async () => {
  server = createServer((_request, response) => {
    requests += 1;
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  p = await personPipeline(3);
  p.t.deps.outbound.allow(new URL(url()).host);
  await manager().call(pausePipeline, { params: { entityId: p.entityId }, body: {} });
  await manager().call(createPipelineDraft, { params: { entityId: p.entityId }, body: {} });
  const version = { entityId: p.entityId, graphVersion: "draft" } as const;
  ({ graph } = await manager().call(getPipelineGraph, { params: version }));
  // What the shop's record held when it was read last, and no more: nobody can ask for anything from here on.
  p.systems.close();
}, 120_000);
afterAll(() => {
  server.close();
});

const core = (): GraphNode => graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY")!;

/** The graph with nodes between the shop and the core. */
function between(nodes: readonly object[], edges: readonly object[]): Graph {
  const kept = graph.edges.filter(({ source }) => source.nodeId !== "from_shop");
  return Graph.parse({ ...graph, nodes: [...graph.nodes, ...nodes], edges: [...kept, ...edges] });
}

const values = (given: Values, externalId = "new"): TryRecordBody["record"] => ({
  kind: "values",
  externalId,
  values: given,
});
const send = (record: TryRecordBody["record"], on: Graph = graph) =>
  manager().send(tryRecord, { params: params(), body: { graph: on, nodeId: "from_shop", record } });
const tried = (record: TryRecordBody["record"], on: Graph = graph) =>
  manager().call(tryRecord, { params: params(), body: { graph: on, nodeId: "from_shop", record } });

const condition = (field: string, operator: string, value: string) => ({
  type: "condition",
  left: { kind: "field", field },
  operator,
  right: [{ kind: "literal", value }],
});

async function personNamed(name: string): Promise<{ recordId: Id<"record">; externalId: string }> {
  const query = { connectorId: p.systems.shop, entityApiName: "person", search: name };
  const { records } = await manager().call(listRecordsToTry, { params: params(), query });
  return records.find((one) => one.name === name)!;
}

test("records of a source are found by their words and by their id there, and of another system none", async () => {
  const search = async (text: string, connectorId: string = p.systems.shop, entityApiName = "person") => {
    const query = { connectorId, entityApiName, search: text };
    const { records } = await manager().call(listRecordsToTry, { params: params(), query });
    return records.map(({ name }) => name ?? "").toSorted((a, b) => (a < b ? -1 : 1));
  };
  expect(await search("")).toEqual(["Name 1", "Name 2", "Name 3"]);
  expect(await search("p2@EXAMPLE")).toEqual(["Name 2"]);
  expect(await search("name 3")).toEqual(["Name 3"]);
  expect(await search("100% of all")).toEqual([]);
  const { externalId } = await personNamed("Name 1");
  expect(await search(externalId)).toContain("Name 1");
  expect(await search("", "f".repeat(24))).toEqual([]);
});

test("a real record by either of its ids goes through a branch that is not saved yet, and shows what is written nowhere", async () => {
  const decide = (letter: string): Graph =>
    between(
      [
        node("is one", "FUNCTION", { evaluatesToTrue: condition("name", "endsWith", letter) }, "predicate"),
        node("mark", "FUNCTION", { field: "city", value: "Berlin" }, "setValue"),
      ].map((one) => ({ ...one, id: one.id.replace(" ", "_") })),
      [
        edge("from_shop", "is_one"),
        edge("is_one", "mark", "true"),
        edge("is_one", core().id, "false"),
        edge("mark", core().id),
      ],
    );
  const { recordId, externalId } = await personNamed("Name 1");
  const taken = await storingNothing(p.t, () => tried({ kind: "stored", recordId }, decide("1")));
  const other = await storingNothing(p.t, () => tried({ kind: "external", externalId }, decide("2")));
  const at = (result: typeof taken, nodeId: string) => result.nodes.find((one) => one.nodeId === nodeId);
  expect(taken.record).toEqual({
    externalId,
    values: { name: "Name 1", mail: "p1@example.com", city: "City 1" },
    assumed: [],
  });
  expect(at(taken, "is_one")?.testData[0]?.route).toBe("true");
  expect(at(taken, "mark")?.testData[0]).toMatchObject({ input: { city: "City 1" }, output: { city: "Berlin" } });
  expect(taken.core).toMatchObject({
    outcome: "updated",
    recordId,
    before: { city: "City 1" },
    after: { city: "Berlin", name: "Name 1" },
  });
  const sent = (result: typeof taken) =>
    result.destinations.map(({ nodeId, outcome, values: all }) => [nodeId, outcome, all]);
  expect(sent(taken)).toEqual([
    ["to_shop", "update", { city: "Berlin" }],
    ["to_crm", "update", { city: "Berlin" }],
  ]);
  expect(at(other, "is_one")?.testData[0]?.route).toBe("false");
  expect(at(other, "mark")).toMatchObject({ status: "not_reached", testData: [] });
  expect(other.core).toMatchObject({ outcome: "unchanged", recordId });
  expect(sent(other)).toEqual([
    ["to_shop", "up_to_date", null],
    ["to_crm", "up_to_date", null],
  ]);
});

test("pasted values make a new record, and join the one that an attach rule finds", async () => {
  const created = await tried(values({ name: "Nobody yet", mail: "n@example.com" }));
  expect(created.core).toMatchObject({
    outcome: "created",
    recordId: null,
    before: null,
    after: { name: "Nobody yet" },
  });
  expect(created.destinations.map(({ nodeId, outcome }) => [nodeId, outcome])).toEqual([
    ["to_shop", "up_to_date"],
    ["to_crm", "create"],
  ]);
  const sameMail = {
    type: "condition",
    left: { kind: "field", field: "mail" },
    operator: "equals",
    right: [{ kind: "token", token: "previous.values.mail" }],
  };
  // The CRM is no source yet: none of the records has an external record there.
  const fromCrm = node("from_crm", "ENTITY_SOURCE", {
    connectorId: p.systems.crm,
    entityDefinition: "contact",
    fieldMappings: ["name", "mail", "city"].map((field) => ({ connectorField: field, coreField: field })),
  });
  await p.t.deps.dataPool.query(`DELETE FROM ${p.schema}.link WHERE place = $1 AND external_id = '2'`, [
    p.places.contact,
  ]);
  const attach = node("same", "FUNCTION", { attachPredicate: sameMail }, "advancedAttachRecord");
  const joined = Graph.parse({
    ...graph,
    nodes: [...graph.nodes, fromCrm, attach],
    edges: [...graph.edges, edge("from_crm", "same"), edge("same", core().id)],
  });
  const { recordId } = await personNamed("Name 2");
  const merged = await manager().call(tryRecord, {
    params: params(),
    body: {
      graph: joined,
      nodeId: "from_crm",
      record: values({ name: "Name 2", mail: "p2@example.com", city: "Rome" }, "2"),
    },
  });
  expect(merged.core).toMatchObject({
    recordId,
    outcome: "updated",
    before: { city: "City 2" },
    after: { city: "Rome" },
  });
});

test("loops show each turn, and actions and requests what they would have done: nothing is asked", async () => {
  const loop = between(
    [
      node("each", "FUNCTION", { list: "{{Shop.person.city}}", itemVariable: "item", maxIterations: 10 }, "forEach"),
      node("note", "ACTION", { text: "{{Value From each}}" }, "logMessage"),
      node("end", "FUNCTION", {}, "endLoop"),
      node("post", "ACTION", { url: `${url()}?key=1`, body: "{{previous.values.mail}}", retries: 0 }, "httpRequest"),
    ],
    [
      edge("from_shop", "each"),
      edge("each", "note"),
      edge("note", "end"),
      edge("end", "each"),
      edge("end", "post"),
      edge("post", core().id),
    ],
  );
  const result = await tried(values({ name: "Ada", mail: "a@example.com", city: ["Rome", "Oslo"] }), loop);
  const skippedAt = (nodeId: string) =>
    result.nodes
      .find((one) => one.nodeId === nodeId)
      ?.testData.map((data) => data.skipped.map(({ message }) => message));
  expect(skippedAt("note")).toEqual([[expect.stringContaining(": Rome")], [expect.stringContaining(": Oslo")]]);
  expect(skippedAt("post")).toEqual([[`Would be performed: send a POST request to ${url()}`]]);
  expect(result.nodes.filter(({ status }) => status === "not_reached").map(({ nodeId }) => nodeId)).toEqual([
    "to_shop",
  ]);
  expect(requests, "nothing was sent").toBe(0);
});

test("a graph that can't run is refused with the node that keeps it from running, a record with its field", async () => {
  const faulty = between(
    [node("upper", "FUNCTION", {}, "setValue")],
    [edge("from_shop", "upper"), edge("upper", core().id)],
  );
  expect(await send(values({ name: "Ada" }), faulty)).toMatchObject({
    status: 422,
    body: { code: "pipeline_invalid", details: { problems: [{ nodeId: "upper" }] } },
  });
  expect(await send(values({ nickname: "Ada" }))).toMatchObject({
    status: 400,
    body: { errors: [{ path: "record.values.nickname", message: expect.stringContaining("person in Shop") }] },
  });
  expect(await send({ kind: "external", externalId: "none" })).toMatchObject({
    status: 400,
    body: { errors: [{ path: "record.externalId", message: expect.stringContaining("none") }] },
  });
  const foreign = p.t.deps.newId<"record">();
  expect((await send({ kind: "stored", recordId: foreign })).status).toBe(404);
});

test("a record that is too large is refused", async () => {
  const large = await send(values({ name: "x".repeat(TRY_RECORD_LIMITS.recordBytes) }));
  expect(large).toMatchObject({ status: 400, body: { errors: [{ path: "record.values" }] } });
});

test("a value that the core has changed is not passed off as the source's own", async () => {
  const { recordId } = await personNamed("Name 3");
  await p.t.deps.dataPool.query(`UPDATE ${p.records} SET city = 'Edited here' WHERE accord_id = $1`, [recordId]);
  const { record } = await tried({ kind: "stored", recordId });
  expect(record).toMatchObject({ assumed: ["city"], values: { city: "Edited here", name: "Name 3" } });
});

test("a record that waits in quarantine is tried as its source sent it", async () => {
  await p.t.deps.dataPool.query(
    `INSERT INTO ${p.schema}.quarantine (id, pipeline_id, place, direction, external_id, code, message, payload)
     VALUES ($1, $2, $3, 'source', '77', 'failed', 'It failed', '{"name":"As sent","mail":null,"city":"Oslo"}')`,
    [p.t.deps.newId(), p.entityId, p.places.person],
  );
  const { record, core: outcome } = await tried({ kind: "external", externalId: "77" });
  expect(record).toEqual({ externalId: "77", values: { name: "As sent", mail: null, city: "Oslo" }, assumed: [] });
  expect(outcome).toMatchObject({ outcome: "created", after: { name: "As sent" } });
});
