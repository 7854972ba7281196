/** Tests of the unified model's schema through HTTP: starters, drafts, publishing, field rules and uses. */
import * as api from "@accord/contracts/data/core-schema";
import { createRecord, getRecord, listRecords } from "@accord/contracts/data/records";
import { createSavedFilter } from "@accord/contracts/data/saved-filters";
import { beforeAll, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});

const manager = () => t.as("SYNC_MANAGER");
const make = (body: Partial<api.CreateEntityBody> = {}) =>
  manager().call(api.createEntity, {
    body: {
      apiName: `E${t.deps.newId()}`,
      displayName: "Invoice",
      fields: [
        { apiName: "number", displayName: "Number" },
        { apiName: "amount", displayName: "Amount", dataType: "integer" },
      ],
      publish: true,
      ...body,
    } as never,
  });

test("a new instance starts with the common entities, references included", async () => {
  const { entities } = await manager().call(api.listEntities, {});
  expect(entities.map(({ apiName }) => apiName)).toEqual([
    "Account",
    "Campaign",
    "Case",
    "Contact",
    "Lead",
    "Opportunity",
    "Product",
    "Task",
    "User",
  ]);
  const contact = entities.find(({ apiName }) => apiName === "Contact");
  expect(contact?.fields.find(({ apiName }) => apiName === "account")).toMatchObject({ referenceTo: "Account" });
  expect(entities.every(({ state, version }) => state === "APPROVED" && version === 1)).toBe(true);
});

test("[PLT-126] the full cycle of a draft: create, edit, discard, edit again, publish", async () => {
  const entity = await make();
  const path = { params: { entityId: entity.id } };
  const draft = await manager().call(api.createEntityDraft, { ...path, body: {} });
  expect(draft).toMatchObject({ state: "DRAFT", version: 1, hasDraft: true });
  await manager().call(api.createField, { ...path, body: { apiName: "due", displayName: "Due", dataType: "date" } });
  const { entity: back } = await manager().call(api.discardEntityDraft, path);
  expect(back).toMatchObject({ state: "APPROVED", hasDraft: false });
  expect(back?.fields.map(({ apiName }) => apiName)).toEqual(["number", "amount"]);

  const edited = await manager().call(api.createField, {
    ...path,
    body: { apiName: "due", displayName: "Due", dataType: "date" },
  });
  const seen = await manager().call(api.getEntity, { ...path, query: { version: "published" } });
  expect(seen.fields.map(({ apiName }) => apiName)).toEqual(["number", "amount"]);
  const published = await manager().call(api.publishEntity, { ...path, body: { revision: edited.revision } });
  expect(published).toMatchObject({ state: "APPROVED", version: 2, hasDraft: false });
  const { fields } = await manager().call(api.listEntityFields, { ...path, query: {} });
  expect(fields.map(({ apiName }) => apiName)).toEqual(["number", "amount", "due"]);
  const { record } = await manager().call(createRecord, { ...path, body: { values: { due: "2026-01-31" } } });
  expect(record?.values["due"]).toBe("2026-01-31");
});

test("[PLT-075] versions: a first draft is NEW, then APPROVED; the next publish leaves it ARCHIVED", async () => {
  const entity = await make({ publish: false });
  const path = { params: { entityId: entity.id } };
  const states = async () =>
    (await manager().call(api.listEntityVersions, path)).versions.map(({ version, state }) => [version, state]);
  expect(await states()).toEqual([[1, "NEW"]]);
  await manager().call(api.publishEntity, { ...path, body: { revision: entity.revision } });
  expect(await states()).toEqual([[1, "APPROVED"]]);
  const draft = await manager().call(api.createEntityDraft, { ...path, body: {} });
  expect(await states()).toEqual([
    [2, "DRAFT"],
    [1, "APPROVED"],
  ]);
  await manager().call(api.publishEntity, { ...path, body: { revision: draft.revision } });
  expect(await states()).toEqual([
    [2, "APPROVED"],
    [1, "ARCHIVED"],
  ]);
});

test("an entity that was never published goes with its draft", async () => {
  const entity = await make({ publish: false });
  const { entity: left } = await manager().call(api.discardEntityDraft, { params: { entityId: entity.id } });
  expect(left).toBeNull();
  await expect(
    manager().call(api.getEntity, { params: { entityId: entity.id }, query: { version: "draft" } }),
  ).rejects.toMatchObject({ status: 404 });
});

test("the field rules: names, targets and options are checked, each problem at its field", async () => {
  const entity = await make();
  const path = { params: { entityId: entity.id } };
  const refused = async (body: object) => {
    const { status, body: answer } = await manager().send(api.createField, { ...path, body });
    const { code, errors } = answer as { code: string; errors?: { path: string }[] };
    return [status, code, errors?.[0]?.path];
  };
  expect(await refused({ apiName: "NUMBER", displayName: "Again" })).toEqual([409, "name_taken", undefined]);
  expect(await refused({ apiName: "no space", displayName: "x" })).toEqual([400, "validation_failed", "apiName"]);
  expect(await refused({ apiName: "constructor", displayName: "x" })).toEqual([400, "validation_failed", "apiName"]);
  expect(await refused({ apiName: "accord_id", displayName: "x" })).toEqual([400, "validation_failed", "apiName"]);
  expect(await refused({ apiName: "to", displayName: "To", dataType: "reference", referenceTo: "Nowhere" })).toEqual([
    400,
    "validation_failed",
    "referenceTo",
  ]);
  expect(await refused({ apiName: "pick", displayName: "Pick", dataType: "picklist" })).toEqual([
    400,
    "validation_failed",
    "picklist",
  ]);
});

