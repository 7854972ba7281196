/** Deliveries of one place among those of others: who is claimed, what an intent and an answer change, and nothing else. */
import { emptyBatch, type Intent } from "@accord/sync-engine/run";
import { describe, expect, test } from "vitest";
import { countStatements } from "../../../../../../test-kit/database/count-statements.ts";
import { newId, PLACE } from "../../../../../../test-kit/replay/store-world.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";
import { withIdleEndpoints } from "../../worker/idle-endpoints.ts";
import { OTHER, HOUR_MS, now, intent, outbox } from "./fixtures/deliveries.store.ts";

describe("a place's deliveries", () => {
  test("are claimed when they are due, the oldest first, with what is known of record and link", async () => {
    const { record, link, want, claim } = await outbox();
    await record("r1");
    await record("gone", true);
    await link(PLACE, "x1", "r1");
    await link(OTHER, "y1", "r2");
    await want(PLACE, "r1", { dueInMs: -2_000, intent: "update", written: "one two" });
    await want(PLACE, "r2", { dueInMs: -3_000, attempts: 4 });
    await want(PLACE, "gone", { dueInMs: -500 });
    await want(PLACE, "later", { dueInMs: HOUR_MS });
    await want(PLACE, "latest", { dueInMs: 2 * HOUR_MS });
    await want(PLACE, "parked", { parked: true });
    await want(PLACE, "parked later", { dueInMs: HOUR_MS / 2, parked: true });
    await want(OTHER, "r1");
    await want(OTHER, "r3", { dueInMs: HOUR_MS / 4 });
    const { deliveries, nextAt } = await claim();
    expect(deliveries.map(({ recordId }) => recordId)).toEqual(["r2", "r1", "gone"]);
    expect(deliveries).toMatchObject([
      { wanted: 5, attempts: 4, unanswered: null, record: null, link: null, isMerged: false, writtenForMs: null },
      { unanswered: { intent: "update", written: ["one", "two"] }, record: { recordId: "r1", deleted: false } },
      { record: { deleted: true }, isMerged: false },
    ]);
    expect(deliveries[1]?.link).toMatchObject({ externalId: "x1", recordId: "r1", dead: false });
    expect(Math.round((deliveries[0]?.dueForMs ?? 0) / 1_000)).toBe(3);
    expect(Math.round(((nextAt ?? 0) - now()) / 60_000), "the first that waits, of this place").toBe(60);
    expect((await claim({ limit: 2 })).deliveries.map(({ recordId }) => recordId)).toEqual(["r2", "r1"]);
    expect((await claim({ limit: 3 })).nextAt, "there may be more").toBeNull();
  });

  test("of records that are not there yet stay due while nothing may be created there", async () => {
    const { record, link, want, claim } = await outbox();
    await record("r1");
    await link(PLACE, "x1", "r1");
    await want(PLACE, "r1");
    await want(PLACE, "new", { dueInMs: -5_000 });
    await want(PLACE, "later", { dueInMs: HOUR_MS });
    const held = await claim({ onlyLinked: true });
    expect(held.deliveries.map(({ recordId }) => recordId)).toEqual(["r1"]);
    expect((held.nextAt ?? 0) - now(), "there is more that is due").toBeLessThanOrEqual(0);
    await want(OTHER, "new");
    expect((await claim()).deliveries.map(({ recordId }) => recordId)).toEqual(["new", "r1"]);
  });

  test("are asked for once a page or an answer is written, though there were none as the cycle began", async () => {
    const { storage, run, want, claim } = await outbox();
    const claimed = async (begun: typeof storage): Promise<string[]> =>
      (await begun.claim({ placeId: PLACE, limit: 50, references: [] })).deliveries.map(({ recordId }) => recordId);
    const begin = () => withIdleEndpoints({ plan: { hasReferences: false }, storage }, new Set([PLACE]));
    const [afterPage, afterAnswer] = [begin(), begin()];
    await want(PLACE, "r1");
    expect(await claimed(begin()), "known to be none").toEqual([]);
    await afterPage.commit(run, emptyBatch(PLACE, null), newId);
    expect(await claimed(afterPage)).toEqual(["r1"]);
    await afterAnswer.settle(run, PLACE, [], now(), newId);
    expect(await claimed(afterAnswer)).toEqual(["r1"]);
    expect((await claim()).deliveries).toHaveLength(1);
  });

  test("say of a deleted record whether it was merged, and how long ago the place answered", async () => {
    const { pool, schema, record, link, want, claim } = await outbox();
    for (const id of ["merged", "parted"]) {
      await record(id, true);
      await want(PLACE, id);
    }
    await record("alive");
    await want(PLACE, "alive");
    await pool.query(
      `INSERT INTO ${schema}.merged_record (loser_id, merge_id, winner_id, undone)
       VALUES ('merged', 'm', 'w', false), ('parted', 'n', 'w', true), ('alive', 'o', 'w', false)`,
    );
    await link(PLACE, "x", "alive");
    await pool.query(`UPDATE ${schema}.link SET told_at = now() - interval '7 seconds'`);
    const { deliveries } = await claim();
    const of = (id: string) => deliveries.find(({ recordId }) => recordId === id);
    expect([of("merged")?.isMerged, of("parted")?.isMerged, of("alive")?.isMerged]).toEqual([true, false, false]);
    expect(Math.round((of("alive")?.writtenForMs ?? 0) / 1_000)).toBe(7);
  });

  test("name whom their records refer to as their place calls them, merged ones too, and what the place left open", async () => {
    const { pool, schema, pipelineId, record, link, want, claim } = await outbox();
    const refer = async (id: string, target: string) => {
      await record(id);
      await want(PLACE, id);
      await pool.query(`UPDATE ${schema}."r_Customer" SET name = $2 WHERE accord_id = $1`, [id, target]);
    };
    await link(PLACE, "x1", "alive");
    await link(PLACE, "x2", "dead", { dead: true });
    await link(OTHER, "y3", "elsewhere");
    await link(PLACE, "l1", "loser");
    await link(PLACE, "l2", "earlier loser");
    await link(PLACE, "l3", "dead loser", { dead: true });
    await link(PLACE, "l4", "queued loser");
    await link(PLACE, "l5", "parted loser");
    await link(OTHER, "l6", "loser elsewhere");
    await link(PLACE, "l7", "parked loser");
    await want(PLACE, "queued loser", { dueInMs: HOUR_MS });
    await want(PLACE, "parked loser", { parked: true });
    for (const [loser, winner, undone] of [
      ["loser", "between", false],
      ["between", "winner", false],
      ["earlier loser", "winner", false],
      ["dead loser", "other", false],
      ["queued loser", "other", false],
      ["parked loser", "other", false],
      ["parted loser", "other", true],
      ["loser elsewhere", "other", false],
      ["loser", "alive", false],
    ] as const)
      await pool.query(
        `INSERT INTO ${schema}.merged_record (loser_id, merge_id, winner_id, undone) VALUES ($1, $1 || $2, $2, $3)`,
        [loser, winner, undone],
      );
    const targets = ["alive", "dead", "elsewhere", "winner", "other"];
    for (const target of targets) await refer(`to ${target}`, target);
    const references = [{ coreField: "name", connectorId: "crm", entity: "customer" }];
    for (const [field, place] of [
      ["boss", PLACE],
      ["peer", OTHER],
    ])
      await pool.query(
        `INSERT INTO ${schema}.pending_reference (pipeline_id, place, record_id, field, connector_id, entity, external_id, at)
         VALUES ($1, $2, 'to alive', $3, 'crm', 'customer', '9', '')`,
        [pipelineId, place, field],
      );
    const claimed = await claim({ references });
    expect(Object.fromEntries(claimed.references.get("crm/customer") ?? [])).toEqual({ alive: "x1", winner: "l1" });
    expect(claimed.deliveries.flatMap(({ recordId, open }) => (open ? [[recordId, open]] : []))).toEqual([
      ["to alive", ["boss"]],
    ]);
    const elsewhere = await claim({ references: [{ ...references[0], entity: "client", connectorId: "books" }] });
    expect(Object.fromEntries(elsewhere.references.get("books/client") ?? [])).toEqual({
      elsewhere: "y3",
      other: "l6",
    });
    const unnamed = await claim({ references: [{ ...references[0], coreField: "phone" }] });
    expect(unnamed.references.size).toBe(0);
  });

  test("that were begun are announced once, as they stand, and held", async () => {
    const { record, link, want, deliveries, storage, run } = await outbox();
    for (const id of ["r1", "r2", "r3", "r4"]) {
      await record(id);
      await want(PLACE, id, { attempts: 2 });
      await want(OTHER, id);
    }
    await link(PLACE, "own", "r3");
    await link(PLACE, "taken", "r4", { dead: true });
    await link(OTHER, "elsewhere", "r4");
    const answer = await storage.intend(run, PLACE, [
      intent("r1", { adopts: "elsewhere" }),
      intent("r2", { wanted: 4 }),
      intent("r3", { adopts: "own" }),
      intent("r4", { adopts: "own" }),
      intent("nobody"),
    ]);
    expect(answer).toEqual({ status: "done", standing: new Set(["r1", "r3"]), taken: new Set(["r4"]) });
    const begun = [5, 3, 120, "create", "a b"];
    const left = (attempts: number) => [5, attempts, 0, null, null];
    expect(await deliveries()).toEqual({
      ...{ "1r1": begun, "1r2": left(2), "1r3": begun, "1r4": left(2) },
      ...{ "2r1": left(0), "2r2": left(0), "2r3": left(0), "2r4": left(0) },
    });
    expect(await storage.intend({ ...run, epoch: 99 }, PLACE, [intent("r2")])).toEqual({ status: "lost" });
    const adopting = [intent("r2", { adopts: "nobody's" })];
    expect(await storage.intend({ ...run, epoch: 99 }, PLACE, adopting)).toEqual({ status: "lost" });
  });

  test("that adopt nothing are announced in one statement, unless they or the lease changed while it waited", async () => {
    const { record, want, deliveries, storage, run, pool, pipelineId, schema } = await outbox();
    const statements = await countStatements(pool);
    for (const id of ["r1", "r2", "r3"]) {
      await record(id);
      await want(PLACE, id);
      await want(OTHER, id);
    }
    /** Announces while another transaction holds the pipeline's row, which does its work before it lets go. */
    const meanwhile = async (work: string, intents: Intent[]) => {
      const other = await pool.connect();
      await other.query("BEGIN");
      await other.query("SELECT FROM sync_pipeline WHERE pipeline_id = $1 FOR UPDATE", [pipelineId]);
      const answer = storage.intend(run, PLACE, intents);
      await eventually("the announcement to wait", async () => {
        const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
        return (await pool.query(waiting)).rowCount ? true : undefined;
      });
      await other.query(work);
      await other.query("COMMIT");
      other.release();
      return answer;
    };
    expect(await statements(() => storage.intend(run, PLACE, [intent("r1")]))).toBe(1);
    const renewed = `UPDATE ${schema}.delivery SET wanted = 6 WHERE record_id = 'r2'`;
    expect(await meanwhile(renewed, [intent("r2"), intent("r3"), intent("nobody")])).toEqual({
      ...{ status: "done", standing: new Set(["r3"]), taken: new Set() },
    });
    const begun = [5, 1, 120, "create", "a b"];
    const left = (wanted: number) => [wanted, 0, 0, null, null];
    const stood = {
      ...{ "1r1": begun, "1r2": left(6), "1r3": begun },
      ...{ "2r1": left(5), "2r2": left(6), "2r3": left(5) },
    };
    expect(await deliveries()).toEqual(stood);
    const lost = "UPDATE sync_pipeline SET epoch = epoch + 1";
    expect(await meanwhile(lost, [intent("r2", { wanted: 6 })])).toEqual({ status: "lost" });
    expect(await deliveries()).toEqual(stood);
  });

  test("without an answer are held until their place can show it, none is brought forward", async () => {
    const { want, deliveries, storage } = await outbox();
    await want(PLACE, "begun", { intent: "update" });
    await want(PLACE, "longer", { intent: "update", dueInMs: 3 * HOUR_MS });
    await want(PLACE, "open");
    await want(OTHER, "begun", { intent: "update" });
    await storage.holdUnanswered(PLACE, HOUR_MS);
    const minutes = Object.entries(await deliveries()).map(([key, [, , due]]) => [key, due]);
    expect(Object.fromEntries(minutes)).toEqual({ "1begun": 60, "1longer": 180, "1open": 0, "2begun": 0 });
  });
});
