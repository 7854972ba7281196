/** Custom actions: made, tried out, kept from leaking their secret, and refused where they would. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as contract from "@accord/contracts/sync/actions";
import * as checks from "@accord/contracts/sync/custom-action-checks";
import { createEntity } from "@accord/contracts/data/core-schema";
import type { Values } from "@accord/contracts/data/values";
import { GraphNode } from "@accord/contracts/sync/graph";
import { createPipelineDraft, savePipelineDraft } from "@accord/contracts/sync/pipelines";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { testApp, type TestApp } from "../../../../../test-kit/index.ts";
import { eventually } from "../../../../../test-kit/sync-world/working-world.ts";
import type { Module } from "../../../../platform/module.ts";
import type { ActionsService } from "../index.ts";

let t: TestApp;
let server: Server;
let received: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[] = [];
let status = 200;
let answer: (request: IncomingMessage) => object;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    received.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer(request)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t = await testApp();
  t.deps.outbound.allow(`127.0.0.1:${port()}`);
});
beforeEach(() => {
  received = [];
  status = 200;
  answer = () => ({ ok: true });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const port = (): number => (server.address() as AddressInfo).port;
const input = (change: object = {}) => ({
  displayName: "Notify billing",
  apiName: `notify_${t.deps.newId()}`,
  endpoint: `http://127.0.0.1:${port()}/notify/{{who}}`,
  body: '{"name": "{{who}}", "size": {{size}}}',
  headers: [
    { name: "X-Team", value: "{{who}}" },
    { name: "X-Other", value: "b" },
  ],
  variables: [{ name: "who" }, { name: "size" }],
  variableValues: { who: 'Ann "A"/B', size: 3 },
  authentication: { type: "bearer" as const },
  secret: "top-secret",
  ...change,
});
const make = (change?: object) => t.as("SYNC_MANAGER").call(contract.createCustomAction, { body: input(change) });

/** Performs it as one page of a pipeline does; what each record gets. */
async function perform(actionId: string, records: readonly Values[]): Promise<Values[]> {
  const call = (variables: Values, index: number) => ({
    key: `${actionId} ${index}`,
    nodeId: "node",
    label: "Notify",
    action: "customAction",
    externalId: String(index),
    recordId: null,
    work: { kind: "custom", actionId, variables } as const,
  });
  const pipeline = {
    instanceId: t.instanceId,
    pipelineId: t.deps.newId<"entity">(),
    versionNumber: 1,
    connect: () => Promise.reject(new Error("no system is asked")),
  };
  const results = await t.module<Module & { service: ActionsService }>("sync/actions").service.answer(
    pipeline,
    records.map((record, index) => ({ kind: "action", call: call(record, index), later: false })),
  );
  return results.flatMap((result) => (result.ok ? result.found : []));
}

test("open windows learn of an action that is made, changed or deleted", async () => {
  const published = vi.spyOn(t.deps.realtime, "publish");
  const { id: actionId, revision } = await make();
  const params = { actionId };
  await t.as("SYNC_MANAGER").call(contract.updateCustomAction, { params, body: { ...input(), revision } });
  await t.as("SYNC_MANAGER").call(contract.deleteCustomAction, { params });
  const sent = published.mock.calls.filter(([, { name }]) => name === "customActionChanged");
  published.mockRestore();
  expect(sent.map(([at, , payload]) => [at, payload])).toEqual(Array(3).fill([t.instanceId, { actionId }]));
});

test("[SYN-065] [SYN-142] a test sends the request with its headers, its secret and escaped values", async () => {
  const result = await t.as("SYNC_MANAGER").call(checks.testCustomAction, { body: input() });
  expect(result).toMatchObject({ succeeded: true, body: { ok: true }, code: null });
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ method: "POST", url: "/notify/Ann%20%22A%22%2FB" });
  expect(JSON.parse(received[0]?.body ?? "")).toEqual({ name: 'Ann "A"/B', size: 3 });
  expect(received[0]?.headers).toMatchObject({
    "x-team": 'Ann "A"/B',
    "x-other": "b",
    authorization: "Bearer top-secret",
  });
});

