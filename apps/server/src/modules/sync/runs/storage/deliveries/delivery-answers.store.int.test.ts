/** What an answer to a delivery leaves behind: links, ledger, quarantine, the next time. */
import { emptyBatch, type DeliveryResult } from "@accord/sync-engine/run";
import { describe, expect, test } from "vitest";
import { newId, PLACE } from "../../../../../../test-kit/replay/store-world.ts";
import { transaction } from "../../../../../platform/db/transaction.ts";
import { withIdleEndpoints } from "../../worker/idle-endpoints.ts";
import { releaseFreed } from "./freed-records.store.ts";
import { OTHER, HOUR_MS, now, outbox } from "./fixtures/deliveries.store.ts";

const linkOf = (externalId: string, recordId: string, more: object = {}) => ({
  ...{ externalId, recordId, seen: null, lastWritten: "told", refused: null, respelled: null, modifiedAt: null },
  ...{ dead: false, isNew: true },
  ...more,
});

describe("an answer", () => {
  test("ends its delivery, puts it off, or parks it; nobody else's", async () => {
    const { want, deliveries, settle } = await outbox();
    for (const id of ["done", "again", "parked", "unclear", "other"]) {
      await want(PLACE, id, { attempts: 3, intent: "update", written: "w" });
      await want(OTHER, id, { attempts: 3, intent: "update", written: "w" });
    }
    await settle(
      { recordId: "done" },
      { recordId: "again", result: "again", attempts: 1, nextAt: now() + HOUR_MS },
      { recordId: "parked", result: "parked", attempts: 3 },
      { recordId: "unclear", result: "again", answered: false, attempts: 3, nextAt: now() + 2 * HOUR_MS },
    );
    const before = [5, 3, 0, "update", "w"];
    expect(await deliveries()).toEqual({
      "1again": [5, 1, 60, null, null],
      "1parked": [5, 3, "parked", null, null],
      "1unclear": [5, 3, 120, "update", "w"],
      "1other": before,
      ...{ "2done": before, "2again": before, "2parked": before, "2unclear": before, "2other": before },
    });
  });

  test("that values did not fit parks it until its place takes something else, or the record changes; nobody else's", async () => {
    const { pool, schema, want, deliveries, storage, settle } = await outbox();
    for (const id of ["unfit", "changed"]) await want(PLACE, id, { attempts: 3, intent: "update", written: "w" });
    await want(PLACE, "newer", { wanted: 6 });
    await want(PLACE, "parked", { parked: true });
    await want(OTHER, "unfit", { parked: true });
    const unfit = { result: "parked", unfit: "v1" } as const;
    await settle({ recordId: "unfit", ...unfit }, { recordId: "changed", ...unfit }, { recordId: "newer", ...unfit });
    const others = { "1parked": [5, 0, "parked", null, null], "2unfit": [5, 0, "parked", null, null] };
    const parked = [5, 0, "parked", null, null];
    expect(await deliveries()).toEqual({
      "1unfit": parked,
      "1changed": parked,
      "1newer": [6, 0, 0, null, null],
      ...others,
    });
    await pool.query(`UPDATE ${schema}.delivery SET unfit = 'v0' WHERE place = $1`, [OTHER]);
    const { rowCount } = await pool.query(`SELECT FROM ${schema}.delivery WHERE unfit = 'v1'`);
    expect(rowCount).toBe(2);
    expect(await storage.retryUnfit(PLACE, "v1")).toBe(0);
    expect(await storage.retryUnfit(PLACE, "v2")).toBe(2);
    expect(await storage.retryUnfit(PLACE, "v2"), "once").toBe(0);
    const due = [6, 0, 0, null, null];
    expect(await deliveries()).toEqual({ "1unfit": due, "1changed": due, "1newer": due, ...others });
    const idle = withIdleEndpoints({ plan: { hasReferences: false }, storage }, new Set([OTHER]));
    expect(await idle.retryUnfit(OTHER, "v2"), "known to have none").toBe(0);
  });

  test("to an older reason leaves the newer one standing: due now, or once it is known what became of the older", async () => {
    const { want, deliveries, settle } = await outbox();
    for (const id of ["done", "parked", "unclear"]) await want(PLACE, id, { wanted: 6, attempts: 3, intent: "update" });
    const nextAt = now() + HOUR_MS;
    await settle(
      { recordId: "done", attempts: 3, nextAt },
      { recordId: "parked", result: "parked", attempts: 3, nextAt },
      { recordId: "unclear", result: "again", answered: false, attempts: 3, nextAt },
    );
    expect(await deliveries()).toEqual({
      "1done": [6, 0, 0, null, null],
      "1parked": [6, 0, 0, null, null],
      "1unclear": [6, 0, 60, "update", null],
    });
  });

  test("ties its record; where the external record is another one's, that one keeps it and the delivery is parked", async () => {
    const { link, want, deliveries, links, settle } = await outbox();
    for (const id of ["r1", "r2", "r3", "r4", "r5"]) await want(PLACE, id);
    await link(OTHER, "x1", "somebody");
    await link(PLACE, "taken", "somebody");
    await link(PLACE, "gone", "somebody else", { dead: true });
    await link(PLACE, "old", "r4", { dead: true });
    await link(OTHER, "old", "r4", { dead: true });
    await link(PLACE, "mine", "r5");
    await settle(
      { recordId: "r1", link: linkOf("x1", "r1") },
      { recordId: "r2", link: linkOf("taken", "r2") },
      { recordId: "r3", link: linkOf("gone", "r3") },
      { recordId: "r4", link: linkOf("x4", "r4") },
      { recordId: "r5", link: linkOf("mine", "r5", { isNew: false }) },
    );
    expect(await links()).toEqual({
      "2x1": "somebody",
      "1x1": "r1 told",
      "1taken": "somebody",
      "1gone": "somebody else dead",
      "1x4": "r4 told",
      "2old": "r4 dead",
      "1mine": "r5 told",
    });
    expect(Object.keys(await deliveries()).sort(), "parked").toEqual(["1r2", "1r3"]);
    expect((await deliveries())["1r2"]?.[2]).toBe("parked");
  });

  test("keeps the dead link of its record where it names another one's external record, and drops it where it names a free one", async () => {
    const { record, link, links, want, settle } = await outbox();
    for (const id of ["r1", "r2"]) await record(id);
    await link(PLACE, "old", "r1", { dead: true });
    await link(PLACE, "others", "r2");
    await want(PLACE, "r1");
    await settle({ recordId: "r1", link: linkOf("others", "r1") });
    expect(Object.keys(await links()).toSorted()).toEqual([`${PLACE}old`, `${PLACE}others`]);
    await settle({ recordId: "r1", link: linkOf("free", "r1") });
    expect(Object.keys(await links()).toSorted()).toEqual([`${PLACE}free`, `${PLACE}others`]);
  });

  test("shows people what is parked as its external record is another one's, unless it has news meanwhile", async () => {
    const { pool, schema, link, want, settle } = await outbox();
    for (const id of ["r1", "r2", "r3"]) await want(PLACE, id);
    await link(PLACE, "taken", "somebody");
    const found = (recordId: string, externalId: string, wanted = 5) => ({
      ...{ recordId, wanted, link: linkOf(externalId, recordId) },
      ifTaken: {
        quarantine: {
          ...{ direction: "destination" as const, externalId: null, recordId, nodeId: null },
          ...{ code: "already_linked", message: "It is another one's.", payload: { name: "Ada" } },
        },
      },
    });
    await settle(found("r1", "taken"), found("r2", "taken", 4), found("r3", "free"));
    const { rows } = await pool.query(`SELECT record_id, code, status, payload FROM ${schema}.quarantine`);
    expect(rows).toEqual([{ record_id: "r1", code: "already_linked", status: "OPEN", payload: { name: "Ada" } }]);
  });

  test("parked for an external record of another one is tried again by itself once that has it no more", async () => {
    const { pool, schema, storage, run, link, want, deliveries, claim, settle } = await outbox();
    const quarantine = (recordId: string) => ({
      ...{ direction: "destination" as const, externalId: null, recordId, nodeId: null },
      ...{ code: "already_linked", message: "It is another one's.", payload: null },
    });
    const found = (recordId: string, externalId: string) => ({
      ...{ recordId, attempts: 1, nextAt: now() + HOUR_MS, result: "again" as const },
      ...{ link: linkOf(externalId, recordId), ifTaken: { quarantine: quarantine(recordId) } },
    });
    const dead = (externalId: string) => linkOf(externalId, `holder of ${externalId}`, { isNew: false, dead: true });
    const state = async () => {
      const { rows } = await pool.query(`SELECT record_id, status FROM ${schema}.quarantine`);
      const entries = new Map(rows.map((row) => [row.record_id, row.status]));
      const all = Object.entries(await deliveries()).map(([key, [, , due]]) => [key.slice(1), due] as const);
      return all.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([id, due]) => [id, due, entries.get(id)]);
    };
    for (const id of ["told", "read", "other", "let go"]) await link(PLACE, id, `holder of ${id}`);
    await link(PLACE, "gone", "holder of gone", { dead: true });
    await link(OTHER, "read", "somebody");
    for (const id of ["r1", "r2", "r3", "r4", "r5"]) await want(PLACE, id);
    await settle(found("r1", "told"), found("r2", "read"), found("r3", "other"), found("r4", "let go"));
    await settle(found("r5", "gone"));
    await pool.query(`UPDATE ${schema}.quarantine SET status = 'RESOLVED', dismissed_by = 'me' WHERE record_id = 'r4'`);
    const parked = (id: string, status = "OPEN") => [id, "parked", status];
    const waiting = ["r5", 60, undefined];
    const all = [parked("r1"), parked("r2"), parked("r3"), parked("r4", "RESOLVED"), waiting];
    expect(await state(), "what is found where nobody else lives waits for nobody").toEqual(all);

    await settle({ recordId: "holder of told", link: dead("told") });
    await storage.commit(run, { ...emptyBatch(PLACE, null), links: [dead("read"), dead("let go")] }, newId);
    expect(await state()).toEqual([["r1", 0, "RETRYING"], ["r2", 0, "RETRYING"], ...all.slice(2)]);
    const { deliveries: due } = await claim();
    expect(due.map(({ recordId, attempts, taken }) => [recordId, attempts, taken])).toEqual([
      ["r1", 0, undefined],
      ["r2", 0, undefined],
    ]);
    // A later edit looks again, whatever it was parked for.
    await pool.query(`UPDATE ${schema}.delivery SET parked = false, next_at = now() WHERE record_id = 'r3'`);
    expect((await claim()).deliveries.find(({ recordId }) => recordId === "r3")).not.toHaveProperty("taken");
    await settle({
      recordId: "r3",
      result: "parked",
      quarantine: quarantine("r3"),
      waitsFor: { externalId: "told", unlessFree: true },
    });
    expect((await state())[2], "free since it was claimed").toEqual(["r3", 0, "RETRYING"]);
  });

  test("parked for a record that has its key is tried again once that has another key, when look-ups show that", async () => {
    const { pool, schema, storage, run, link, want, deliveries, settle } = await outbox();
    const found = (recordId: string, externalId: string) => ({
      ...{ recordId, link: linkOf(externalId, recordId) },
      ifTaken: {
        quarantine: {
          ...{ direction: "destination" as const, externalId: null, recordId, nodeId: null },
          ...{ code: "already_linked", message: "It is another one's.", payload: null },
        },
      },
    });
    const rekeyed = (externalId: string, rekeyedForMs: number) =>
      linkOf(externalId, `holder of ${externalId}`, { isNew: false, rekeyedForMs });
    const dueOf = async () =>
      Object.fromEntries(Object.entries(await deliveries()).map(([key, [, , due]]) => [key.slice(1), due]));
    for (const id of ["told", "read", "other"]) await link(PLACE, id, `holder of ${id}`);
    for (const id of ["r1", "r2", "r3"]) await want(PLACE, id);
    await settle(found("r1", "told"), found("r2", "read"), found("r3", "other"));
    expect(await dueOf()).toEqual({ r1: "parked", r2: "parked", r3: "parked" });

    await settle({ recordId: "holder of told", link: rekeyed("told", HOUR_MS) });
    await storage.commit(run, { ...emptyBatch(PLACE, null), links: [rekeyed("read", 0)] }, newId);
    expect(await dueOf()).toEqual({ r1: 60, r2: 0, r3: "parked" });
    const { rows } = await pool.query(`SELECT record_id, status FROM ${schema}.quarantine ORDER BY record_id`);
    expect(rows.map(({ record_id: id, status }) => [id, status])).toEqual([
      ["r1", "RETRYING"],
      ["r2", "RETRYING"],
      ["r3", "OPEN"],
    ]);

    // Two changes of its key at once: look-ups have to show the later one.
    await transaction(pool, ({ client }) =>
      releaseFreed(
        client,
        schema,
        [2, 1].map((hours) => ({ placeId: PLACE, externalId: "other", rekeyedForMs: hours * HOUR_MS })),
      ),
    );
    expect((await dueOf())["r3"]).toBe(120);
  });

  test("that names another one's external record is kept while that lasts, and puts what was sent in doubt there", async () => {
    const { pool, schema, link, want, deliveries, claim, settle } = await outbox();
    await link(PLACE, "taken", "holder");
    await link(PLACE, "too", "doubted");
    await pool.query(`UPDATE ${schema}.link SET told = '--------namename' || 'sizesize'`);
    for (const id of ["r1", "r2", "r3"]) await want(PLACE, id);
    await want(PLACE, "doubted", { intent: "create", written: "earlier", dueInMs: 3 * HOUR_MS });
    const quarantineEntries = (recordId: string) => ({
      ...{ direction: "destination" as const, externalId: null, recordId, nodeId: null },
      ...{ code: "already_linked", message: "It is another one's.", payload: null },
    });
    const written = { attempt: "attempt", fields: [1], nextAt: now() + HOUR_MS };
    const answered = (recordId: string, externalId: string, stray: typeof written | null) =>
      settle({
        ...{ recordId, link: linkOf(externalId, recordId) },
        ifTaken: { quarantine: quarantineEntries(recordId), answered: { key: `key of ${recordId}`, written: stray } },
      });
    await answered("r1", "taken", written);
    await answered("r2", "too", written);
    await answered("r3", "too", null);
    expect(await deliveries()).toMatchObject({
      "1holder": [expect.any(Number), 0, 60, "update", "attempt"],
      "1doubted": [6, 0, 180, "create", "earlier attempt"],
    });
    const { rows } = await pool.query(`SELECT told FROM ${schema}.link ORDER BY external_id`);
    expect(rows.map(({ told }) => told)).toEqual(Array(2).fill("--------namename--------"));

    for (const id of ["r1", "r2", "r3"]) await want(OTHER, id);
    await pool.query(`UPDATE ${schema}.delivery SET parked = false, next_at = now() WHERE record_id LIKE 'r_'`);
    const taken = async () =>
      Object.fromEntries(
        (await claim()).deliveries.map(({ recordId, taken: by, takenTimes }) => [
          recordId,
          by && { ...by, takenTimes },
        ]),
      );
    expect(await taken()).toEqual({
      r1: { externalId: "taken", key: "key of r1", takenTimes: 1 },
      r2: { externalId: "too", key: "key of r2", takenTimes: 1 },
      r3: { externalId: "too", key: "key of r3", takenTimes: 1 },
    });
    await pool.query(
      `UPDATE ${schema}.link SET dead = external_id = 'taken', record_id = CASE external_id WHEN 'too' THEN 'r2' ELSE record_id END`,
    );
    expect(await taken()).toEqual({
      r1: undefined,
      r2: undefined,
      r3: { externalId: "too", key: "key of r3", takenTimes: 1 },
    });
    await pool.query(`INSERT INTO ${schema}.let_go_record (record_id, pipeline_id, version) VALUES ('r2', 'p', 1)`);
    expect(await taken()).toEqual({ r1: undefined, r2: undefined, r3: undefined });
  });

  test("to two records with one external record gives it to the first; the other is parked", async () => {
    const { want, deliveries, links, settle } = await outbox();
    await want(PLACE, "r1");
    await want(PLACE, "r2");
    await settle({ recordId: "r2", link: linkOf("x", "r2") }, { recordId: "r1", link: linkOf("x", "r1") });
    expect(await links()).toEqual({ "1x": "r2 told" });
    expect(await deliveries()).toMatchObject({ "1r1": [5, 0, "parked", null, null] });
  });

  test("with an external record that was found is left alone while another record's creation may have made it", async () => {
    const { want, deliveries, links, settle } = await outbox();
    const foundBy = { writeIndex: 0, key: "12345678" };
    const written = `........${foundBy.key}........`;
    for (const id of ["r1", "r2", "r3"]) await want(PLACE, id);
    const found = (recordId: string, externalId: string) => ({ recordId, link: linkOf(externalId, recordId), foundBy });
    await want(OTHER, "x", { intent: "create", written });
    await want(PLACE, "parked", { intent: "create", written, parked: true });
    await want(PLACE, "update", { intent: "update", written });
    await want(PLACE, "another key", { intent: "create", written: `........${"-".repeat(16)}` });
    await settle(found("r1", "x1"));
    expect(await links(), "nobody else created it").toEqual({ "1x1": "r1 told" });
    await want(PLACE, "r9", { intent: "create", written: `${"-".repeat(24)} ${written}` });
    await settle({ ...found("r2", "x2"), result: "again" });
    expect(await links()).toEqual({ "1x1": "r1 told" });
    expect((await deliveries())["1r2"]).toEqual([5, 0, 0, null, null]);
  });

  test("with the external record of a deleted link hands it over, unless it may repeat an older answer", async () => {
    const { link, want, deliveries, links, settle } = await outbox();
    for (const id of ["anew", "later", "repeats", "timeless", "tied"]) {
      await want(PLACE, id);
      await link(PLACE, `x ${id}`, `before ${id}`, { dead: true, at: "2026-01-02" });
      await link(OTHER, `x ${id}`, `before ${id}`, { dead: true });
    }
    await link(PLACE, "old", "later", { dead: true });
    await link(PLACE, "living", "tied");
    const over = (id: string, takesOver: "always" | "ifLater", modifiedAt: string | null) =>
      settle({ recordId: id, takesOver, link: linkOf(`x ${id}`, id, { modifiedAt }) });
    await over("anew", "always", null);
    await over("later", "ifLater", "2026-01-03");
    await over("repeats", "ifLater", "2026-01-02");
    await over("timeless", "ifLater", null);
    await over("tied", "ifLater", "2026-01-03");
    const after = await links();
    expect(Object.fromEntries(Object.entries(after).filter(([key]) => key.startsWith("1")))).toEqual({
      "1x anew": "anew told",
      "1x later": "later told",
      "1x repeats": "repeats dead",
      "1x timeless": "timeless dead",
      "1x tied": "before tied dead",
      "1living": "tied",
    });
    expect(Object.values(after).filter((value) => value.startsWith("before"))).toHaveLength(6);
    const due = Object.entries(await deliveries()).map(([key, [, , minutes]]) => [key, minutes]);
    expect(Object.fromEntries(due)).toEqual({ "1repeats": 0, "1timeless": 0, "1tied": "parked" });
  });

  test("settles what its destination had refused, and keeps what it refuses now", async () => {
    const { pool, pipelineId, schema, want, settle } = await outbox();
    const quarantineEntries = (id: string, place: number, direction: string, recordId: string) =>
      pool.query(
        `INSERT INTO ${schema}.quarantine (id, pipeline_id, place, direction, record_id, code, message)
         VALUES ($1, $2, $3, $4, $5, 'bad', '')`,
        [id, pipelineId, place, direction, recordId],
      );
    for (const id of ["done", "again"]) {
      await want(PLACE, id);
      await quarantineEntries(`${id} here`, PLACE, "destination", id);
      await quarantineEntries(`${id} elsewhere`, OTHER, "destination", id);
      await quarantineEntries(`${id} as source`, PLACE, "source", id);
    }
    await want(PLACE, "refused");
    const quarantine: DeliveryResult["quarantine"] = {
      ...{ direction: "destination" as const, externalId: "x", recordId: "refused", nodeId: "n", code: "no" },
      ...{ message: "No", payload: null },
    };
    await settle(
      { recordId: "done" },
      { recordId: "again", result: "again" },
      { recordId: "refused", result: "parked", quarantine },
    );
    const { rows } = await pool.query(
      `SELECT CASE code WHEN 'bad' THEN id ELSE code END AS id, status, resolved_at IS NOT NULL AS over FROM ${schema}.quarantine WHERE status = 'RESOLVED' OR code = 'no'`,
    );
    expect(rows).toEqual(
      expect.arrayContaining([
        { id: "done here", status: "RESOLVED", over: true },
        { id: "no", status: "OPEN", over: false },
      ]),
    );
    expect(rows).toHaveLength(2);
  });

  test("to somebody who lost the pipeline changes nothing", async () => {
    const { want, deliveries, storage, run } = await outbox();
    await want(PLACE, "r1");
    const deliveryResult = { recordId: "r1", wanted: 5, answered: true, attempts: 0, nextAt: 0 };
    const nothing = { link: null, ledger: null, quarantine: null, result: "done" } as const;
    const lost = { ...run, epoch: run.epoch + 1 };
    expect(await storage.settle(lost, PLACE, [{ ...deliveryResult, ...nothing }], now(), newId)).toEqual({
      status: "lost",
    });
    expect(Object.keys(await deliveries())).toEqual(["1r1"]);
  });
});
