/** Custom actions: made, tried out, kept from leaking their secret, and refused where they would. */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as contract from "@accord/contracts/sync/actions";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { eventually } from "../../../../test-kit/working-world.ts";
import type { Module } from "../../../platform/module.ts";
import type { ActionsService } from "./index.ts";

let t: TestApp;
let server: Server;
let heard: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[] = [];
let status = 200;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    heard.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
    response.writeHead(status, { "content-type": "application/json" }).end('{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t = await testApp();
  t.deps.outbound.allow(`127.0.0.1:${port()}`);
});
beforeEach(() => {
  heard = [];
  status = 200;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const port = (): number => (server.address() as AddressInfo).port;
const input = (change: object = {}) => ({
  displayName: "Tell billing",
  apiName: `tell_${t.deps.newId()}`,
  endpoint: `http://127.0.0.1:${port()}/tell/{{who}}`,
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

test("[SYN-065] [SYN-142] a test sends the request with its headers, its secret and escaped values", async () => {
  const result = await t.as("SYNC_MANAGER").call(contract.testCustomAction, { body: input() });
  expect(result).toMatchObject({ succeeded: true, body: { ok: true }, code: null });
  expect(heard).toHaveLength(1);
  expect(heard[0]).toMatchObject({ method: "POST", url: "/tell/Ann%20%22A%22%2FB" });
  expect(JSON.parse(heard[0]?.body ?? "")).toEqual({ name: 'Ann "A"/B', size: 3 });
  expect(heard[0]?.headers).toMatchObject({
    "x-team": 'Ann "A"/B',
    "x-other": "b",
    authorization: "Bearer top-secret",
  });
});

test("[SYN-152] an answer that is no success is shown as it came", async () => {
  status = 404;
  const result = await t.as("SYNC_MANAGER").call(contract.testCustomAction, { body: input() });
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
  const test = await t.as("SYNC_MANAGER").send(contract.testCustomAction, { body: { ...tried, actionId: made.id } });
  expect(test.status).toBe(403);
  expect(heard).toEqual([]);
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
  const result = await t.as("SYNC_MANAGER").call(contract.testCustomAction, { body });
  expect(result).toMatchObject({ succeeded: false, code: "http_refused" });
});

test("[SYN-065] a batch action makes one request for several records, awaited or not, and all share its answer", async () => {
  const { id } = await make({
    isBatch: true,
    batchSize: 2,
    endpoint: `http://127.0.0.1:${port()}/tell`,
    body: '{"all": {{records}}}',
    headers: [],
  });
  const call = (who: string) => ({
    key: `node ${who}`,
    nodeId: "node",
    label: "Tell",
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
    heard
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
  heard = [];
  await ask(true, "dee", "eve", "fay");
  const stop = await module.startWorker?.();
  await eventually("the rest to be told", async () => (heard.length === 2 ? heard : undefined));
  await stop?.();
  expect([sizes(), names()]).toEqual([
    [1, 2],
    ["dee", "eve", "fay"],
  ]);
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
