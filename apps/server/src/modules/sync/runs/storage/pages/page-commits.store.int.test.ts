/** What a page's commit changes beside records and links: deliveries, what is quarantined, conflicts, positions, references. */
import type { CommitBatch, QuarantineWrite, DeliveryResult } from "@accord/sync-engine/run";
import { describe, expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../../test-kit/database/database.ts";
import { countStatements } from "../../../../../../test-kit/database/count-statements.ts";
import { newId, PLACE, pageOf, storeWorld } from "../../../../../../test-kit/replay/store-world.ts";
import { UnstorableValue } from "../unstorable-values.store.ts";

const OTHER = PLACE + 1;

async function pages() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const it = await storeWorld(database);
  const { pool, schema, storage, run } = it;
  const commit = (batch: Partial<CommitBatch>) => storage.commit(run, { ...pageOf(), position: null, ...batch }, newId);
  const rows = async (text: string): Promise<string[]> =>
    (await pool.query({ text: text.replaceAll("$SCHEMA", schema), rowMode: "array" })).rows.map((row) => row.join(" "));
  const record = (id: string, version = 1) =>
    pool.query(
      `INSERT INTO ${schema}."r_Customer" (accord_id, accord_origin, accord_version, name, phone, accord_updated_at)
       VALUES ($1, '{}', $2, 'Ada', '1', '2020-01-01')`,
      [id, version],
    );
  const want = (place: number, recordId: string, more: { intent?: string; parked?: boolean } = {}) =>
    pool.query(
      `INSERT INTO ${schema}.delivery (place, record_id, wanted, attempts, next_at, intent, parked)
       VALUES ($1, $2, 5, 3, now() + interval '1 hour', $3, $4)`,
      [place, recordId, more.intent ?? null, more.parked ?? false],
    );
  return { ...it, commit, rows, record, want };
}

const DELIVERIES = `SELECT place, record_id, wanted - 5 > 0, attempts, parked, intent, next_at > now() FROM $SCHEMA.delivery ORDER BY 1, 2`;

