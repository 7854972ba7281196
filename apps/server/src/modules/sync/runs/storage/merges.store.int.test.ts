/** Merges as storage writes them: links, references, doubts, history and deliveries of winners and losers, of nobody else. */
import type { MergeBatch, StoredRecord } from "@accord/sync-engine/run";
import { describe, expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import { countStatements } from "../../../../../test-kit/database/count-statements.ts";
import { CUSTOMER, newId, PLACE, pageOf, storeWorld } from "../../../../../test-kit/replay/store-world.ts";
import { type UserMerge, applyUserMerge } from "../edits/user-merges.store.ts";
import type { CompiledPipeline } from "../worker/plans.ts";
import { runStorage } from "./run-storage.store.ts";

const OTHER = PLACE + 1;
const DEALS = "d".repeat(24);

/** Customers, and deals whose `person` and `people` name them. */
async function customers() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const it = await storeWorld(database);
  const { pool, instanceId, pipelineId, schema, run } = it;
  const referrer = { entityId: DEALS, apiName: "Deal" };
  const storage = runStorage(pool, {
    ...{ instanceId, pipelineId, entityNumber: 1, entity: CUSTOMER },
    referrers: async () => [
      { ...referrer, field: "person", isList: false },
      { ...referrer, field: "people", isList: true },
    ],
  });
  await pool.query(
    `CREATE TABLE ${schema}."r_Deal" (accord_id text PRIMARY KEY, accord_version int NOT NULL DEFAULT 1,
       accord_updated_at timestamptz, person text, people jsonb)`,
  );
  await pool.query(`INSERT INTO ${schema}.sync_entity (pipeline_id) VALUES ($1), ($2)`, [pipelineId, DEALS]);
  await pool.query(
    `INSERT INTO ${schema}.place (pipeline_id, connector_id, entity, told_fields)
     VALUES ($1, 'crm', 'customer', '{name}'), ($1, 'books', 'client', '{name}'), ($2, 'crm', 'deal', '{person}'), ($2, 'books', 'deal', '{}'), ($2, 'shop', 'deal', '{person}')`,
    [pipelineId, DEALS],
  );
  const record = async (id: string, name: string | null = null): Promise<void> => {
    await pool.query(`INSERT INTO ${schema}."r_Customer" (accord_id, accord_origin, name) VALUES ($1, '{}', $2)`, [
      id,
      name,
    ]);
  };
  const deal = (id: string, person: string | null, people: readonly string[] | null = null) =>
    pool.query(`INSERT INTO ${schema}."r_Deal" (accord_id, person, people) VALUES ($1, $2, $3)`, [
      id,
      person,
      people && JSON.stringify(people),
    ]);
  const link = (place: number, externalId: string, recordId: string, dead = false) =>
    pool.query(
      `INSERT INTO ${schema}.link (place, external_id, record_id, dead, told) VALUES ($1, $2, $3, $4, 'told')`,
      [place, externalId, recordId, dead],
    );
  const want = (place: number, recordId: string, intent: string | null = null, written: string | null = null) =>
    pool.query(
      `INSERT INTO ${schema}.delivery (place, record_id, wanted, attempts, next_at, intent, written)
       VALUES ($1, $2, 5, 3, now() + CASE WHEN $3::text = 'create' THEN interval '2 hours' ELSE interval '1 hour' END, $3, $4)`,
      [place, recordId, intent, written],
    );
  const rows = async (text: string): Promise<string[]> =>
    (await pool.query({ text: text.replaceAll("$SCHEMA", schema), rowMode: "array" })).rows.map((row) => row.join(" "));
  const stored = async (id: string): Promise<StoredRecord> => {
    const [found] = await storage.readRecords([id]);
    if (!found) throw new Error(`${id} is not there`);
    return found;
  };
  const joined = async (winner: string, losers: readonly string[]): Promise<MergeBatch["merges"][number]> => ({
    mergeId: `m-${winner}`,
    winner: await stored(winner),
    values: { name: "Joined" },
    origin: { name: { by: "crm.customer", at: "2026" } },
    changes: { name: ["Ada", "Joined"] },
    losers: await Promise.all(losers.map(stored)),
  });
  const commit = (mergeBatch: Partial<MergeBatch>) =>
    storage.commit(
      run,
      { ...pageOf(), mergeBatch: { merges: [], reports: [], notifySinkIds: [], deleteAt: [], ...mergeBatch } },
      newId,
    );
  return { ...it, storage, record, deal, link, want, rows, joined, commit };
}

const LINK = {
  seen: null,
  lastWritten: null,
  refused: null,
  respelled: null,
  modifiedAt: null,
  dead: false,
  isNew: false,
};
const LINKS = `SELECT place, external_id, record_id, dead, told FROM $SCHEMA.link ORDER BY 1, 2`;
const DELIVERIES = `SELECT place, record_id, wanted > 5 AS more, attempts, intent, written,
  round(extract(epoch FROM next_at - now()) / 3600)::int AS hours FROM $SCHEMA.delivery ORDER BY 1, 2`;

