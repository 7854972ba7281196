/** Fragments through the API: saved, listed, hidden and shown, shared with other instances, deleted; and what is refused. */
import type { Id } from "@accord/contracts";
import * as contract from "@accord/contracts/sync/fragments";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { type Place, testApp, type TestApp } from "../../../../test-kit/index.ts";

let t: TestApp;
let own: Place;
let sibling: Place;

beforeAll(async () => {
  t = await testApp();
  own = { organisationId: t.organisationId, instanceId: t.instanceId };
  sibling = { ...own, instanceId: await t.build.instance({ name: "sibling" }) };
});
beforeEach(() => t.deps.appPool.query("DELETE FROM pipeline_fragment"));

const node = (id: string, change: object = {}) => ({
  id,
  label: id,
  nodeType: "FUNCTION" as const,
  apiName: "upperCase",
  ...change,
});
const edge = { id: "edge-of-a-and-b", source: "a", sourceAnchor: 2, target: "b", targetAnchor: 0, edgeType: "default" };
const content = { copyNodes: [node("a"), node("b")], copyEdges: [edge], copyGroups: [] };
const named = (name: string, change: object = {}) => ({ name, context: "entity" as const, content, ...change });
const manager = (at?: Place) => t.as("SYNC_MANAGER", at);
const save = (name: string, change: object = {}, at?: Place) =>
  manager(at).call(contract.saveFragment, { body: named(name, change) });
const listed = async (at?: Place, query: { context?: "entity" | "field" } = {}) =>
  (await t.as("VIEWER", at).call(contract.listFragments, { query })).fragments;
const names = async (at?: Place) => (await listed(at)).map(({ name }) => name);

test("[SYN-138] a saved fragment is listed by name in its context, and goes when it is deleted", async () => {
  const { id: fragmentId } = await save("Upper case", { description: "Twice" });
  await save("attach", { context: "field" });
  expect(await names()).toEqual(["attach", "Upper case"]);
  const [fragment, ...others] = await listed(undefined, { context: "entity" });
  expect(others).toEqual([]);
  expect(fragment).toMatchObject({ name: "Upper case", description: "Twice", hidden: false, sharedBy: null });
  expect(fragment?.content.copyNodes.map(({ id }) => id)).toEqual(["a", "b"]);
  expect(fragment?.content.copyEdges).toEqual([edge]);
  await manager().call(contract.deleteFragment, { params: { fragmentId } });
  expect(await names()).toEqual(["attach"]);
});

test("a name is taken once for each context, in any case", async () => {
  await save("Clean");
  await save("Clean", { context: "field" });
  const again = await manager().send(contract.saveFragment, { body: named("CLEAN") });
  expect(again).toMatchObject({ status: 409, body: { code: "name_taken" } });
});

test("sources, loops and edges without an end are refused with what is wrong", async () => {
  const refused = async (change: object) => {
    const answer = await manager().send(contract.saveFragment, {
      body: named("Wrong", { content: { ...content, ...change } }),
    });
    expect(answer.status).toBe(400);
    return (answer.body as { errors: { path: string; message: string }[] }).errors;
  };
  expect(await refused({ copyNodes: [node("crm", { nodeType: "ENTITY_SOURCE" })], copyEdges: [] })).toEqual([
    {
      path: "content.copyNodes",
      message: "crm can't be part of a fragment: only functions and actions can, and no loops",
    },
  ]);
  expect(await refused({ copyNodes: [node("each", { apiName: "forEach" })], copyEdges: [] })).toMatchObject([
    { path: "content.copyNodes" },
  ]);
  expect(await refused({ copyNodes: [node("a")] })).toMatchObject([{ path: "content.copyEdges" }]);
  expect(await refused({ copyNodes: [], copyEdges: [] })).toMatchObject([{ path: "content.copyNodes" }]);
});

test("[SYN-138] a hidden fragment says so until it is shown again, in its instance alone", async () => {
  const params = { fragmentId: (await save("Clean")).id };
  await t.as("SUPER_ADMIN").call(contract.shareFragment, { params, body: { instanceIds: [sibling.instanceId] } });
  const hidden = async (at?: Place) => (await listed(at)).map((fragment) => fragment.hidden);
  await manager(sibling).call(contract.hideFragment, { params });
  await manager(sibling).call(contract.hideFragment, { params });
  expect(await hidden(sibling)).toEqual([true]);
  expect(await hidden()).toEqual([false]);
  await manager(sibling).call(contract.showFragment, { params });
  expect(await hidden(sibling)).toEqual([false]);
});

test("[SYN-138] a shared fragment is there in the other instance, which can't change it, until it is shared no longer", async () => {
  const { id: fragmentId } = await save("Clean");
  const params = { fragmentId };
  expect(await names(sibling)).toEqual([]);
  const admin = t.as("SUPER_ADMIN");
  const shareWith = (instanceIds: Id<"instance">[]) =>
    admin.call(contract.shareFragment, { params, body: { instanceIds } });
  await shareWith([sibling.instanceId, own.instanceId, sibling.instanceId]);
  expect(await admin.call(contract.getFragmentShares, { params })).toEqual({ instanceIds: [sibling.instanceId] });
  const [shared] = await listed(sibling);
  expect(shared).toMatchObject({ id: fragmentId, name: "Clean", shareCount: 0 });
  expect(shared?.sharedBy).toEqual(expect.any(String));
  expect((await listed())[0]).toMatchObject({ sharedBy: null, shareCount: 1 });
  const there = manager(sibling);
  for (const refused of [
    await there.send(contract.deleteFragment, { params }),
    await there.send(contract.shareFragment, { params, body: { instanceIds: [] } }),
    await there.send(contract.getFragmentShares, { params }),
  ])
    expect(refused).toMatchObject({ status: 409, body: { code: "invalid_state" } });
  await shareWith([]);
  expect(await names(sibling)).toEqual([]);
  expect((await there.send(contract.hideFragment, { params })).status).toBe(404);
});

test("a fragment is not shared with instances that the caller may not work in, and shares of others with those stay", async () => {
  const params = { fragmentId: (await save("Clean")).id };
  const mine = manager();
  const foreign = await t.build.organisation("Strangers");
  const theirs = await t.build.instance({ name: "theirs", ...foreign });
  const refused = await mine.send(contract.shareFragment, { params, body: { instanceIds: [theirs] } });
  expect(refused).toMatchObject({ status: 404, body: { code: "not_found" } });
  const other = await t.asUser(await t.build.user({ roles: ["SYNC_MANAGER"] }));
  await t.as("SUPER_ADMIN").call(contract.shareFragment, { params, body: { instanceIds: [sibling.instanceId] } });
  expect(await other.call(contract.getFragmentShares, { params })).toEqual({ instanceIds: [] });
  const unseen = await other.send(contract.shareFragment, { params, body: { instanceIds: [sibling.instanceId] } });
  expect(unseen.status).toBe(404);
  await other.call(contract.shareFragment, { params, body: { instanceIds: [] } });
  expect(await names(sibling)).toEqual(["Clean"]);
});

test("who may only read lists fragments and changes none", async () => {
  const params = { fragmentId: (await save("Clean")).id };
  const viewer = t.as("VIEWER");
  expect((await viewer.send(contract.saveFragment, { body: named("Other") })).status).toBe(403);
  expect((await viewer.send(contract.deleteFragment, { params })).status).toBe(403);
  expect((await viewer.send(contract.hideFragment, { params })).status).toBe(403);
  expect(await names()).toEqual(["Clean"]);
});
