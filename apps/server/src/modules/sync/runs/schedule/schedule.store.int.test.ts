/** Rows of published pipelines: what each word changes of its own pipeline, and that it touches no other one. */
import { describe, expect, test } from "vitest";
import { deletePipelineData } from "./delete-pipeline-data.store.ts";
import type { ResyncRow } from "./pipeline-rows.store.ts";
import { fenceRun } from "./fence-run.store.ts";
import { I, J, P, Q, ALL, RESYNC, world, taken } from "./fixtures/schedule.store.ts";

describe("a pipeline", () => {
  test("is taken when it is due for longest, is not paused, and nobody alive holds it", async () => {
    const { schedule, set, changing, pool, mine } = await world();
    await set("due_at = now() + interval '1 minute', poked = true, read_all = true, resync_turn = true");
    expect(await schedule.acquire("me", [])).toBeNull();
    await set("due_at = now() - interval '1 minute'");
    await pool.query(
      "UPDATE sync_pipeline SET due_at = now() - interval '1 hour' WHERE instance_id = $1 AND pipeline_id = $2",
      [I, P],
    );
    let acquired: unknown;
    const row = await changing(async () => (acquired = await schedule.acquire("me", [])));
    expect(acquired).toMatchObject({
      instanceId: I,
      pipelineId: P,
      epoch: 1,
      wasRequested: true,
      isReadAll: true,
      isResyncTurn: true,
      isRunning: true,
    });
    expect(row).toMatchObject({ owner: "me", poked: false, read_all: false, resync_turn: false, is_leased: true });
    expect(row?.["cycle_began_at"]).not.toBeNull();
    expect(row?.["heard_at"]).not.toBeNull();
    await pool.query("UPDATE sync_pipeline SET paused = true WHERE owner IS NULL");
    expect(await schedule.acquire("me", [`${I}/${P}`]), "it runs it, the others are paused").toBeNull();
    expect(await schedule.acquire("you", []), "its owner is alive").toBeNull();
    await set("lease_until = now() - interval '1 second'");
    expect(await schedule.acquire("you", [])).toMatchObject({ pipelineId: P, epoch: 2, wasRequested: true });
    expect(await schedule.acquire("you", []), "a worker that forgot it takes it again").toMatchObject({ epoch: 3 });
    await pool.query("UPDATE sync_pipeline SET owner = NULL, paused = true, probing = true WHERE epoch = 3");
    expect(await schedule.acquire("you", []), "it is looked after").toMatchObject({ epoch: 4 });
    expect((await mine())?.["owner"]).toBe("you");
  });

  test("is taken with the word whether others are due, but for those that this worker runs or will not take now", async () => {
    const { schedule, pool } = await world();
    const [first, second] = [await schedule.acquire("me", []), await schedule.acquire("you", [])];
    expect([first?.isMoreDue, second?.isMoreDue]).toEqual([true, true]);
    const named = ({ instanceId, pipelineId, versionNumber }: NonNullable<typeof first>, version = false): string =>
      `${instanceId}/${pipelineId}${version ? `/${versionNumber}` : ""}`;
    await pool.query("UPDATE sync_pipeline SET due_at = now() - interval '1 hour' WHERE owner IS NULL");
    expect(await schedule.acquire("me", [named(first!)])).toMatchObject({ isMoreDue: false });
    expect(await schedule.acquire("you", [])).toMatchObject({ pipelineId: second?.pipelineId, isMoreDue: false });
    await pool.query("UPDATE sync_pipeline SET lease_until = now() - interval '1 second' WHERE owner = 'me'");
    expect(await schedule.acquire("it", [])).toMatchObject({ isMoreDue: true });
    await pool.query("UPDATE sync_pipeline SET lease_until = now() - interval '1 second'");
    const all = (await schedule.listAll()).map((row) => `${row.instanceId}/${row.pipelineId}`);
    const left = all.filter((name) => name !== named(first!)).map((name) => `${name}/1`);
    expect(await schedule.acquire("her", [], left)).toMatchObject({ isMoreDue: false });
  });

  test("that a worker will not take now is left, in that version", async () => {
    const { schedule } = await world();
    const others = [`${I}/${Q}/1`, `${J}/${P}/1`];
    expect(await schedule.acquire("me", [], [`${I}/${P}/1`, ...others])).toBeNull();
    expect(await schedule.acquire("me", [], [`${I}/${P}/2`, ...others])).toMatchObject({
      instanceId: I,
      pipelineId: P,
    });
  });

  test("is put back as it was taken; not by somebody who lost it", async () => {
    const { schedule, changing, acquired, mine } = await taken();
    await schedule.putBack({ ...acquired, epoch: 7 });
    expect((await mine())?.["owner"]).toBe("me");
    const row = await changing(() => schedule.putBack({ ...acquired, wasRequested: true, isReadAll: true }));
    expect(row).toMatchObject({
      owner: null,
      lease_until: null,
      poked: true,
      read_all: true,
      resync_turn: acquired.isResyncTurn,
    });
    const plain = await taken();
    await plain.schedule.putBack({ ...plain.acquired, wasRequested: false, isReadAll: false });
    expect(await plain.mine()).toMatchObject({ poked: false, read_all: false });
  });

  test("is held as long as its worker says so, and tells what people asked for meanwhile", async () => {
    const { schedule, pool, set, changing, acquired } = await taken();
    await set("lease_until = now(), heard_at = now() - interval '1 hour'");
    const row = await changing(async () =>
      expect(await schedule.renew(acquired, { activity: "Reading", hasGotOn: false })).toEqual({
        signal: "none",
        isRequested: false,
      }),
    );
    expect(row).toMatchObject({ activity: "Reading", is_leased: true });
    const ago = async () =>
      (await pool.query("SELECT now() - heard_at < interval '1 minute' AS fresh FROM sync_pipeline WHERE owner = 'me'"))
        .rows[0].fresh;
    expect(await ago()).toBe(false);
    await schedule.renew(acquired, { activity: "Reading", hasGotOn: true });
    expect(await ago()).toBe(true);
    await set("poked = true, paused = true");
    expect(await schedule.renew(acquired, { activity: "", hasGotOn: false })).toEqual({
      signal: "pause",
      isRequested: true,
    });
    await set("probing = true");
    expect((await schedule.renew(acquired, { activity: "", hasGotOn: false })).signal, "it only looks").toBe("none");
    expect(
      (await schedule.renew({ ...acquired, versionNumber: 2 }, { activity: "", hasGotOn: false })).signal,
      "another version",
    ).toBe("pause");
    await set(`resync = '{"status": "CANCEL_REQUESTED"}'`);
    expect((await schedule.renew(acquired, { activity: "", hasGotOn: false })).signal).toBe("cancelResync");
    expect(await schedule.renew({ ...acquired, epoch: 9 }, { activity: "", hasGotOn: true })).toEqual({
      signal: "lost",
      isRequested: false,
    });
  });

  test("is found, alone or with those of its instance", async () => {
    const { schedule } = await world();
    expect(await schedule.find(I, P)).toMatchObject({
      instanceId: I,
      pipelineId: P,
      isRunning: false,
      silentMs: 0,
      isPaused: false,
    });
    expect(await schedule.find(J, Q)).toBeNull();
    expect((await schedule.list(I)).map(({ pipelineId }) => pipelineId).sort()).toEqual([P, Q]);
    expect(await schedule.listAll()).toHaveLength(3);
  });

  test("whose worker has not been heard of is silent for that long", async () => {
    const { schedule, set } = await taken();
    expect(await schedule.find(I, P)).toMatchObject({ isRunning: true, silentMs: 0 });
    await set("lease_until = now() - interval '5 seconds'");
    const silent = await schedule.find(I, P);
    expect(silent?.isRunning).toBe(false);
    expect(silent?.silentMs).toBeGreaterThanOrEqual(5_000);
    expect(silent?.silentMs).toBeLessThan(60_000);
  });

  test("runs a new version at once: one that an error stopped goes on, one that a person paused does not", async () => {
    const { schedule, pool, set, changing, rows } = await world();
    const publish = (resync: ResyncRow | null) =>
      changing(() => schedule.publish({ instanceId: I, pipelineId: P, versionId: "w", versionNumber: 2 }, resync));
    const before = `due_at = now() + interval '1 hour', poked = false, paused = true, error = '{"message": "x"}', probing = true,
      whole_sources = '{s}', resync = '{"status": "NEW"}'`;
    await set(before);
    expect(await publish(null)).toMatchObject({
      version_id: "w",
      version_number: 2,
      poked: true,
      is_due: true,
      paused: false,
      error: null,
      probing: false,
      resync: { status: "NEW" },
      whole_sources: [],
    });
    await set(before);
    await set("error = NULL");
    expect(await publish(RESYNC)).toMatchObject({
      paused: true,
      resync: { status: "NEW", resyncId: "r" },
      whole_sources: ["s"],
    });
    await schedule.unpublish(I, P);
    expect((await rows()).size).toBe(2);
    expect(
      (await pool.query("SELECT FROM sync_pipeline WHERE instance_id = $1 AND pipeline_id = $2", [I, P])).rowCount,
    ).toBe(0);
  });

  test("is paused, resumed, woken, and read as a whole on somebody's word", async () => {
    const { schedule, set, changing } = await world();
    await set("probing = true, due_at = now() + interval '1 hour', poked = false");
    expect(await changing(() => schedule.pause(I, P, "ann"))).toMatchObject({
      paused: true,
      probing: false,
      paused_by: "ann",
      poked: false,
    });
    await set(`paused = true, probing = true, error = '{"message": "x"}', failures = '{"1": {}}', paused_by = 'ann'`);
    expect(await changing(() => schedule.resume(I, P))).toMatchObject({
      paused: false,
      probing: false,
      paused_by: null,
      error: null,
      failures: {},
      is_due: true,
      poked: true,
    });
    await set("due_at = now() + interval '1 hour', poked = false");
    expect(await changing(() => schedule.requestCycle(I, P))).toMatchObject({
      poked: true,
      is_due: true,
      read_all: false,
    });
    await set("due_at = 'epoch', poked = false");
    const poked = await changing(() => schedule.requestCycle(I, P));
    expect(new Date(String(poked?.["due_at"])).getTime(), "it was due before").toBe(0);
    await set("due_at = now() + interval '1 hour', poked = false");
    expect(await changing(() => schedule.runNow(I, P))).toMatchObject({ poked: true, is_due: true, read_all: true });
    expect(await schedule.resume(J, Q)).toBeNull();
  });

  test("asks a system that failed again once its connection was changed, and leaves every other one waiting", async () => {
    const { schedule, set, changing, pool, table } = await world();
    const [changed, other] = ["1".repeat(24), "2".repeat(24)];
    for (const [instanceId, pipelineId] of ALL)
      await pool.query(
        `INSERT INTO ${table(instanceId, "place")} (pipeline_id, connector_id, entity) VALUES ($1, $2, 'e')`,
        [pipelineId, pipelineId === P ? changed : other],
      );
    const { rows } = await pool.query(`SELECT number, pipeline_id FROM ${table(I, "place")}`);
    const failures = Object.fromEntries(rows.map(({ number }) => [number, {}]));
    await set(`due_at = now() + interval '1 hour', failures = '${JSON.stringify(failures)}'`);
    const row = await changing(() => schedule.retrySystem(I, changed));
    expect(row).toMatchObject({ read_all: true, is_due: true });
    await set("due_at = now() + interval '1 hour', read_all = false, failures = '{}'");
    await schedule.retrySystem(I, changed);
    const { rows: due } = await pool.query("SELECT FROM sync_pipeline WHERE read_all");
    expect(due, "nothing of it failed").toEqual([]);
  });

  test("is taken from a worker whose cycle has not got on", async () => {
    const { schedule, set, pool, changing } = await taken();
    await set("heard_at = now() - interval '10 minutes', due_at = now() + interval '1 hour', poked = false");
    await pool.query("UPDATE sync_pipeline SET heard_at = now() - interval '1 hour' WHERE owner = 'me'");
    expect(await schedule.releaseStalled(7_200)).toBe(0);
    const row = await changing(async () => expect(await schedule.releaseStalled(1_800)).toBe(1));
    expect(row).toMatchObject({ is_leased: false, activity: "Waiting", is_due: true, poked: true });
    expect(row?.["owner"], "who takes it over knows that it was not given back").toBe("me");
    expect(Number(row?.["epoch"])).toBe(2);
    expect(row?.["stalled_at"]).not.toBeNull();
    expect(await schedule.releaseStalled(0), "nobody holds the others").toBe(0);
  });

  test("whose records a person changes begins anew, and its lease runs on", async () => {
    const { pool, set, changing } = await taken();
    await set("due_at = now() + interval '1 hour', poked = false");
    const client = await pool.connect();
    const row = await changing(() => fenceRun(client, I, P)).finally(() => client.release());
    expect(row).toMatchObject({ owner: "me", is_leased: true, poked: true, is_due: true });
    expect(Number(row?.["epoch"])).toBe(2);
  });
});