describe("a merge in a page", () => {
  test("joins records: the winner has its values, the losers are deleted, and history says so", async () => {
    const { record, joined, commit, rows, run } = await customers();
    for (const id of ["w", "l", "bystander"]) await record(id, "Ada");
    expect((await commit({ merges: [await joined("w", ["l"])] })).status).toBe("done");
    expect(
      await rows(
        `SELECT accord_id, name, accord_version, accord_deleted, accord_origin->'name'->>'at' FROM $SCHEMA."r_Customer" ORDER BY 1`,
      ),
    ).toEqual(["bystander Ada 1 false ", "l Ada 2 true ", "w Joined 2 false 2026"]);
    expect(
      await rows(
        `SELECT record_id, operation, changes::text, place, cycle, version_number, user_id FROM $SCHEMA.ledger ORDER BY number`,
      ),
    ).toEqual([
      `w merge {"name":["Ada","Joined"]} ${PLACE} ${run.cycleNumber} 1 `,
      `l delete {} ${PLACE} ${run.cycleNumber} 1 `,
    ]);
    expect(await rows(`SELECT loser_id, winner_id, merge_id, undone FROM $SCHEMA.merged_record`)).toEqual([
      "l w m-w false",
    ]);
    expect(
      await rows(
        `SELECT id, status, cycle, place, winner_id, loser_ids, changes->'name'->>1, origin->'name'->>'at',
                before->'w'->'values'->>'name', before->'l'->'values'->>'name', merged_by FROM $SCHEMA.merge`,
      ),
    ).toEqual([`m-w MERGED ${run.cycleNumber} ${PLACE} w l Joined 2026 Ada Ada `]);
  });

  test("that is about a record which moved on writes nothing", async () => {
    const { pool, schema, record, joined, commit, rows } = await customers();
    for (const id of ["w", "l"]) await record(id, "Ada");
    const merge = await joined("w", ["l"]);
    await pool.query(`UPDATE ${schema}."r_Customer" SET accord_version = 2 WHERE accord_id = 'l'`);
    expect(await commit({ merges: [merge] })).toEqual({ status: "conflict" });
    expect(await rows(`SELECT accord_id FROM $SCHEMA."r_Customer" WHERE name = 'Joined'`)).toEqual([]);
  });

  test("comes before pages that were decided without it: they are looked at anew, and move nothing back", async () => {
    const { record, link, joined, commit, storage, run, rows } = await customers();
    for (const id of ["w", "l", "other"]) await record(id, "Ada");
    await link(PLACE, "l1", "l");
    const seen = { ...pageOf(), standing: ["other", "l"] };
    seen.links.push({ ...LINK, externalId: "l1", recordId: "l" });
    expect((await commit({ merges: [await joined("w", ["l"])] })).status).toBe("done");
    expect(await storage.commit(run, seen, newId)).toEqual({ status: "conflict" });
    expect(await rows(`SELECT external_id, record_id FROM $SCHEMA.link`)).toEqual(["l1 w"]);
    expect((await storage.commit(run, { ...pageOf(), standing: ["other", "w"] }, newId)).status).toBe("done");
  });

  test("moves living links to a winner that has none there, one a place; dead ones make room", async () => {
    const { record, link, want, joined, commit, rows } = await customers();
    for (const id of ["w", "l1", "l2", "v", "k", "x"]) await record(id);
    await link(PLACE, "w dead", "w", true);
    await link(OTHER, "w alive", "w");
    await link(PLACE, "l1", "l1");
    await link(PLACE, "l2", "l2");
    await link(OTHER, "l1 b", "l1");
    await link(3, "l1 gone", "l1", true);
    await link(OTHER, "w of x", "x");
    await link(PLACE, "k", "k");
    await want(PLACE, "v", "create", "being made");
    await link(3, "k3", "k");
    await want(3, "k", "update", "under way");
    await commit({ merges: [await joined("w", ["l2", "l1"]), await joined("v", ["k"])] });
    expect(await rows(LINKS)).toEqual([
      `${PLACE} k k false told`,
      `${PLACE} l1 w false told`,
      `${PLACE} l2 l2 false told`,
      `${OTHER} l1 b l1 false told`,
      `${OTHER} w alive w false told`,
      `${OTHER} w of x x false told`,
      "3 k3 v false ",
      "3 l1 gone l1 true told",
    ]);
    expect(await rows(`SELECT id, moved FROM $SCHEMA.merge ORDER BY id DESC`)).toHaveLength(2);
    expect(
      await rows(
        `SELECT id, e->>'place', e->>'externalId', e->>'from' FROM $SCHEMA.merge, jsonb_array_elements(moved) e ORDER BY 1, 2`,
      ),
    ).toEqual(["m-v 3 k3 k", `m-w ${PLACE} l1 l1`]);
  });

  test("hands what is in doubt of a moved record to its winner, and tells those that have to learn of it", async () => {
    const { record, link, want, joined, commit, rows } = await customers();
    for (const id of ["w", "l", "v", "k", "x"]) await record(id);
    await link(PLACE, "l", "l");
    await link(OTHER, "l b", "l");
    await link(OTHER, "w b", "w");
    await link(PLACE, "k", "k");
    await link(OTHER, "k gone", "k", true);
    await want(PLACE, "l", "create", "sent");
    await want(PLACE, "k", "delete", "x");
    await want(PLACE, "x");
    await want(OTHER, "v");
    await commit({
      merges: [await joined("w", ["l"]), await joined("v", ["k"])],
      notifySinkIds: [PLACE, OTHER],
      deleteAt: [OTHER],
    });
    expect(await rows(DELIVERIES)).toEqual([
      `${PLACE} k true 0 delete x 1`,
      `${PLACE} l true 0 create sent 2`,
      `${PLACE} v true 0   0`,
      `${PLACE} w true 0 update sent 2`,
      `${PLACE} x false 3   1`,
      `${OTHER} l true 0   0`,
      `${OTHER} v true 0   0`,
      `${OTHER} w true 0   0`,
    ]);
  });

  test("sets references to losers to their winner, in their history and at destinations that are notified of them", async () => {
    const { record, deal, link, want, joined, commit, rows, run } = await customers();
    for (const id of ["w", "l", "k", "x"]) await record(id);
    await deal("one", "l", ["l", "x", "w", "k"]);
    await deal("other", "x", ["x"]);
    await deal("list", null, ["k", "x"]);
    await link(3, "one", "one");
    await link(4, "one untold", "one");
    await link(5, "one gone", "one", true);
    await link(3, "other", "other");
    await link(3, "list", "list");
    await want(3, "list", "update");
    await commit({ merges: [await joined("w", ["l", "k"])] });
    expect(
      await rows(`SELECT accord_id, accord_version, person, people FROM $SCHEMA."r_Deal" ORDER BY accord_id`),
    ).toEqual(["list 2  w,x", "one 3 w w,x", "other 1 x x"]);
    expect(
      await rows(
        `SELECT record_id, operation, entity, cycle, user_id, changes::text FROM $SCHEMA.ledger WHERE entity = 2 ORDER BY record_id, number`,
      ),
    ).toEqual([
      `list update 2 ${run.cycleNumber}  {"people":[["k","x"],["w","x"]]}`,
      `one update 2 ${run.cycleNumber}  {"person":["l","w"]}`,
      `one update 2 ${run.cycleNumber}  {"people":[["l","x","w","k"],["w","x"]]}`,
    ]);
    expect(await rows(DELIVERIES)).toEqual(["3 list true 0 update  1", "3 one true 0   0"]);
    expect(
      await rows(
        `SELECT e->>'recordId', e->>'field', e->>'entity', e->>'entityId' FROM $SCHEMA.merge, jsonb_array_elements(repointed) e ORDER BY 1, 2`,
      ),
    ).toEqual([`list people Deal ${DEALS}`, `one people Deal ${DEALS}`, `one person Deal ${DEALS}`]);
  });

  test("keeps with each merge what it moved itself", async () => {
    const { record, deal, link, joined, commit, rows } = await customers();
    for (const id of ["w", "l", "v", "k"]) await record(id);
    await link(PLACE, "l", "l");
    await link(OTHER, "k", "k");
    await deal("of l", "l");
    await deal("of k", "k", ["l", "k"]);
    await commit({ merges: [await joined("w", ["l"]), await joined("v", ["k"])] });
    expect(
      await rows(
        `SELECT id, ARRAY(SELECT e->>'externalId' FROM jsonb_array_elements(moved) e),
                ARRAY(SELECT (e->>'recordId') || '.' || (e->>'field') FROM jsonb_array_elements(repointed) e ORDER BY 1)
         FROM $SCHEMA.merge ORDER BY id`,
      ),
    ).toEqual(["m-v k of k.people,of k.person", "m-w l of k.people,of l.person"]);
  });

  test("of records without links asks nothing about what was moved, and a report nothing but itself", async () => {
    const { pool, record, link, joined, commit } = await customers();
    for (const id of ["w", "l", "v", "k"]) await record(id);
    await link(PLACE, "k", "k");
    const statements = await countStatements(pool);
    const report = { mergeId: "m", winnerId: "w", loserIds: ["l"], why: "reportOnly" as const };
    const empty = await statements(() => commit({}));
    expect((await statements(() => commit({ reports: [report] }))) - empty).toBe(1);
    const bare = await joined("w", ["l"]);
    const linked = await joined("v", ["k"]);
    // Records, links to move, two fields of references, who was merged, images, history, three for tellings.
    expect((await statements(() => commit({ merges: [bare] }))) - empty).toBe(10);
    // Room is made and the link moved, and what is in doubt is handed on.
    expect((await statements(() => commit({ merges: [linked] }))) - empty).toBe(13);
  });

  test("that is only reported is kept once, and changes no record", async () => {
    const { record, commit, rows, run } = await customers();
    for (const id of ["w", "l"]) await record(id, "Ada");
    const report = (mergeId: string, why: "reportOnly" | "tooMany") => ({
      mergeId,
      winnerId: "w",
      loserIds: ["l", "k"],
      why,
    });
    await commit({ reports: [report("one", "reportOnly"), { ...report("two", "tooMany"), winnerId: "v" }] });
    await commit({ reports: [report("again", "reportOnly")] });
    expect(await rows(`SELECT id, status, winner_id, loser_ids, cycle, place FROM $SCHEMA.merge ORDER BY id`)).toEqual([
      `one REPORTED w l,k ${run.cycleNumber} ${PLACE}`,
      `two TOO_MANY v l,k ${run.cycleNumber} ${PLACE}`,
    ]);
    expect(await rows(`SELECT accord_id FROM $SCHEMA."r_Customer" WHERE accord_version > 1`)).toEqual([]);
  });
});