describe("a page", () => {
  test("updates the fields that changed, of records that stand as it saw them", async () => {
    const { commit, rows, record } = await pages();
    for (const id of ["r1", "r2", "r3"]) await record(id, 4);
    const update = (recordId: string, expectedVersion: number, deleted = false) => ({
      ...{ recordId, expectedVersion, deleted },
      values: { name: "Ida", phone: "not among the changes" },
      origin: { name: { by: "crm.customer", at: "2026" } },
    });
    const ledger = [{ recordId: "r1", operation: "update", externalId: null, refused: null } as const];
    const changes = { name: ["Ada", "Ida"] as [string, string] };
    expect(await commit({ updates: [update("r1", 3)], ledger: [{ ...ledger[0]!, changes }] })).toEqual({
      status: "conflict",
    });
    expect(
      (await commit({ updates: [update("r1", 4), update("r2", 4, true)], ledger: [{ ...ledger[0]!, changes }] }))
        .status,
    ).toBe("done");
    expect(
      await rows(
        `SELECT accord_id, accord_version, accord_deleted, name, phone, accord_origin->'name'->>'at', accord_updated_at > '2021-01-01' FROM $SCHEMA."r_Customer" ORDER BY 1`,
      ),
    ).toEqual(["r1 5 false Ida 1 2026 true", "r2 5 true Ida 1 2026 true", "r3 4 false Ada 1  false"]);
  });

  test("asks for tellings: new ones, and one more reason for those that are outstanding", async () => {
    const { commit, rows, want } = await pages();
    await want(PLACE, "outstanding", { parked: true });
    await want(PLACE, "in doubt", { intent: "update" });
    await want(PLACE, "renewed");
    await want(OTHER, "renewed");
    await want(OTHER, "outstanding");
    const tell = (recordId: string, onlyIfOutstanding = false) => ({ placeId: PLACE, recordId, onlyIfOutstanding });
    await commit({
      deliveries: [
        tell("new"),
        tell("new"),
        tell("outstanding"),
        tell("in doubt"),
        tell("renewed", true),
        tell("nothing", true),
      ],
    });
    expect(await rows(DELIVERIES)).toEqual([
      `${PLACE} in doubt true 0 false update true`,
      `${PLACE} new true 0 false  false`,
      `${PLACE} outstanding true 0 false  false`,
      `${PLACE} renewed true 0 false  false`,
      `${OTHER} outstanding false 3 false  true`,
      `${OTHER} renewed false 3 false  true`,
    ]);
  });

  test("has those told that a place lacks: not what it has, had, is to be told or was quarantined", async () => {
    const { pool, schema, commit, rows, record, want, storage } = await pages();
    for (const id of ["new", "linked", "gone", "wanted", "parked"]) await record(id);
    await pool.query(
      `INSERT INTO ${schema}.link (place, external_id, record_id, seen, told, dead, seen_at)
       VALUES ($1, '1', 'linked', '', '', false, now()), ($1, '2', 'gone', '', '', true, now()),
              (${PLACE}, '3', 'new', '', '', false, now())`,
      [OTHER],
    );
    await want(OTHER, "wanted");
    await want(OTHER, "parked", { parked: true });
    const before = await rows(DELIVERIES);
    const all = ["new", "linked", "gone", "wanted", "parked", "new"];
    const lacking = all.map((recordId) => ({ placeId: OTHER, recordId }));
    expect(new Set((await storage.findLacking(lacking)).map(({ recordId }) => recordId))).toEqual(
      new Set(["new", "wanted", "parked"]),
    );
    await commit({ lacking });
    expect((await rows(DELIVERIES)).filter((row) => !before.includes(row))).toEqual([
      `${OTHER} new true 0 false  false`,
    ]);
    expect(await rows(DELIVERIES)).toEqual(expect.arrayContaining(before));
  });

  test("settles tellings of what its place was seen to hold, unless they are in doubt, parked, or of another version", async () => {
    const { commit, rows, record, want } = await pages();
    for (const id of ["seen", "doubt", "parked", "moved", "unseen"]) {
      await record(id, 2);
      await want(PLACE, id, id === "doubt" ? { intent: "update" } : id === "parked" ? { parked: true } : {});
    }
    await want(OTHER, "seen");
    const fulfilled = ["seen", "doubt", "parked", "moved"].map((recordId) => ({
      recordId,
      version: recordId === "moved" ? 1 : 2,
    }));
    await commit({ fulfilled });
    expect(await rows(`SELECT place, record_id FROM $SCHEMA.delivery ORDER BY 1, 2`)).toEqual([
      ...["doubt", "moved", "parked", "unseen"].map((id) => `${PLACE} ${id}`),
      `${OTHER} seen`,
    ]);
  });

  test("puts records aside once each, counting attempts, and lets those go that got through", async () => {
    const { pool, schema, pipelineId, commit, rows } = await pages();
    const quarantineEntries = (externalId: string, more: Partial<QuarantineWrite> = {}): QuarantineWrite => ({
      ...{ direction: "source", externalId, recordId: null, nodeId: "n", code: "bad", message: "Bad" },
      ...{ payload: { name: externalId }, knownUntil: "2026-01-01T00:00:00.000Z", modifiedAt: "1" },
      ...more,
    });
    await commit({
      quarantine: [quarantineEntries("a"), quarantineEntries("b", { payload: null }), quarantineEntries("c")],
    });
    await pool.query(`UPDATE ${schema}.quarantine SET status = 'RETRYING', at = now() - interval '1 day'`);
    for (const [place, direction] of [
      [OTHER, "source"],
      [PLACE, "destination"],
    ])
      await pool.query(
        `INSERT INTO ${schema}.quarantine (id, pipeline_id, place, direction, external_id, code, message) VALUES ($1, $2, $3, $4, 'b', 'kept', '')`,
        [newId(), pipelineId, place, direction],
      );
    await commit({
      quarantine: [
        quarantineEntries("a", {
          code: "worse",
          message: "Worse",
          nodeId: "m",
          payload: { name: "again" },
          knownUntil: "2027-01-01T00:00:00.000Z",
          modifiedAt: "2",
        }),
      ],
      settled: ["b"],
    });
    expect(
      await rows(
        `SELECT place, external_id, direction, status, code, message, node_id, attempts, payload->>'name', extract(year FROM known_until), modified_at, at > now() - interval '1 hour', resolved_at IS NOT NULL
         FROM $SCHEMA.quarantine ORDER BY 1, 2, 3 DESC`,
      ),
    ).toEqual([
      `${PLACE} a source OPEN worse Worse m 2 again 2026 2 true false`,
      `${PLACE} b source RESOLVED bad Bad n 1  2026 1 false true`,
      `${PLACE} b destination OPEN kept   1    true false`,
      `${PLACE} c source RETRYING bad Bad n 1 c 2026 1 false false`,
      `${OTHER} b source OPEN kept   1    true false`,
    ]);
    await commit({ quarantine: [quarantineEntries("b")] });
    expect(
      await rows(
        `SELECT status FROM $SCHEMA.quarantine WHERE external_id = 'b' AND place = ${PLACE} ORDER BY status, direction`,
      ),
    ).toEqual(["OPEN", "OPEN", "RESOLVED"]);
  });

  test("notes what its place objects to, and no longer; what a person settled stays settled while it says the same", async () => {
    const { pool, schema, commit, rows } = await pages();
    const objection = (recordId: string, field: string, value: string) => ({
      ...{ recordId, field, value, at: "2026", reason: "older" as const },
    });
    await commit({
      conflicts: [objection("r1", "name", "Eve"), objection("r1", "phone", "1"), objection("r2", "name", "x")],
    });
    await pool.query(
      `INSERT INTO ${schema}.conflict (pipeline_id, record_id, field, place, at, reason) VALUES ('p', 'r1', 'name', ${OTHER}, '', 'older')`,
    );
    await pool.query(
      `UPDATE ${schema}.conflict SET settled_at = now(), settled_by = 'Uma', noticed_at = now() - interval '1 day'`,
    );
    await commit({
      conflicts: [
        { ...objection("r1", "name", "Eve"), at: "2027", reason: "lower_ranked" },
        objection("r2", "name", "new"),
      ],
      agreed: [{ recordId: "r1", field: "phone" }],
    });
    await commit({ agreed: [{ recordId: "r2", field: "phone" }] });
    expect(
      await rows(
        `SELECT record_id, field, place, value, at, reason, settled_by, settled_at IS NOT NULL, noticed_at > now() - interval '1 hour' FROM $SCHEMA.conflict ORDER BY 1, 2, 3`,
      ),
    ).toEqual([
      `r1 name ${PLACE} Eve 2027 lower_ranked Uma true true`,
      `r1 name ${OTHER}   older Uma true false`,
      `r2 name ${PLACE} new 2026 older  false true`,
    ]);
  });

  test("says how far its source is, of changes or of the resync under way, and whether it is through", async () => {
    const { pool, instanceId, pipelineId, commit, rows } = await pages();
    const reach = (nodeId: string, after: string, more: object = {}) =>
      commit({ position: { nodeId, cursor: { after }, of: "changes", ...more } });
    await reach("s", "1");
    await reach("t", "5", { isComplete: true });
    await pool.query(`UPDATE "i_${instanceId}".source_position SET read_at = now() - interval '1 day'`);
    await reach("s", "2", { isComplete: true });
    const positions = `SELECT node_id, cursor->>'after', through, pipeline_id = '${pipelineId}', read_at > now() - interval '1 hour' FROM $SCHEMA.source_position ORDER BY 1`;
    expect(await rows(positions)).toEqual(["s 2 true true true", "t 5 true true false"]);
    await reach("s", "3");
    expect((await rows(positions))[0]).toBe("s 3 false true true");
    const known = "SELECT known_until::text FROM $SCHEMA.source_position WHERE node_id = 's'";
    expect(await rows(known)).toEqual([""]);
    await reach("s", "3", { isComplete: true, knownUntil: "2026-01-01T00:00:00.000Z" });
    await reach("s", "3");
    expect(await rows(known), "a reading that is not over leaves what is known").toEqual(["2026-01-01 00:00:00+00"]);
    await reach("s", "9", { of: "resync", resyncId: "r", read: 4 });
    const resync =
      "SELECT resync->'cursors'->'s'->>'after', resync->>'reading' FROM sync_pipeline WHERE resync IS NOT NULL";
    expect(await rows(resync), "none is under way").toEqual([]);
    await pool.query(`UPDATE sync_pipeline SET resync = '{"resyncId": "r", "cursors": {}}' WHERE pipeline_id = $1`, [
      pipelineId,
    ]);
    await reach("s", "9", { of: "resync", resyncId: "r", read: 4 });
    expect([await rows(resync), (await rows(positions))[0]]).toEqual([["9 4"], "s 3 false true true"]);
    await reach("s", "10", { of: "resync", resyncId: "r" });
    expect(await rows(resync)).toEqual(["10 0"]);
    await reach("s", "11", { of: "resync", resyncId: "before" });
    expect(await rows(resync), "another one has taken its place").toEqual(["10 0"]);
    const position = { nodeId: "s", cursor: { after: "12" }, of: "resync" as const, resyncId: "r" };
    await commit({ position, deliveries: [{ placeId: PLACE, recordId: "r1", onlyIfOutstanding: false }] });
    expect(await rows(resync), "with something to send as well").toEqual(["12 0"]);
    expect((await rows(positions))[0], "where changes stand is left alone").toBe("s 3 false true true");
  });

  test("keeps references that are open, one for each field, and forgets those it says anew", async () => {
    const { commit, rows } = await pages();
    const open = (recordId: string, field: string, externalId: string) => ({
      ...{ recordId, field, connectorId: "crm", entity: "company", externalId, at: "2026" },
    });
    await commit({
      pending: [open("r1", "boss", "7"), open("r1", "peer", "8"), open("r2", "boss", "9"), open("r2", "boss", "10")],
    });
    await commit({
      pending: [{ ...open("r1", "boss", "70"), connectorId: "books", entity: "client", at: "2027" }],
      resolvedPending: [{ recordId: "r1", field: "peer" }],
    });
    expect(
      await rows(
        `SELECT record_id, field, place, connector_id, entity, external_id, at FROM $SCHEMA.pending_reference ORDER BY 1, 2`,
      ),
    ).toEqual([
      `r1 boss ${PLACE} books client 70 2027`,
      expect.stringMatching(`^r2 boss ${PLACE} crm company (9|10) 2026$`),
    ]);
    await commit({
      clearedPending: [
        { recordId: "r1", field: "boss" },
        { recordId: "r2", field: "peer" },
      ],
    });
    expect(await rows(`SELECT record_id, field FROM $SCHEMA.pending_reference`)).toEqual(["r2 boss"]);
  });

  test("whose rows went in ahead of its turn writes all the rest with its turn, and nothing before", async () => {
    const { storage, run, rows } = await pages();
    const next = {
      ...pageOf("bert"),
      deliveries: [{ placeId: OTHER, recordId: "r1", onlyIfOutstanding: false }],
      position: { nodeId: "s", cursor: { after: "2" }, of: "changes" as const },
    };
    storage.prepare(run, next);
    expect((await storage.commit(run, pageOf("anna"), newId)).status).toBe("done");
    const written = async () => [
      await rows(`SELECT name FROM $SCHEMA."r_Customer" ORDER BY name`),
      await rows(`SELECT record_id FROM $SCHEMA.delivery`),
      await rows(`SELECT cursor->>'after' FROM $SCHEMA.source_position WHERE node_id = 's'`),
    ];
    expect(await written()).toEqual([["anna"], [], []]);
    expect(await storage.commit(run, next, newId)).toEqual({ status: "done", signal: "none" });
    expect(await written()).toEqual([["anna", "bert"], ["r1"], ["2"]]);
  });

  test("is answered with what people want meanwhile, and writes nothing once the pipeline is another worker's", async () => {
    const { pool, storage, run, rows } = await pages();
    const set = (assignments: string) => pool.query(`UPDATE sync_pipeline SET ${assignments}`);
    const signal = () => storage.commit(run, pageOf(), newId);
    expect(await signal()).toEqual({ status: "done", signal: "none" });
    await set("paused = true, probing = true");
    expect(await signal(), "it is looked after").toEqual({ status: "done", signal: "none" });
    await set("probing = false");
    expect(await signal()).toEqual({ status: "done", signal: "pause" });
    await set(`paused = false, resync = '{"status": "CANCEL_REQUESTED", "cursors": {}}'`);
    expect(await signal()).toEqual({ status: "done", signal: "cancelResync" });
    await set("version_number = 2");
    expect(await signal(), "a newer version").toEqual({ status: "done", signal: "pause" });
    await set("epoch = epoch + 1, lease_until = now() - interval '1 minute'");
    expect(await storage.commit(run, pageOf("anna"), newId)).toEqual({ status: "lost" });
    expect(await rows(`SELECT accord_id FROM $SCHEMA."r_Customer"`)).toEqual([]);
  });

  test("renews the lease, and never shortens it", async () => {
    const { pool, storage, run, rows } = await pages();
    const left = `SELECT round(extract(epoch FROM lease_until - now())) FROM sync_pipeline`;
    await pool.query("UPDATE sync_pipeline SET lease_until = now() - interval '1 second'");
    await storage.commit(run, pageOf(), newId);
    expect(await rows(left)).toEqual(["30"]);
    await pool.query("UPDATE sync_pipeline SET lease_until = now() + interval '90 seconds'");
    await storage.commit(run, pageOf(), newId);
    expect(await rows(left)).toEqual(["90"]);
  });

  test("that holds a value which can't be kept is refused with the field's name", async () => {
    const { storage, run, rows } = await pages();
    const page = pageOf("anna");
    page.creates[0]!.values = { name: "a\u0000b" };
    await expect(storage.commit(run, page, newId)).rejects.toThrow(UnstorableValue);
    await expect(storage.commit(run, page, newId)).rejects.toThrow(/name/);
    expect(await rows(`SELECT accord_id FROM $SCHEMA."r_Customer"`)).toEqual([]);
  });
});