test("a pipeline that is forgotten takes all with it that sync knows of it, and nothing of others", async () => {
  const { schedule, pool, table } = await world();
  const counts = async (): Promise<Record<string, number>> => {
    const all: Record<string, number> = {};
    for (const instance of [I, J])
      for (const name of ["place", "link", "ledger", "source_position", "sync_entity"])
        all[`${instance === I ? "I" : "J"} ${name}`] =
          (await pool.query(`SELECT FROM ${table(instance, name)}`)).rowCount ?? 0;
    all["rows"] = (await pool.query("SELECT FROM sync_pipeline")).rowCount ?? 0;
    return all;
  };
  for (const [instance, pipeline] of ALL) {
    const { entityNumber, places } = await schedule.settleIn(instance, pipeline, [
      { connectorId: "a", entity: "e", readFields: [], writeFields: [] },
    ]);
    await pool.query(`INSERT INTO ${table(instance, "link")} (place, external_id, record_id) VALUES ($1, '1', $2)`, [
      places[0]?.id,
      pipeline,
    ]);
    await pool.query(
      `INSERT INTO ${table(instance, "ledger")} (entity, record_id, operation) VALUES ($1, 'r', 'create')`,
      [entityNumber],
    );
    await pool.query(`INSERT INTO ${table(instance, "source_position")} (pipeline_id, node_id) VALUES ($1, 's')`, [
      pipeline,
    ]);
  }
  await deletePipelineData(pool, I, P);
  expect(await counts()).toEqual({
    ...Object.fromEntries(
      ["I", "J"].flatMap((name) =>
        ["place", "link", "ledger", "source_position", "sync_entity"].map((table) => [`${name} ${table}`, 1]),
      ),
    ),
    rows: 2,
  });
});
