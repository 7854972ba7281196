/** Records that somebody deleted at a destination which is not told to create them again: listed, with what can be done, and created by choice. */
import { afterAll, beforeAll, expect, test } from "vitest";
import * as contract from "@accord/contracts/sync/reconciliation";
import { type PersonPipeline, personPipeline } from "../../../../test-kit/systems/person-pipeline.ts";
import { eventually } from "../../../../test-kit/sync-world/working-world.ts";

const PEOPLE = 12;
let world: PersonPipeline;
const manager = () => world.t.as("SYNC_MANAGER");
const sql = (text: string, values: unknown[] = []) => world.systems.sql(text, values);
beforeAll(async () => {
  world = await personPipeline(PEOPLE, { destinations: { delete: false, recreate: false } });
}, 120_000);
afterAll(() => world?.close());

async function reconciled(): Promise<contract.Reconciliation> {
  const { id } = await manager().call(contract.startReconciliation, { params: { entityId: world.entityId }, body: {} });
  return eventually("the end of the reconciliation", async () => {
    const report = await manager().call(contract.getReconciliation, { params: { reconciliationId: id } });
    return report.endedAt === null ? undefined : report;
  });
}

async function differencesOf({ id }: contract.Reconciliation): Promise<contract.Difference[]> {
  const params = { reconciliationId: id };
  return (await manager().call(contract.listDifferences, { params, query: { count: 500 } })).differences;
}

const linesOf = (differences: contract.Difference[]): string[] =>
  differences
    .map(({ kind, reason, connectorName, recordId }) => `${kind} ${reason} ${connectorName} ${recordId}`)
    .sort();

const recordOf = async (shopId: number): Promise<string> => {
  const [row] = await sql(`SELECT record_id FROM ${world.schema}.link WHERE place = $1 AND external_id = $2`, [
    world.places.person,
    String(shopId),
  ]);
  return String(row?.["record_id"]);
};

const deadLinks = (place: number, count: number) =>
  eventually("dead links", async () => {
    const [row] = await sql(`SELECT count(*)::int AS count FROM ${world.schema}.link WHERE place = $1 AND dead`, [
      place,
    ]);
    return row?.["count"] === count ? true : undefined;
  });

test("records that lack at a destination because somebody deleted them there are listed, each with that reason", async () => {
  const [updated, dismissed, left] = [await recordOf(1), await recordOf(2), await recordOf(3)];
  // Two contacts are gone when their people change, one of them was dismissed from quarantine; a person leaves the shop alone.
  await sql("DELETE FROM crm.contact WHERE name IN ('Name 1', 'Name 2')");
  await sql("UPDATE shop.person SET city = 'Moved' WHERE id IN (1, 2)");
  await deadLinks(world.places.contact, 2);
  await sql(`DELETE FROM ${world.schema}.quarantine WHERE record_id = $1`, [dismissed]);
  await sql(`DELETE FROM ${world.schema}.delivery WHERE record_id = $1`, [dismissed]);
  await sql("DELETE FROM shop.person WHERE id = 3");
  // As a look for deleted records leaves it.
  await sql(`INSERT INTO ${world.schema}.missing_record (place, external_id) VALUES ($1, '3')`, [world.places.person]);
  await deadLinks(world.places.person, 1);

  const report = await reconciled();
  expect(linesOf(await differencesOf(report))).toEqual(
    [
      `not_delivered deleted_there CRM ${updated}`,
      `not_delivered deleted_there CRM ${dismissed}`,
      `not_delivered deleted_there Shop ${left}`,
    ].sort(),
  );
  expect(report).toMatchObject({
    unexplained: 0,
    counts: [{ kind: "not_delivered", reason: "deleted_there", count: 3, stored: 3 }],
  });
});

test("a repair creates them again only where they, or their reason, are chosen", async () => {
  const report = await reconciled();
  const params = { reconciliationId: report.id };
  const preview = (body: contract.RepairChoice) => manager().call(contract.previewRepair, { params, body });
  expect(await preview({ kind: "not_delivered" })).toMatchObject({ actions: [], skipped: 3 });
  const recreated = { actions: [{ action: "recreate", count: 3 }], skipped: 0 };
  expect(await preview({ kind: "not_delivered", reason: "deleted_there" })).toMatchObject(recreated);
  const differences = await differencesOf(report);
  const inCrm = differences.filter(({ connectorName }) => connectorName === "CRM").map(({ number }) => number);
  const chosen = await manager().call(contract.repairDifferences, { params, body: { numbers: inCrm } });
  expect(chosen).toMatchObject({ actions: [{ action: "recreate", count: 2 }], changed: 0, unchecked: 0 });
  await eventually("the contacts", async () => {
    const contacts = await sql("SELECT city FROM crm.contact WHERE name IN ('Name 1', 'Name 2')");
    return contacts.length === 2 && contacts.every(({ city }) => city === "Moved") ? true : undefined;
  });
  expect(await sql("SELECT FROM shop.person WHERE name = 'Name 3'")).toEqual([]);
  expect(linesOf(await differencesOf(await reconciled()))).toEqual([
    `not_delivered deleted_there Shop ${differences.find(({ connectorName }) => connectorName === "Shop")?.recordId}`,
  ]);
});

test("a contact that nobody wrote to since it was deleted is missing, and created again only by choice", async () => {
  await sql("DELETE FROM crm.contact WHERE name = 'Name 5'");
  const report = await reconciled();
  const params = { reconciliationId: report.id };
  const [missing] = (await differencesOf(report)).filter(({ kind }) => kind === "missing");
  expect(missing).toMatchObject({ reason: "unexplained", connectorName: "CRM", recordId: await recordOf(5) });
  expect(await manager().call(contract.previewRepair, { params, body: { kind: "missing" } })).toMatchObject({
    actions: [],
    skipped: 1,
  });
  const body = { numbers: [missing?.number ?? ""] };
  expect((await manager().call(contract.repairDifferences, { params, body })).actions).toEqual([
    { action: "recreate", count: 1 },
  ]);
  await eventually("the contact", async () => {
    const contacts = await sql("SELECT FROM crm.contact WHERE name = 'Name 5'");
    return contacts.length === 1 ? true : undefined;
  });
});