describe("a person's merge", () => {
  async function reported() {
    const it = await customers();
    for (const id of ["w", "l", "k", "x"]) await it.record(id, "Ada");
    await it.deal("of l", "l");
    for (const [id, status] of [
      ["open", "REPORTED"],
      ["many", "TOO_MANY"],
      ["done", "MERGED"],
    ])
      await it.pool.query(
        `INSERT INTO ${it.schema}.merge (id, pipeline_id, status, winner_id, loser_ids) VALUES ($1, $2, $3, 'w', ARRAY['l', $1])`,
        [id, it.pipelineId, status],
      );
    const plan = {
      merge: { fields: [], winner: [] },
      sinks: [],
      coreFields: new Map(),
      authority: { fields: new Map() },
    } as unknown as CompiledPipeline["plan"];
    const merge = (wish: Partial<UserMerge>, of = plan) =>
      applyUserMerge(
        it.pool,
        { plan: of, storage: it.storage },
        {
          ...{ instanceId: it.instanceId, pipelineId: it.pipelineId, mergeId: "open", winnerId: "w", loserIds: ["l"] },
          ...{ rest: null, actor: { userId: "u", name: "Uma" } },
          ...wish,
        },
      );
    const reports = () => it.rows(`SELECT id, status, winner_id, loser_ids, merged_by FROM $SCHEMA.merge ORDER BY id`);
    return { ...it, plan, merge, reports };
  }
  const ALL = ["done MERGED w l,done ", "many TOO_MANY w l,many ", "open REPORTED w l,open "];

  test("takes the place of its report, in the person's name; the rest stays reported", async () => {
    const { merge, reports, rows } = await reported();
    expect(await merge({ mergeId: "many", rest: { mergeId: "rest", recordIds: ["k"] } })).toBeNull();
    expect(await reports()).toEqual([ALL[0], "many MERGED w l Uma", ALL[2], "rest TOO_MANY w k "]);
    expect(
      await rows(`SELECT record_id, operation, user_id, user_name, entity, cycle FROM $SCHEMA.ledger ORDER BY number`),
    ).toEqual(["of l update u Uma 2 ", "w merge u Uma 1 ", "l delete u Uma 1 "]);
    expect(await rows(`SELECT accord_id FROM $SCHEMA."r_Customer" WHERE accord_deleted`)).toEqual(["l"]);
  });

  test("is refused where it is not reported, where a record is gone, and without rules", async () => {
    const { pool, schema, plan, merge, reports, rows } = await reported();
    expect(await merge({ mergeId: "done" })).toBe("notReported");
    expect(await merge({ pipelineId: DEALS })).toBe("notReported");
    expect(await merge({}, { ...plan, merge: null })).toBe("noRules");
    expect(await merge({ loserIds: ["l", "nobody"] })).toBe("gone");
    expect(await merge({ winnerId: "nobody" })).toBe("gone");
    await pool.query(`UPDATE ${schema}."r_Customer" SET accord_deleted = true WHERE accord_id = 'l'`);
    expect(await merge({})).toBe("gone");
    expect(await reports()).toEqual(ALL);
    expect(await rows(`SELECT number FROM $SCHEMA.ledger`)).toEqual([]);
  });
});
