/** Explaining records, looking back at them, and counting what a resync would change: on real storage, nothing written. */
import { type Id, id } from "@accord/contracts";
import { expect, test } from "vitest";
import { editOutside, ENTITY, INSTANCE, type SYSTEMS } from "../../../../../test-kit/sync-world/sync-world.ts";
import { eventually, inWorkingWorld, type WorkingWorld } from "../../../../../test-kit/sync-world/working-world.ts";

const SCHEMA = `"i_${INSTANCE}"`;

async function recordOf({ pool }: WorkingWorld, email: string): Promise<Id<"record">> {
  return eventually(email, async () => {
    const { rows } = await pool.query(
      `SELECT accord_id FROM ${SCHEMA}."r_Contact" r WHERE email = $1
         AND (SELECT count(*) FROM ${SCHEMA}.link l WHERE l.record_id = r.accord_id) = 2
         AND NOT EXISTS (SELECT FROM ${SCHEMA}.delivery)`,
      [email],
    );
    return rows[0]?.accord_id;
  });
}

const everything = async ({ pool }: WorkingWorld): Promise<unknown> => {
  const { rows } = await pool.query(
    `SELECT (SELECT json_agg(r ORDER BY accord_id) FROM ${SCHEMA}."r_Contact" r) AS records,
            (SELECT json_agg(l ORDER BY place, external_id) FROM ${SCHEMA}.link l) AS links,
            (SELECT count(*) FROM ${SCHEMA}.ledger) AS ledger, (SELECT count(*) FROM ${SCHEMA}.delivery) AS deliveries,
            (SELECT json_agg(a ORDER BY id) FROM outside.a) AS a, (SELECT json_agg(b ORDER BY id) FROM outside.b) AS b`,
  );
  return rows[0];
};

const change = (world: WorkingWorld, name: (typeof SYSTEMS)[number], to: string): Promise<void> =>
  editOutside(world.pool, name, "UPDATE $table SET name = $1, change = nextval('outside.change')", [to]);

test("explain says node by node what reading a record again would do, and what each destination holds", () =>
  inWorkingWorld(async (world) => {
    const { service, person } = world;
    await world.addOutside("a", "one@example.com", "a");
    await world.startWorker();
    const recordId = await recordOf(world, "one@example.com");
    await world.stopWorker();
    const quiet = await service.explain(person, ENTITY, recordId, {});
    expect(quiet.sources.map(({ outcome }) => outcome)).toEqual(["unchanged", "unchanged"]);
    expect(quiet.destinations.map(({ outcome }) => outcome)).toEqual(["up_to_date", "up_to_date"]);
    expect(quiet.sources[0]?.steps.map(({ label, route, failure }) => ({ label, route, failure }))).toEqual([
      { label: "match a", route: "default", failure: null },
    ]);

    await change(world, "b", "changed in b");
    const before = await everything(world);
    const news = await service.explain(person, ENTITY, recordId, { field: "name" });
    const [fromA, fromB] = news.sources;
    expect(fromA?.outcome).toBe("unchanged");
    expect(fromB).toMatchObject({
      outcome: "changes",
      read: { name: "changed in b" },
      changes: [{ field: "name", from: "a name", to: "changed in b" }],
    });
    expect(news.destinations.flatMap(({ fields }) => fields.map(({ verdict }) => verdict))).toEqual([
      "held_there",
      "held_there",
    ]);
    expect(await everything(world)).toEqual(before);
  }));

test("explain tells an outstanding change, why it waits, and a record that is gone over there", () =>
  inWorkingWorld(async (world) => {
    const { service, person, pool } = world;
    await world.addOutside("a", "one@example.com", "a");
    await world.startWorker();
    const recordId = await recordOf(world, "one@example.com");
    await world.stopWorker();
    await service.applyManualChange({
      instanceId: INSTANCE,
      entityId: ENTITY,
      actor: { userId: person.actor.userId, name: "Ada L" },
      changes: [{ kind: "update", recordId, values: { phone: "by hand" } }],
    });
    await pool.query(`UPDATE ${SCHEMA}.delivery SET parked = true, attempts = 5`);
    await editOutside(pool, "b", "UPDATE $table SET deleted = true, change = nextval('outside.change')", []);
    const explained = await service.explain(person, ENTITY, recordId, { destination: "sink-a" });
    expect(explained.destinations).toHaveLength(1);
    expect(explained.destinations[0]).toMatchObject({
      outcome: "update",
      delivery: { attempts: 5, parked: true, isAnswerMissing: false },
    });
    const verdicts = explained.destinations[0]?.fields.map(({ coreField, verdict }) => [coreField, verdict]);
    expect(verdicts).toContainEqual(["phone", "differs"]);
    expect(verdicts).toContainEqual(["name", "held_there"]);
    expect(explained.sources.find(({ nodeId }) => nodeId === "source-b")?.outcome).toBe("deletes");
    await expect(service.explain(person, ENTITY, id("record").parse("0".repeat(24)), {})).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(service.explain(person, ENTITY, recordId, { destination: "no" })).rejects.toMatchObject({
      code: "not_found",
    });
  }));