describe("storage asks the database no more than it has to", () => {
  test("about a page of which nothing is news, an empty commit, an answer that changes no link", async () => {
    const { pool, storage, run, commit, want } = await pages();
    const statements = await countStatements(pool);
    await storage.commit(run, pageOf("anna", "bert"), newId);
    const look = (seen: string) => ({
      ...{ placeId: PLACE, absorb: true, references: [] },
      records: ["anna", "bert"].map((externalId) => ({ externalId, seen, deleted: false })),
    });
    expect(await statements(() => storage.resolve(look("seen")))).toBe(1);
    expect(await statements(() => storage.resolve(look("news")))).toBe(2);
    expect(await statements(() => commit({})), "BEGIN, the lease, the locks, COMMIT").toBe(4);
    expect(await statements(() => commit({ position: { nodeId: "s", cursor: {}, of: "changes" } }))).toBe(5);
    expect(await statements(() => storage.commit(run, pageOf("eve"), newId)), "the locks go with COPY").toBe(5);
    await want(PLACE, "r1");
    const deliveryResult: DeliveryResult = {
      ...{ recordId: "r1", wanted: 5, result: "done" as const, answered: true, attempts: 0, nextAt: 0 },
      ...{ link: null, ledger: null, quarantine: null },
    };
    expect(await statements(() => storage.settle(run, PLACE, [deliveryResult], 0, newId))).toBe(4);
    expect(await statements(() => storage.claim({ placeId: PLACE, limit: 5, references: [] }))).toBe(1);
  });
});