test("[SYN-152] an answer that is no success is shown as it came", async () => {
  status = 404;
  const result = await t.as("SYNC_MANAGER").call(checks.testCustomAction, { body: input() });
  expect(result).toMatchObject({ succeeded: false, code: "http_404", body: { ok: true } });
});

test("[T15] the secret is never sent back, and stays with the host it was entered for", async () => {
  const made = await make();
  expect(made.hasSecret).toBe(true);
  const shown = JSON.stringify([made, await t.as("SYNC_MANAGER").call(contract.listCustomActions, {})]);
  expect(shown).not.toContain("top-secret");

  const params = { actionId: made.id };
  const { secret: _secret, ...rest } = input({ apiName: made.apiName, displayName: "Renamed" });
  const kept = await t
    .as("SYNC_MANAGER")
    .call(contract.updateCustomAction, { params, body: { ...rest, revision: made.revision } });
  expect(kept).toMatchObject({ displayName: "Renamed", hasSecret: true });

  const elsewhere = { ...rest, endpoint: "https://attacker.example/{{who}}", revision: kept.revision };
  const refused = await t.as("SYNC_MANAGER").send(contract.updateCustomAction, { params, body: elsewhere });
  expect(refused.status).toBe(403);
  const { revision: _revision, ...tried } = elsewhere;
  const test = await t.as("SYNC_MANAGER").send(checks.testCustomAction, { body: { ...tried, actionId: made.id } });
  expect(test.status).toBe(403);
  expect(received).toEqual([]);
});

test("a host that comes from a variable, and a variable that is none, are refused with the field's name", async () => {
  const caller = t.as("SYNC_MANAGER");
  for (const [change, path] of [
    [{ endpoint: "https://{{who}}/x" }, "endpoint"],
    [{ body: "{{nobody}}" }, "body"],
  ] as const) {
    const refused = await caller.send(contract.createCustomAction, { body: input(change) });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain(`"${path}"`);
  }
});

test("a private address the operator did not allow is refused, also for a test", async () => {
  const body = input({ endpoint: "http://10.1.2.3/{{who}}" });
  const result = await t.as("SYNC_MANAGER").call(checks.testCustomAction, { body });
  expect(result).toMatchObject({ succeeded: false, code: "http_refused" });
});

test("[SYN-065] a batch action makes one request for several records, awaited or not, and all share its answer", async () => {
  const { id } = await make({
    isBatch: true,
    batchSize: 2,
    endpoint: `http://127.0.0.1:${port()}/notify`,
    body: '{"all": {{records}}}',
    headers: [],
  });
  const call = (who: string) => ({
    key: `node ${who}`,
    nodeId: "node",
    label: "Notify",
    action: "customAction",
    externalId: who,
    recordId: null,
    work: { kind: "custom", actionId: id, variables: { who, size: 1 } } as const,
  });
  const pipeline = {
    instanceId: t.instanceId,
    pipelineId: t.deps.newId<"entity">(),
    versionNumber: 1,
    connect: () => Promise.reject(new Error("no system is asked")),
  };
  const module = t.module<Module & { service: ActionsService }>("sync/actions");
  const ask = (later: boolean, ...people: string[]) =>
    module.service.answer(
      pipeline,
      people.map((who) => ({ kind: "action", call: call(who), later })),
    );
  const batches = (): string[][] =>
    received
      .map(({ body }) => z.object({ all: z.array(z.object({ who: z.string() })) }).parse(JSON.parse(body)).all)
      .map((records) => records.map(({ who }) => who));
  const sizes = () =>
    batches()
      .map(({ length }) => length)
      .toSorted((left, right) => left - right);
  const names = () =>
    batches()
      .flat()
      .toSorted((left, right) => left.localeCompare(right));
  const answers = await ask(false, "ann", "bo", "cy");
  expect(answers.every((one) => one.ok && one.found[0]?.["succeeded"] === true)).toBe(true);
  expect([sizes(), names()]).toEqual([
    [1, 2],
    ["ann", "bo", "cy"],
  ]);
  received = [];
  await ask(true, "dee", "eve", "fay");
  const stop = await module.startWorker?.();
  await eventually("the rest to be sent", async () => (received.length === 2 ? received : undefined));
  await stop?.();
  expect([sizes(), names()]).toEqual([
    [1, 2],
    ["dee", "eve", "fay"],
  ]);
});