test("after publishing, an api name is fixed and a type may only widen, with every value kept", async () => {
  const entity = await make();
  const path = { entityId: entity.id };
  const [, amount] = entity.fields;
  const { record } = await manager().call(createRecord, { params: path, body: { values: { amount: "12" } } });
  const save = (change: object, revision: number) =>
    manager().send(api.saveField, {
      params: { ...path, fieldId: amount?.id },
      body: { apiName: "amount", displayName: "Amount", dataType: "integer", revision, ...change },
    });
  expect((await save({ apiName: "sum" }, 0)).status).toBe(400);
  expect((await save({ dataType: "boolean" }, 0)).status).toBe(400);
  const saved = await save({ dataType: "decimal" }, 0);
  expect(saved.status).toBe(200);
  expect((await save({ dataType: "string" }, 0)).status).toBe(409);
  const { revision } = saved.body as { revision: number };
  await manager().call(api.publishEntity, { params: path, body: { revision } });
  const after = await manager().call(getRecord, { params: { ...path, recordId: record!.accordId } });
  expect(after.record.values["amount"]).toBe("12");
});

test("a field in use is not removed, and the refusal lists its uses", async () => {
  const entity = await make();
  const [number] = entity.fields;
  const condition = {
    type: "condition",
    left: { kind: "field", field: "number" },
    operator: "isBlank",
    right: [],
  } as const;
  await manager().call(createSavedFilter, {
    body: { name: "Without number", criteria: condition, accordEntityId: entity.id },
  });
  const { status, body } = await manager().send(api.deleteField, {
    params: { entityId: entity.id, fieldId: number?.id },
  });
  expect(status).toBe(409);
  expect(body).toMatchObject({
    code: "in_use",
    details: { uses: [{ kind: "savedFilter", name: "Saved filter Without number" }] },
  });
});

test("[PLT-121] an unused entity is deleted with its records; one that others point to is refused", async () => {
  const target = await make();
  const pointing = await make({
    fields: [
      { apiName: "invoice", displayName: "Invoice", dataType: "reference", referenceTo: target.apiName } as never,
    ],
  });
  const remove = (entityId: string) => manager().send(api.deleteEntity, { params: { entityId } });
  expect((await remove(target.id)).body).toMatchObject({ code: "in_use", details: { uses: [{ kind: "reference" }] } });
  expect((await remove(pointing.id)).status).toBe(200);
  expect((await remove(target.id)).status).toBe(200);
  const tables = await t.deps.dataPool.query("SELECT 1 FROM pg_class WHERE relname = ANY($1)", [
    [`r_${target.apiName}`, `r_${pointing.apiName}`],
  ]);
  expect(tables.rowCount).toBe(0);
});

test("a removed field takes its values along; a new one of its name starts empty", async () => {
  const entity = await make();
  const path = { params: { entityId: entity.id } };
  const { record } = await manager().call(createRecord, { ...path, body: { values: { number: "A", amount: 7 } } });
  const without = await manager().call(api.deleteField, {
    params: { entityId: entity.id, fieldId: entity.fields[1]!.id },
  });
  await manager().call(api.publishEntity, { ...path, body: { revision: without.revision } });
  const again = await manager().call(api.createField, { ...path, body: { apiName: "amount", displayName: "Amount" } });
  await manager().call(api.publishEntity, { ...path, body: { revision: again.revision } });
  const after = await manager().call(getRecord, { params: { entityId: entity.id, recordId: record!.accordId } });
  expect(after.record.values).toMatchObject({ number: "A", amount: null });
});

test("two people who edit one draft: the second is told and shown the newer one", async () => {
  const entity = await make();
  const save = (displayName: string) =>
    manager().send(api.saveEntity, { params: { entityId: entity.id }, body: { displayName, revision: 0 } });
  expect((await save("Bill")).status).toBe(200);
  expect(await save("Receipt")).toMatchObject({
    status: 409,
    body: { code: "stale_version", details: { newest: { displayName: "Bill" } } },
  });
});

test("what another process changes in the model is in force at the next call", async () => {
  const { id: entityId } = await make();
  const list = () => manager().call(listRecords, { params: { entityId }, query: {} });
  const names = async () => (await list()).metadata.fields.map(({ displayName }) => displayName);
  expect(await names()).toEqual(["Number", "Amount"]);
  // As another process would: this one hears nothing of it.
  await t.deps.appPool.query(
    `UPDATE core_entity_version SET definition = jsonb_set(definition, '{fields,0,displayName}', '"Code"') WHERE entity_id = $1`,
    [entityId],
  );
  expect(await names()).toEqual(["Code", "Amount"]);
  await t.deps.appPool.query("DELETE FROM core_entity WHERE id = $1", [entityId]);
  await expect(list()).rejects.toMatchObject({ status: 404 });
});

test("tables lost from the data database are made again at start", async () => {
  const entity = await make();
  await t.deps.dataPool.query(`DROP TABLE "i_${t.instanceId}"."r_${entity.apiName}"`);
  await t.module("data/schema").start?.();
  const { record } = await manager().call(createRecord, {
    params: { entityId: entity.id },
    body: { values: { number: "1" } },
  });
  expect(record?.values["number"]).toBe("1");
});
