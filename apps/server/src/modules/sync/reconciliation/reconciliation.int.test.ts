/** Reconciliation over two real systems: faults injected behind the engine's back are found, all of them and nothing else, and repaired. */
import { expect, test } from "vitest";
import { pausePipeline, resumePipeline } from "@accord/contracts/sync/monitoring/runs";
import * as contract from "@accord/contracts/sync/reconciliation";
import type { Cursor } from "@accord/connector-sdk";
import { eventually } from "../../../../test-kit/sync-world/working-world.ts";
import type { ConnectorsModule } from "../../connections/connectors/index.ts";
import {
  PEOPLE,
  world,
  manager,
  sql,
  reconciled,
  differencesOf,
  linesOf,
  repair,
  standing,
  quiet,
  setUp,
} from "./fixtures/reconciliation.ts";

setUp();

const NOTHING_LEFT = { skipped: 0, changed: 0, unchecked: 0, withheld: 0 };

test("systems that agree give a report that says how much was compared and finds nothing", async () => {
  const report = await reconciled();
  expect(report).toMatchObject({ status: "FINISHED", coreRecords: PEOPLE, counts: [], unexplained: 0, problem: null });
  const systems = new Map(report.systems.map(({ connectorName, ...numbers }) => [connectorName, numbers]));
  for (const name of ["CRM", "Shop"]) expect(systems.get(name)).toMatchObject({ listed: PEOPLE, problem: null });
});

test("each injected fault is found where it stands, nothing else is, and a repair fixes all of them", async () => {
  const lostLink = await standing(1);
  const removed = await standing(2);
  const changedThere = await standing(3);
  const changedHere = await standing(4);
  const deletedHere = await standing(5);
  // A link that was lost, a contact deleted where nobody reads, a value changed there, a value and a deletion that only
  // the core has, and a contact put in twice.
  await sql(`DELETE FROM ${world.schema}.link WHERE place = $1 AND external_id = '1'`, [world.places.person]);
  await sql("DELETE FROM crm.contact WHERE id = $1", [removed.contactId]);
  await sql("UPDATE crm.contact SET name = 'Somebody else' WHERE id = $1", [changedThere.contactId]);
  await sql(`UPDATE ${world.records} SET city = 'Nowhere' WHERE accord_id = $1`, [changedHere.recordId]);
  await sql(`UPDATE ${world.records} SET accord_deleted = true WHERE accord_id = $1`, [deletedHere.recordId]);
  const [copy] = await sql(
    "INSERT INTO crm.contact (name, mail, city) SELECT name, mail, city FROM crm.contact WHERE id = $1 RETURNING id",
    [lostLink.contactId],
  );

  const report = await reconciled();
  expect(await linesOf(report)).toEqual(
    [
      "unlinked unexplained Shop 1 -",
      "not_delivered unexplained Shop - -",
      `missing unexplained CRM ${removed.contactId} -`,
      `different unexplained CRM ${changedThere.contactId} name`,
      "different unexplained Shop 4 city",
      `different unexplained CRM ${changedHere.contactId} city`,
      "not_deleted unexplained Shop 5 -",
      `not_deleted unexplained CRM ${deletedHere.contactId} -`,
      `doubled same_values CRM ${lostLink.contactId} -`,
    ].sort(),
  );
  const [doubled] = (await differencesOf(report)).filter(({ kind }) => kind === "doubled");
  expect(doubled?.outsideValue).toEqual([lostLink.contactId, String(copy?.["id"])].sort());
  const [different] = (await differencesOf(report)).filter(
    ({ externalId, kind }) => externalId === changedThere.contactId && kind === "different",
  );
  expect(different).toMatchObject({
    outsideValue: "Somebody else",
    coreValue: "Name 3",
    recordId: changedThere.recordId,
  });

  // First what would be done, then doing it.
  const params = { reconciliationId: report.id };
  const plan = await manager().call(contract.previewRepair, { params, body: { kind: "unlinked" } });
  expect(plan).toEqual({ ...NOTHING_LEFT, actions: [{ action: "link", count: 1 }] });
  const covered = await manager().call(contract.previewRepair, { params, body: { kind: "not_delivered" } });
  expect(covered).toEqual({ ...NOTHING_LEFT, actions: [], skipped: 1 });
  for (const kind of contract.DIFFERENCE_KINDS) await repair(report, { kind });
  await quiet();
  await sql("DELETE FROM crm.contact WHERE id = $1", [copy?.["id"]]);

  const after = await reconciled();
  expect(await linesOf(after)).toEqual([]);
  expect(after).toMatchObject({ coreRecords: PEOPLE - 1, unexplained: 0 });
  expect(await sql("SELECT name FROM crm.contact WHERE id = $1", [changedThere.contactId])).toEqual([
    { name: "Name 3" },
  ]);
  expect(await sql("SELECT count(*)::int AS count FROM shop.person")).toEqual([{ count: PEOPLE - 1 }]);
  expect(await sql("SELECT count(*)::int AS count FROM crm.contact")).toEqual([{ count: PEOPLE - 1 }]);
});