test("[SYN-142] a test says what was sent and what was answered, and shows the secret in neither", async () => {
  answer = (request) => ({ youSent: request.headers["authorization"] ?? "", plain: "top-secret" });
  const result = await t.as("SYNC_MANAGER").call(checks.testCustomAction, { body: input() });
  expect(JSON.stringify(result)).not.toContain("top-secret");
  expect(result.request).toMatchObject({
    method: "POST",
    url: `http://127.0.0.1:${port()}/notify/Ann%20%22A%22%2FB`,
    headers: { "x-other": "b", authorization: "•••", "content-type": "application/json" },
  });
  expect(JSON.parse(result.request.body ?? "")).toEqual({ name: 'Ann "A"/B', size: 3 });
  expect(result.response).toMatchObject({ status: 200, headers: { "content-type": "application/json" }, isCut: false });
  expect(JSON.parse(result.response?.body ?? "")).toEqual({ youSent: "Bearer •••", plain: "•••" });
  expect(received[0]?.headers["authorization"]).toBe("Bearer top-secret");
});

test("[SYN-142] validating names each field that saving would refuse, and sends nothing", async () => {
  const made = await make();
  const caller = t.as("SYNC_MANAGER");
  const problemsOf = async (change: object) => {
    const { problems } = await caller.call(checks.validateCustomAction, { body: input(change) });
    return problems.map(({ path }) => path);
  };
  expect(await problemsOf({})).toEqual([]);
  expect(await problemsOf({ apiName: made.apiName.toUpperCase() })).toEqual(["apiName"]);
  expect(await problemsOf({ apiName: made.apiName, actionId: made.id, secret: undefined })).toEqual([]);
  expect(await problemsOf({ secret: undefined })).toEqual(["secret"]);
  const elsewhere = { apiName: made.apiName, actionId: made.id, secret: undefined, endpoint: "https://else.example/" };
  expect(await problemsOf(elsewhere)).toEqual(["secret"]);
  expect(await problemsOf({ body: "{{nobody}}" })).toEqual(["body"]);
  expect(received).toEqual([]);
});

test("a test without a required value, or with one of another type, names the variable and sends nothing", async () => {
  const variables = [
    { name: "who", required: true },
    { name: "size", type: "number" },
  ];
  const body = input({ variables, variableValues: { size: "many" } });
  const refused = await t.as("SYNC_MANAGER").send(checks.testCustomAction, { body });
  expect(refused.status).toBe(400);
  expect(refused.body).toMatchObject({ errors: [{ path: "variableValues.who" }, { path: "variableValues.size" }] });
  expect(received).toEqual([]);
});

test("a record whose variables don't fit fails alone and says why; the rest of its batch is sent", async () => {
  const { id } = await make({
    isBatch: true,
    batchSize: 10,
    endpoint: `http://127.0.0.1:${port()}/notify`,
    body: "{{records}}",
    headers: [],
    variables: [
      { name: "who", required: true },
      { name: "size", type: "number", defaultValue: "1" },
    ],
  });
  answer = (request) => ({ key: request.headers["authorization"] ?? "" });
  const found = await perform(id, [{ who: "ann" }, { who: "" }, { who: "bo", size: "7" }, { who: "cy", size: "x" }]);
  expect(received.map(({ body }) => JSON.parse(body))).toEqual([
    [
      { who: "ann", size: 1 },
      { who: "bo", size: 7 },
    ],
  ]);
  expect(found.map((one) => one["message"])).toEqual([
    null,
    "Variable “who” needs a value.",
    null,
    "Variable “size” needs a number, not “x”.",
  ]);
  expect(found[0]?.["body"], "what the receiver repeats of the secret is masked").toEqual({ key: "Bearer •••" });
});

