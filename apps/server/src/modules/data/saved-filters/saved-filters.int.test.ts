/** Tests of saved filters through HTTP: round trip, bookmarks of one's own, names, versions, pages. */
import type { Id } from "@accord/contracts";
import { listEntities } from "@accord/contracts/data/core-schema";
import type { Predicate } from "@accord/contracts/data/predicate";
import * as api from "@accord/contracts/data/saved-filters";
import { beforeAll, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";

let t: TestApp;
let accordEntityId: Id<"entity">;
let otherEntityId: Id<"entity">;

beforeAll(async () => {
  t = await testApp();
  const { entities } = await t.as("SYNC_MANAGER").call(listEntities, {});
  accordEntityId = entities.find(({ apiName }) => apiName === "Account")!.id;
  otherEntityId = entities.find(({ apiName }) => apiName === "Lead")!.id;
});

const blank = (field: string): Predicate => ({
  type: "condition",
  left: { kind: "field", field },
  operator: "isBlank",
  right: [],
});
const manager = () => t.as("SYNC_MANAGER");
const create = (name: string, more: object = {}) =>
  manager().call(api.createSavedFilter, {
    body: { name, criteria: blank("phone"), accordEntityId, tags: ["a"], ...more },
  });
const list = async (query: object, who = manager()) =>
  (await who.call(api.listSavedFilters, { query })).filters.map(({ name }) => name);

test("[PLT-058] a filter says what it is, who made it and who changed it last", async () => {
  const made = await create("No phone", { description: "To call" });
  expect(made).toMatchObject({
    name: "No phone",
    description: "To call",
    criteria: blank("phone"),
    accordEntityId,
    tags: ["a"],
    bookmarked: false,
  });
  expect(made.createdBy).toBe(made.updatedBy);
  const editorId = await t.build.user({ roles: ["INSTANCE_ADMIN"] });
  await t.deps.appPool.query("UPDATE app_user SET first_name = 'Other' WHERE id = $1", [editorId]);
  const editor = await t.asUser(editorId);
  const body = { name: "No phone", description: "", criteria: blank("email"), tags: [], version: made.version };
  const saved = await editor.call(api.saveSavedFilter, { params: { filterId: made.id }, body });
  expect(saved).toMatchObject({ createdBy: made.createdBy, criteria: blank("email"), version: 2 });
  expect(saved.updatedBy).not.toBe(made.updatedBy);
  expect(await editor.send(api.saveSavedFilter, { params: { filterId: made.id }, body })).toMatchObject({
    status: 409,
  });
});

test("[PLT-081] making adds to the entity's list and to all; bookmarks are one's own; deleting removes everywhere", async () => {
  const made = await create("Everywhere");
  expect(await list({ entityId: accordEntityId })).toContain("Everywhere");
  expect(await list({})).toContain("Everywhere");
  expect(await list({ entityId: otherEntityId })).not.toContain("Everywhere");
  const bookmark = (on: boolean) =>
    manager().call(api.bookmarkSavedFilter, { params: { filterId: made.id }, body: on });
  expect((await bookmark(true)).bookmarked).toBe(true);
  expect(await list({ bookmarked: "true" })).toContain("Everywhere");
  expect(await list({ bookmarked: "true" }, t.as("VIEWER"))).not.toContain("Everywhere");
  await bookmark(false);
  expect(await list({ bookmarked: "true" })).not.toContain("Everywhere");
  await bookmark(true);
  await manager().call(api.deleteSavedFilter, { params: { filterId: made.id } });
  for (const query of [{}, { entityId: accordEntityId }, { bookmarked: "true" }])
    expect(await list(query)).not.toContain("Everywhere");
});

test("[PLT-119] the list pages both ways, 100 at a time by default", async () => {
  for (let n = 0; n < 103; n++) await create(`Page ${String(n).padStart(3, "0")}`, { accordEntityId: otherEntityId });
  const page = (query: object) =>
    manager().call(api.listSavedFilters, { query: { entityId: otherEntityId, ...query } });
  const first = await page({});
  expect(first.filters).toHaveLength(100);
  const rest = await page({ cursor: first.pageInfo.nextCursor! });
  expect(rest.filters.map(({ name }) => name)).toEqual(["Page 100", "Page 101", "Page 102"]);
  expect(rest.pageInfo.nextCursor).toBeNull();
  const back = await page({ cursor: rest.pageInfo.previousCursor!, direction: "previous" });
  expect(back.filters).toEqual(first.filters);
});

test("a name is given once per person and entity, and a filter must fit its entity", async () => {
  await create("Mine");
  await expect(create("mine")).rejects.toMatchObject({ code: "name_taken" });
  await create("Mine", { accordEntityId: otherEntityId });
  await t
    .as("INSTANCE_ADMIN")
    .call(api.createSavedFilter, { body: { name: "Mine", criteria: blank("phone"), accordEntityId } });
  await expect(create("Broken", { criteria: blank("gone") })).rejects.toMatchObject({ code: "validation_failed" });
});