/** Nothing is sent or read until the test is over, so that a report stays as it is. */
async function whilePaused(story: () => Promise<void>): Promise<void> {
  const params = { entityId: world.entityId };
  await manager().call(pausePipeline, { params, body: {} });
  await eventually("the pause", async () => {
    const [row] = await sql("SELECT owner FROM sync_pipeline WHERE pipeline_id = $1", [world.entityId]);
    return row?.["owner"] === null ? true : undefined;
  });
  try {
    await story();
  } finally {
    await manager().call(resumePipeline, { params, body: {} });
  }
}

test("a repair of an old report does nothing about what is no longer so, and says how much that is", () =>
  whilePaused(async () => {
    const [again, gone] = [await standing(11), await standing(12)];
    const contacts = await sql("SELECT * FROM crm.contact WHERE id = ANY($1::bigint[])", [
      [again.contactId, gone.contactId],
    ]);
    await sql("DELETE FROM crm.contact WHERE id = ANY($1::bigint[])", [[again.contactId, gone.contactId]]);
    const report = await reconciled();
    const missing = (await linesOf(report)).filter((line) => line.startsWith("missing"));
    expect(missing).toHaveLength(2);

    const putBack = ({ id, name, mail, city }: Record<string, unknown>) =>
      sql("INSERT INTO crm.contact (id, name, mail, city) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4)", [
        id,
        name,
        mail,
        city,
      ]);
    for (const contact of contacts) if (String(contact["id"]) === again.contactId) await putBack(contact);
    const asked = await repair(report, { kind: "missing" });
    expect(asked).toEqual({ ...NOTHING_LEFT, actions: [{ action: "send", count: 1 }], changed: 1 });
    const dead = await sql(`SELECT external_id FROM ${world.schema}.link WHERE place = $1 AND dead`, [
      world.places.contact,
    ]);
    const ids = dead.map((row) => row["external_id"]);
    expect(ids).toContain(gone.contactId);
    expect(ids).not.toContain(again.contactId);
    const rest = await differencesOf(report);
    expect(rest.filter(({ repairRequestedAt }) => repairRequestedAt !== null)).toHaveLength(1);
  }));

test("a repair takes no more records as deleted at once than a look for deletions would", () =>
  whilePaused(async () => {
    const isChosen = "id BETWEEN 13 AND 45";
    await sql(`CREATE TABLE shop.kept AS SELECT * FROM shop.person WHERE ${isChosen}`);
    const count = (await sql(`DELETE FROM shop.person WHERE ${isChosen} RETURNING id`)).length;
    const report = await reconciled();
    expect(await repair(report, { kind: "missing" })).toEqual({ ...NOTHING_LEFT, actions: [], withheld: count });
    expect(await sql(`SELECT FROM ${world.schema}.missing_record`)).toEqual([]);

    // Those chosen one by one are few enough.
    const rows = await differencesOf(report);
    const few = rows.filter(({ kind }) => kind === "missing").slice(0, 2);
    const asked = await repair(report, { numbers: few.map(({ number }) => number) });
    expect(asked).toEqual({ ...NOTHING_LEFT, actions: [{ action: "take_as_deleted", count: 2 }] });

    await sql("ALTER TABLE shop.person RENAME TO away");
    expect(await repair(report, { kind: "missing" })).toEqual({ ...NOTHING_LEFT, actions: [], unchecked: count });
    await sql("ALTER TABLE shop.away RENAME TO person");
    await sql("INSERT INTO shop.person OVERRIDING SYSTEM VALUE SELECT * FROM shop.kept; DROP TABLE shop.kept");
    await sql(`DELETE FROM ${world.schema}.missing_record`);
  }));

test("a change that reading has moved past, and a row behind it, are found and read in", async () => {
  const params = { entityId: world.entityId };
  await manager().call(pausePipeline, { params, body: {} });
  await eventually("the pause", async () => {
    const [row] = await sql("SELECT owner FROM sync_pipeline WHERE pipeline_id = $1", [world.entityId]);
    return row?.["owner"] === null ? true : undefined;
  });
  await sql("UPDATE shop.person SET name = 'Unread' WHERE id = 10");
  const [added] = await sql(
    "INSERT INTO shop.person (name, mail, city) VALUES ('New', 'new@example.com', 'C') RETURNING id",
  );
  await skipChanges();

  const paused = await reconciled();
  expect(await linesOf(paused)).toEqual(
    ["different waiting_to_read Shop 10 name", `unlinked waiting_to_read Shop ${String(added?.["id"])} -`].sort(),
  );
  await manager().call(resumePipeline, { params, body: {} });
  const report = await reconciled();
  expect(await linesOf(report)).toEqual(
    ["different unexplained Shop 10 name", `unlinked unexplained Shop ${String(added?.["id"])} -`].sort(),
  );
  expect((await repair(report, { kind: "different" })).actions).toEqual([{ action: "read", count: 1 }]);
  expect((await repair(report, { kind: "unlinked" })).actions).toEqual([{ action: "read", count: 1 }]);
  await quiet();
  await world.untilSent(PEOPLE);
  const { contactId } = await standing(10);
  expect(await sql("SELECT name FROM crm.contact WHERE id = $1", [contactId])).toEqual([{ name: "Unread" }]);
  expect(await linesOf(await reconciled())).toEqual([]);
});

