/** Reconciliations as jobs: one at a time, cancelled, begun anew, written to a file, beside a busy pipeline. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import { expect, test } from "vitest";
import * as contract from "@accord/contracts/sync/reconciliation";
import { eventually } from "../../../../test-kit/sync-world/working-world.ts";
import { world, manager, sql, reconciled, linesOf, repair, standing, quiet, setUp } from "./fixtures/reconciliation.ts";

setUp();

test("one at a time: a second one is refused, one whose worker died begins anew, and one that is cancelled ends", async () => {
  const params = { entityId: world.entityId };
  const id = world.t.deps.newId<"reconciliation">();
  // As a worker leaves it that was killed: held, and half done.
  await sql(
    `INSERT INTO sync_reconciliation (id, instance_id, pipeline_id, version_number, status, requested_by, owner, attempts, lease_until)
     VALUES ($1, $2, $3, 1, 'RUNNING', 'Ada', 'killed', 1, now() + interval '3 seconds')`,
    [id, world.t.instanceId, world.entityId],
  );
  await sql(
    `INSERT INTO ${world.schema}.reconciliation_listed (reconciliation_id, place, external_id) VALUES ($1, $2, 'gone')`,
    [id, world.places.person],
  );
  const refused = await manager().send(contract.startReconciliation, { params, body: {} });
  expect([refused.status, refused.body]).toMatchObject([409, { code: "reconciliation_running" }]);
  const early = { params: { reconciliationId: id }, body: { numbers: ["1"] } };
  expect((await manager().send(contract.repairDifferences, early)).body).toMatchObject({
    code: "invalid_state",
    description: syncRefusals.reconciliationUnfinished,
  });
  const report = await eventually("the end of the one begun anew", async () => {
    const now = await manager().call(contract.getReconciliation, { params: { reconciliationId: id } });
    return now.endedAt === null ? undefined : now;
  });
  expect(report).toMatchObject({ status: "FINISHED", counts: [] });
  expect(await sql(`SELECT FROM ${world.schema}.reconciliation_listed`)).toEqual([]);

  const begun = await manager().call(contract.startReconciliation, { params, body: {} });
  const ofBegun = { params: { reconciliationId: begun.id }, body: {} };
  await manager().call(contract.cancelReconciliation, ofBegun);
  const ended = await eventually("the end of the cancelled one", async () => {
    const now = await manager().call(contract.getReconciliation, { params: ofBegun.params });
    return now.endedAt === null ? undefined : now;
  });
  expect(["CANCELLED", "FINISHED"]).toContain(ended.status);
  expect((await manager().send(contract.cancelReconciliation, ofBegun)).body).toMatchObject({
    code: "invalid_state",
    description: syncRefusals.reconciliationOver,
  });
});

test("the file holds what the list shows, and no cell that a spreadsheet would run", async () => {
  const { recordId, contactId } = await standing(30);
  await sql(`UPDATE ${world.records} SET city = '=HYPERLINK("http://x")' WHERE accord_id = $1`, [recordId]);
  const report = await reconciled();
  const params = { reconciliationId: report.id };
  const { body } = await manager().send(contract.downloadDifferences, { params, query: { kind: "different" } });
  const text = String(body);
  expect(text).toContain(`different,unexplained,CRM,Contact,${contactId},${recordId},city,city,City 2,`);
  expect(text).toContain(`"'=HYPERLINK(""http://x"")"`);
  expect(text.trimEnd().split("\r\n")).toHaveLength(3);
  await repair(report, { kind: "different" });
  await quiet();
});

test("a record that is sent between two looks is not missing", async () => {
  // Held back until the first look is over.
  await sql(
    `CREATE FUNCTION crm.hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(2); RETURN NEW; END $$`,
  );
  await sql("CREATE TRIGGER hold BEFORE INSERT ON crm.contact FOR EACH ROW EXECUTE FUNCTION crm.hold()");
  await sql("INSERT INTO shop.person (name, mail, city) VALUES ('Late', 'late@example.com', 'L')");
  await eventually("the delivery", async () => {
    const [row] = await sql(`SELECT count(*)::int AS count FROM ${world.schema}.delivery`);
    return row?.["count"] === 1 ? true : undefined;
  });
  const report = await reconciled();
  expect(await linesOf(report)).toEqual([]);
  await sql("DROP TRIGGER hold ON crm.contact");
});

test("a busy pipeline gives no false alarm", async () => {
  let isOver = false;
  const busy = (async () => {
    for (let round = 0; !isOver; round += 1) {
      await sql("UPDATE shop.person SET name = 'Round ' || $1 || ' ' || id WHERE id % 5 = $1 % 5 AND id > 8", [round]);
      await sql(
        "INSERT INTO shop.person (name, mail, city) VALUES ('Busy ' || $1, 'busy' || $1 || '@example.com', 'B')",
        [round],
      );
      await sql(
        "DELETE FROM shop.person WHERE id = (SELECT max(id) FROM shop.person WHERE mail LIKE 'busy%') AND $1 % 3 = 0",
        [round],
      );
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
  })();
  try {
    for (let round = 0; round < 2; round += 1) {
      const report = await reconciled();
      const lines = (await linesOf(report)).filter((line) => line.includes(" unexplained "));
      expect(lines).toEqual([]);
    }
  } finally {
    isOver = true;
    await busy;
  }
}, 240_000);