test("as of: a field at a time, who set it, also before it was born and after it was deleted for good", () =>
  inWorkingWorld(async (world) => {
    const { service, person, pool } = world;
    await world.addOutside("a", "one@example.com", "a");
    await world.startWorker();
    const recordId = await recordOf(world, "one@example.com");
    await world.stopWorker();
    const byHand = (changes: object): Promise<unknown> =>
      service.applyManualChange({
        instanceId: INSTANCE,
        entityId: ENTITY,
        actor: { userId: person.actor.userId, name: "Ada L" },
        changes: [{ recordId, ...changes } as never],
      });
    await byHand({ kind: "update", values: { phone: "second" } });
    await byHand({ kind: "update", values: { phone: "third" } });
    await byHand({ kind: "delete", deleteInEndSystems: false });
    // One entry an hour, the record's birth at noon.
    await pool.query(
      `UPDATE ${SCHEMA}.ledger g SET at = '2026-05-04T12:00:00Z'::timestamptz + w.place * interval '1 hour'
       FROM (SELECT number, row_number() OVER (ORDER BY number) - 1 AS place FROM ${SCHEMA}.ledger
             WHERE operation IN ('create', 'update', 'delete')) w WHERE w.number = g.number`,
    );
    const at = async (hour: string) => {
      const answer = await service.recordAsOf(person, ENTITY, recordId, {
        at: `2026-05-04T${hour}:30:00.000Z`,
        field: "phone",
      });
      return [answer.state, answer.fields[0]?.value, answer.fields[0]?.setBy?.actor.kind ?? null];
    };
    expect(await at("11")).toEqual(["unborn", null, null]);
    expect(await at("12")).toEqual(["live", "a phone", "source"]);
    expect(await at("13")).toEqual(["live", "second", "user"]);
    expect(await at("14")).toEqual(["live", "third", "user"]);
    expect(await at("15")).toEqual(["deleted", "third", "user"]);
    const whole = await service.recordAsOf(person, ENTITY, recordId, { at: "2026-05-04T13:30:00.000Z" });
    expect(whole.complete).toBe(true);
    expect(whole.fields.find(({ field }) => field === "name")?.setBy).toMatchObject({
      at: expect.stringContaining("2026-05-04T12:00:00"),
      actor: { kind: "source", connectorId: "a" },
    });
  }));

test("a resync is counted first: what would change and who would be told, without a write", () =>
  inWorkingWorld(async (world) => {
    const { service, person, pool } = world;
    for (const name of ["one", "two", "three"]) await world.addOutside("a", `${name}@example.com`, "a");
    await world.startWorker();
    for (const name of ["one", "two", "three"]) await recordOf(world, `${name}@example.com`);
    await world.stopWorker();
    await editOutside(pool, "a", "UPDATE $table SET name = 'other' WHERE email = 'two@example.com'", []);
    await world.addOutside("a", "four@example.com", "a");
    const before = await everything(world);
    const request = { scope: "all" as const, sourceEntityIds: ["source-a"] };
    const preview = await service.previewResync(person, ENTITY, request);
    expect(preview).toMatchObject({
      read: 4,
      created: 1,
      updated: 1,
      deleted: 0,
      unchanged: 2,
      quarantined: 0,
      complete: true,
      problem: null,
    });
    expect(preview.told["sink-b"]).toBe(2);
    expect(preview.samples).toContainEqual(
      expect.objectContaining({ operation: "update", changes: [{ field: "name", from: "a name", to: "other" }] }),
    );
    expect(await everything(world)).toEqual(before);
    await service.pause(person, ENTITY);
    await expect(service.previewResync(person, ENTITY, request)).rejects.toMatchObject({ code: "resync_on_paused" });
  }));

test("a resync is counted where a list shows a record again whose deletion is known", () =>
  inWorkingWorld(async (world) => {
    const { service, person, pool } = world;
    for (const name of ["one", "two"]) await world.addOutside("a", `${name}@example.com`, "a");
    await world.startWorker();
    for (const name of ["one", "two"]) await recordOf(world, `${name}@example.com`);
    const edit = (text: string) =>
      editOutside(
        pool,
        "a",
        `UPDATE $table SET ${text}, change = nextval('outside.change') WHERE email LIKE 'two%'`,
        [],
      );
    await edit("deleted = true");
    await eventually("the deletion", async () => {
      const { rows } = await pool.query(`SELECT FROM ${SCHEMA}.link WHERE dead`);
      return rows.length === 2 ? true : undefined;
    });
    await world.stopWorker();
    await pool.query(
      `UPDATE ${SCHEMA}.link SET seen_at = now() - interval '1 hour', told_at = now() - interval '1 hour'`,
    );
    await edit("deleted = false, name = 'back'");
    const before = await everything(world);
    const request = { scope: "all" as const, sourceEntityIds: ["source-a"] };
    expect(await service.previewResync(person, ENTITY, request)).toMatchObject({
      read: 2,
      created: 0,
      updated: 1,
      unchanged: 1,
      complete: true,
      problem: null,
    });
    expect(await everything(world)).toEqual(before);
  }));