/** Moves the shop's position past all there is, as if it had been read. */
async function skipChanges(): Promise<void> {
  const { service: connectors } = world.t.module<ConnectorsModule>("connections/connectors");
  const facts = await connectors.entitySchema(world.t.instanceId, world.systems.shop, "person");
  if (!facts) throw new Error("the shop has people");
  const { schema } = facts;
  const connection = await connectors.openConnection(world.t.instanceId, world.systems.shop);
  const [row] = await sql(`SELECT cursor FROM ${world.schema}.source_position WHERE node_id = 'from_shop'`);
  // As long as a transaction is open in the cluster, whatever changed since it began is read again.
  const cursor = await eventually("a position behind all changes", async () => {
    const read = (from: Cursor) =>
      connection.read({ entity: schema, fields: ["name"], cursor: from, mode: "changes", pageSize: 500 });
    const page = await read(row?.["cursor"] as Cursor);
    return page.drained && (await read(page.cursor)).records.length === 0 ? page.cursor : undefined;
  });
  await connection.close();
  await sql(`UPDATE ${world.schema}.source_position SET cursor = $1 WHERE node_id = 'from_shop'`, [
    JSON.stringify(cursor),
  ]);
}

test("what waits, what is quarantined and what settings keep away is told as such", async () => {
  const params = { entityId: world.entityId };
  const waiting = await standing(20);
  const aside = await standing(21);
  await manager().call(pausePipeline, { params, body: {} });
  await sql(`UPDATE ${world.records} SET name = 'Edited' WHERE accord_id = ANY($1)`, [
    [waiting.recordId, aside.recordId],
  ]);
  for (const [place, { recordId }, isParked] of [
    [world.places.person, waiting, false],
    [world.places.contact, waiting, false],
    [world.places.person, aside, true],
    [world.places.contact, aside, true],
  ] as const) {
    await sql(`INSERT INTO ${world.schema}.delivery (place, record_id, parked) VALUES ($1, $2, $3)`, [
      place,
      recordId,
      isParked,
    ]);
  }
  const report = await reconciled();
  expect(await linesOf(report)).toEqual(
    [
      "different waiting_to_send Shop 20 name",
      `different waiting_to_send CRM ${waiting.contactId} name`,
      "different quarantined Shop 21 name",
      `different quarantined CRM ${aside.contactId} name`,
    ].sort(),
  );
  expect(report.unexplained).toBe(0);
  expect((await repair(report, { kind: "different" })).actions).toEqual([]);
  await sql(`UPDATE ${world.schema}.delivery SET parked = false`);
  await manager().call(resumePipeline, { params, body: {} });
  await quiet();
  expect(await linesOf(await reconciled())).toEqual([]);
});

test("a value that a system was sent and did not take is distinguished from its own spelling, and sent again by choice", async () => {
  const { recordId } = await standing(22);
  await sql(`CREATE FUNCTION shop.keep_city() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.city := OLD.city; RETURN NEW; END $$;
    CREATE TRIGGER keep_city BEFORE UPDATE ON shop.person FOR EACH ROW EXECUTE FUNCTION shop.keep_city()`);
  await sql(`UPDATE ${world.records} SET city = 'Moved' WHERE accord_id = $1`, [recordId]);
  const send = `INSERT INTO ${world.schema}.delivery (place, record_id) VALUES ($1, $3), ($2, $3)`;
  await sql(send, [world.places.person, world.places.contact, recordId]);
  await quiet();
  const report = await reconciled();
  expect(await linesOf(report)).toEqual(["different not_taken Shop 22 city"]);
  expect(report.unexplained).toBe(0);
  expect((await repair(report, { kind: "different" })).actions).toEqual([]);
  await sql("DROP TRIGGER keep_city ON shop.person");
  expect((await repair(report, { kind: "different", reason: "not_taken" })).actions).toEqual([
    { action: "send", count: 1 },
  ]);
  await quiet();
  expect(await sql("SELECT city FROM shop.person WHERE id = 22")).toEqual([{ city: "Moved" }]);
  expect(await linesOf(await reconciled())).toEqual([]);
});