test("who made an action and who changed it last is known by name", async () => {
  const made = await make();
  expect(made.createdBy).toEqual({ firstName: "Test", lastName: "Person" });
  expect(made.updatedBy).toEqual(made.createdBy);
});

test("an action in use names its pipelines, their nodes and how it ended, and is deleted only when that is confirmed", async () => {
  const { id, apiName } = await make();
  const caller = t.as("SYNC_MANAGER");
  const entity = await caller.call(createEntity, { body: { apiName: `c${apiName}`, displayName: "Customer" } });
  const path = { params: { entityId: entity.id } };
  const { graph, revision } = await caller.call(createPipelineDraft, { ...path, body: {} });
  const node = GraphNode.parse({
    id: t.deps.newId(),
    nodeType: "ACTION",
    apiName: "customAction",
    label: "Notify",
    name: "Notify",
    configuration: { actionId: id, variables: { who: "{{previous.values.Name}}" } },
  });
  await caller.call(savePipelineDraft, {
    ...path,
    body: { graph: { ...graph, nodes: [...graph.nodes, node] }, revision },
  });
  await t.deps.dataPool.query(
    `INSERT INTO sync_action (id, instance_id, pipeline_id, version_number, node_id, label, action, work, state, ended_at, outcome)
     VALUES ($1, $2, $3, 1, $4, 'Notify', 'customAction', $5, 'FAILED', now(), '{"message": "The receiver answered 500."}')`,
    [t.deps.newId(), t.instanceId, entity.id, node.id, { kind: "custom", actionId: id, variables: {} }],
  );

  const params = { actionId: id };
  const { uses } = await t.as("VIEWER").call(checks.getCustomActionUses, { params });
  expect(uses).toEqual([
    {
      entityId: entity.id,
      pipeline: "Customer",
      graphVersion: "draft",
      scope: "entity",
      nodeId: node.id,
      label: "Notify",
      variables: { who: "{{previous.values.Name}}" },
    },
  ]);
  const usage = (await t.as("VIEWER").call(checks.listCustomActionUses, {})).actions.find((one) => one.actionId === id);
  expect(usage).toMatchObject({
    pipelines: [{ entityId: entity.id, name: "Customer", isPublished: false }],
    lastResult: { state: "FAILED", message: "The receiver answered 500.", entityId: entity.id },
  });

  const sibling = { organisationId: t.organisationId, instanceId: await t.build.instance({ name: "sibling" }) };
  const elsewhere = await t.as("ORG_ADMIN", sibling).call(checks.listCustomActionUses, {});
  expect(elsewhere.actions, "another instance learns nothing of it").toEqual([]);

  const refused = await caller.send(contract.deleteCustomAction, { params });
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({ code: "in_use", details: { uses: ["Customer"] } });
  await caller.call(contract.deleteCustomAction, { params, query: { confirmed: "true" } });
  expect((await caller.send(contract.getCustomAction, { params })).status).toBe(404);
});

test("two people change an action: the second is notified of the newer one; a name is there once", async () => {
  const made = await make();
  const params = { actionId: made.id };
  const body = { ...input({ apiName: made.apiName }), revision: made.revision };
  await t.as("SYNC_MANAGER").call(contract.updateCustomAction, { params, body });
  expect((await t.as("ORG_ADMIN").send(contract.updateCustomAction, { params, body })).status).toBe(409);
  const again = input({ apiName: made.apiName.toUpperCase() });
  expect((await t.as("SYNC_MANAGER").send(contract.createCustomAction, { body: again })).status).toBe(409);
});
