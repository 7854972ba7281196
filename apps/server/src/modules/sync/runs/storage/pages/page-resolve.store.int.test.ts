/** A page's first look: what is known of its own place's records, beside the same ids at other places and in doubt. */
import { type MatchKeys, REMOVED_BY_US, type ResolveRequest } from "@accord/sync-engine/run";
import { describe, expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../../test-kit/database/database.ts";
import { PLACE, storeWorld } from "../../../../../../test-kit/replay/store-world.ts";

const OTHER = PLACE + 1;

/** Places 1 (crm, customer), 2 (books, client) and 3 (crm, company) of one pipeline. */
async function places() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const it = await storeWorld(database);
  const { pool, pipelineId, schema, storage } = it;
  await pool.query(
    `INSERT INTO ${schema}.place (pipeline_id, connector_id, entity)
     VALUES ($1, 'crm', 'customer'), ($1, 'books', 'client'), ($1, 'crm', 'company')`,
    [pipelineId],
  );
  const record = (id: string, name: string | null = null, deleted = false) =>
    pool.query(
      `INSERT INTO ${schema}."r_Customer" (accord_id, accord_origin, accord_deleted, name) VALUES ($1, '{}', $2, $3)`,
      [id, deleted, name],
    );
  const link = (place: number, externalId: string, recordId: string, more: object = {}) => {
    const row = { dead: false, seen: "seen", lastWritten: null, seen_at: null, told_at: null, ...more };
    return pool.query(
      `INSERT INTO ${schema}.link (place, external_id, record_id, dead, seen, told, seen_at, told_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [place, externalId, recordId, row.dead, row.seen, row.lastWritten, row.seen_at, row.told_at],
    );
  };
  const merged = (loser: string, winner: string, undone = false) =>
    pool.query(
      `INSERT INTO ${schema}.merged_record (loser_id, merge_id, winner_id, undone) VALUES ($1, $1 || $2, $2, $3)`,
      [loser, winner, undone],
    );
  const doubt = (place: number, recordId: string, intent: string | null, written: string | null = null) =>
    pool.query(`INSERT INTO ${schema}.delivery (place, record_id, intent, written) VALUES ($1, $2, $3, $4)`, [
      place,
      recordId,
      intent,
      written,
    ]);
  const quarantineEntries = (id: string, more: object = {}) => {
    const row = { place: PLACE, direction: "source", status: "OPEN", ...more };
    return pool.query(
      `INSERT INTO ${schema}.quarantine (id, pipeline_id, place, direction, status, external_id, code, message, known_until, modified_at)
       VALUES ($1 || $2 || $3 || $4, $5, $2::smallint, $3, $4, $1, 'bad', '', '2026-01-02T03:04:05.006Z', '2026-01-02T03:04:06Z')`,
      [id, row.place, row.direction, row.status, pipelineId],
    );
  };
  const look = (
    records: { [externalId: string]: string | null },
    { references = [], absorb = true }: Partial<ResolveRequest> = {},
  ) =>
    storage.resolve({
      placeId: PLACE,
      records: Object.entries(records).map(([externalId, seen]) => ({
        externalId,
        seen: seen ?? "",
        deleted: seen === null,
      })),
      absorb,
      references,
    });
  return { ...it, record, link, merged, doubt, quarantineEntries, look };
}

describe("a first look", () => {
  test("passes over what shows what it showed; nothing of a resync, of what is gone, or quarantined", async () => {
    const { record, link, quarantineEntries, look } = await places();
    for (const id of ["same", "new", "dead", "aside", "told"]) await record(id);
    await link(PLACE, "same", "same");
    await link(PLACE, "new", "new", { seen: "older" });
    await link(PLACE, "dead", "dead", { dead: true });
    await link(PLACE, "aside", "aside");
    await link(PLACE, "told", "told");
    await link(OTHER, "unknown", "same");
    await quarantineEntries("aside");
    await quarantineEntries("told", { direction: "destination" });
    await quarantineEntries("same", { status: "RESOLVED" });
    await quarantineEntries("new", { place: OTHER });
    await quarantineEntries("another");
    const page = { same: "seen", new: "seen", dead: "seen", aside: "seen", told: "seen", unknown: "seen" };
    const found = await look(page);
    expect([...found.absorbed]).toEqual([0, 4]);
    expect([...found.links.keys()].sort()).toEqual(["aside", "dead", "new"]);
    expect([...found.records.keys()].sort()).toEqual(["aside", "dead", "new"]);
    expect([...found.quarantined]).toEqual([
      ["aside", { knownUntil: "2026-01-02T03:04:05.006Z", modifiedAt: "2026-01-02T03:04:06Z" }],
    ]);
    expect(found.links.get("new")).toEqual({
      ...{ externalId: "new", recordId: "new", seen: "older", lastWritten: null, refused: null },
      ...{ respelled: null, modifiedAt: null, dead: false },
    });
    const all = await look(page, { absorb: false });
    expect([[...all.absorbed], all.links.size]).toEqual([[], 5]);
  });

  test("knows when what is gone went, by what was seen or told last", async () => {
    const { record, link, look } = await places();
    for (const id of ["seen", "told", "alive"]) await record(id);
    await link(PLACE, "seen", "seen", { dead: true, seen_at: "2026-01-02T00:00:00Z", told_at: "2026-01-01T00:00:00Z" });
    await link(PLACE, "told", "told", { dead: true, told_at: "2026-01-03T00:00:00Z" });
    await link(PLACE, "alive", "alive", { seen_at: "2026-01-04T00:00:00Z" });
    const { deadSince } = await look({ seen: "", told: "", alive: "" });
    expect(Object.fromEntries(deadSince ?? [])).toEqual({
      seen: Date.parse("2026-01-02T00:00:00Z"),
      told: Date.parse("2026-01-03T00:00:00Z"),
    });
  });

  test("says where else records live that are gone here, and whether merged ones stand for them", async () => {
    const { record, link, merged, look } = await places();
    for (const id of ["shared", "alone", "stays", "loser", "parted"]) await record(id);
    for (const id of ["shared", "alone", "stays"]) await link(PLACE, id, id, { seen: "older" });
    await link(OTHER, "s", "shared");
    await link(3, "s3", "shared", { dead: true });
    await link(OTHER, "st", "stays");
    await link(3, "l", "loser");
    await link(3, "p", "parted");
    await merged("loser", "shared");
    await merged("parted", "alone", true);
    const found = await look({ shared: null, alone: null, stays: "seen" });
    expect([...found.otherPlaces]).toEqual([["shared", [OTHER]]]);
    expect([...(found.aliased ?? [])]).toEqual(["shared"]);
  });

  test("leads from deleted records that were merged to those that stand for them", async () => {
    const { record, link, merged, look } = await places();
    await record("loser", null, true);
    await record("between", null, true);
    await record("winner");
    await record("deleted", null, true);
    await record("parted", null, true);
    for (const id of ["loser", "deleted", "parted"]) await link(PLACE, id, id);
    await merged("loser", "between");
    await merged("between", "winner");
    await merged("parted", "winner", true);
    const found = await look({ loser: "", deleted: "", parted: "" });
    expect([...(found.merged ?? [])]).toEqual([["loser", "winner"]]);
    expect([...found.records.keys()].sort()).toEqual(["deleted", "loser", "parted", "winner"]);
  });

  test("brings what is in doubt here, with the records that may have been created", async () => {
    const { record, link, doubt, look } = await places();
    for (const id of ["created", "tied", "updated", "else", "open"]) await record(id);
    await link(PLACE, "t", "tied");
    await link(PLACE, "u", "updated", { dead: true });
    await link(OTHER, "c", "created");
    await doubt(PLACE, "created", "create", "one two");
    await doubt(PLACE, "tied", "create");
    await doubt(PLACE, "updated", "update", "w");
    await doubt(PLACE, "open", null);
    await doubt(OTHER, "else", "create");
    const found = await look({ unknown: "x" });
    expect(Object.fromEntries(found.unanswered)).toEqual({
      created: { intent: "create", written: ["one", "two"], isTied: false },
      tied: { intent: "create", written: [], isTied: true },
      updated: { intent: "update", written: ["w"], isTied: false },
    });
    expect([...found.records.keys()].sort(), "an unknown record may be one of them").toEqual(["created", "tied"]);
    const known = await look({ t: "seen" });
    expect([known.unanswered.size, [...known.records.keys()]]).toEqual([3, []]);
  });

  test("takes ids as they are, whatever stands between them in a text", async () => {
    const { record, link, look } = await places();
    await record("odd");
    await link(PLACE, "a\u001fb", "odd");
    const found = await look({ "a\u001fb": "seen", c: "seen" });
    expect([...found.absorbed]).toEqual([0]);
    expect([...(await look({ c: "", "a\u001fb": "x" })).links.keys()]).toEqual(["a\u001fb"]);
    await link(PLACE, "d\u001f", "ends with it");
    expect([...(await look({ "d\u001f": "x", c: "" })).links.keys()]).toEqual(["d\u001f"]);
    await link(PLACE, "\u001fe", "begins with it");
    expect([...(await look({ "\u001fe": "x" })).links.keys()]).toEqual(["\u001fe"]);
  });

  test("finds who is named, as the one that stands for it now", async () => {
    const { record, link, merged, look } = await places();
    for (const id of ["r1", "winner", "gone"]) await record(id);
    await link(PLACE, "alive", "r1");
    await link(PLACE, "gone", "gone", { dead: true });
    await link(PLACE, "merged", "loser", { dead: true });
    await link(PLACE, "parted", "parted", { dead: true, lastWritten: REMOVED_BY_US });
    await link(PLACE, "left", "left", { dead: true, lastWritten: "something" });
    await link(OTHER, "elsewhere", "r1");
    await link(3, "company", "winner");
    await merged("loser", "winner");
    await merged("parted", "winner", true);
    await merged("left", "winner", true);
    const externalIds = ["alive", "gone", "merged", "parted", "left", "elsewhere", "company", "nobody"];
    const { references, renamed } = await look(
      {},
      { references: [{ connectorId: "crm", entity: "customer", externalIds }] },
    );
    expect(Object.fromEntries(references.get("crm/customer") ?? [])).toEqual({
      alive: "r1",
      merged: "winner",
      parted: "parted",
    });
    expect([...(renamed ?? [])].sort()).toEqual(["merged", "parted"]);
  });
});

describe("a match", () => {
  const keys = (field: string, ...all: string[]): MatchKeys => ({ field, keys: all });

  test("finds living records that have no living external record here, in the order of their ids", async () => {
    const { record, link, storage } = await places();
    for (const id of ["r3", "r1", "linked", "dead", "elsewhere"]) await record(id, "Ada");
    await record("deleted", "Ada", true);
    await record("other", "Eve");
    await link(PLACE, "l", "linked");
    await link(PLACE, "d", "dead", { dead: true });
    await link(OTHER, "e", "elsewhere");
    const ids = async (...fields: MatchKeys[]) =>
      (await storage.match({ placeId: PLACE, fields })).records.map(({ recordId }) => recordId);
    expect(await ids(keys("name", "ada"))).toEqual(["dead", "elsewhere", "r1", "r3"]);
    expect(await ids(keys("phone", "1"), keys("name", "eve"))).toEqual(["other"]);
    expect(await ids(keys("no such field", "Ada"))).toEqual([]);
    expect(await ids()).toEqual([]);
  });

  test("for duplicates finds living records wherever they are linked, and who was parted from them", async () => {
    const { record, link, merged, storage } = await places();
    for (const id of ["r2", "r1"]) await record(id, "Ada");
    await record("deleted", "Ada", true);
    await record("other", "Eve");
    await link(PLACE, "one", "r1");
    await link(OTHER, "two", "r1");
    await link(3, "three", "r1", { dead: true });
    await merged("r1", "r9", true);
    await merged("r2", "r8");
    await merged("other", "r7", true);
    const { records, places: at, separated } = await storage.findDuplicates([keys("name", "ADA")]);
    expect(records.map(({ recordId }) => recordId)).toEqual(["r1", "r2"]);
    expect([...at].map(([id, all]) => [id, new Set(all)])).toEqual([
      ["r1", new Set([PLACE, OTHER])],
      ["r2", new Set()],
    ]);
    expect(separated).toEqual([["r1", "r9"]]);
    const nothing = { records: [], places: new Map(), separated: [], cut: [], isFull: false };
    expect(await storage.findDuplicates([])).toEqual(nothing);
    expect((await storage.findDuplicates([keys("no such field", "x")])).records).toEqual([]);
  });
});

describe("references that wait", () => {
  test("are found once who they name is known, as the one that stands for it now", async () => {
    const { pool, pipelineId, schema, record, link, merged, storage } = await places();
    for (const id of ["r1", "r2"]) await record(id);
    await record("deleted", null, true);
    const pending = (recordId: string, field: string, externalId: string, more: object = {}) => {
      const row = { pipeline: pipelineId, place: PLACE, connector: "crm", ...more };
      return pool.query(
        `INSERT INTO ${schema}.pending_reference (pipeline_id, place, record_id, field, connector_id, entity, external_id, at)
         VALUES ($1, $2, $3, $4, $5, 'customer', $6, '2026')`,
        [row.pipeline, row.place, recordId, field, row.connector, externalId],
      );
    };
    await link(PLACE, "alive", "target");
    await link(PLACE, "gone", "lost", { dead: true });
    await link(PLACE, "merged", "loser", { dead: true });
    await link(PLACE, "parted", "parted", { dead: true, lastWritten: REMOVED_BY_US });
    await link(PLACE, "left", "left", { dead: true, lastWritten: "x" });
    await link(OTHER, "elsewhere", "target");
    await merged("loser", "between");
    await merged("between", "winner");
    await merged("parted", "winner", true);
    await merged("left", "winner", true);
    await pending("r1", "a", "alive");
    await pending("r1", "b", "gone");
    await pending("r1", "c", "merged");
    await pending("r1", "d", "parted");
    await pending("r1", "e", "left");
    await pending("r1", "f", "elsewhere");
    await pending("r1", "g", "alive", { pipeline: "another" });
    await pending("r1", "h", "alive", { place: null });
    await pending("r1", "i", "alive", { connector: "books" });
    await pending("deleted", "a", "alive");
    await pending("r2", "a", "alive", { place: OTHER });
    const found = await storage.findResolved();
    expect(found.map(({ record: { recordId }, field, targetId }) => [recordId, field, targetId])).toEqual([
      ["r1", "a", "target"],
      ["r1", "c", "winner"],
      ["r1", "d", "parted"],
      ["r2", "a", "target"],
    ]);
    expect(found.map(({ placeId, at }) => [placeId, at])[3]).toEqual([OTHER, "2026"]);
  });

  test("to be told are sent again once their targets, or ones merged into them, are there", async () => {
    const { pool, pipelineId, schema, link, merged, doubt, storage } = await places();
    await pool.query(
      `INSERT INTO ${schema}.place (pipeline_id, connector_id, entity) VALUES ($1, 'shop', 'customer')`,
      [pipelineId],
    );
    const wait = (place: number, recordId: string, targetId: string, entity = "customer") =>
      pool.query(
        `INSERT INTO ${schema}.waiting_reference (place, record_id, connector_id, entity, target_id) VALUES ($1, $2, 'crm', $3, $4)`,
        [place, recordId, entity, targetId],
      );
    await link(PLACE, "t", "there");
    await link(PLACE, "g", "gone", { dead: true });
    await link(PLACE, "l", "loser");
    await link(PLACE, "q", "queued");
    await link(PLACE, "p", "parted");
    await link(3, "c", "company");
    await link(4, "s", "only in the shop");
    await link(PLACE, "own", "busy");
    await merged("loser", "winner");
    await merged("merged away", "between");
    await merged("between", "there");
    await merged("merged unseen", "busy winner");
    await merged("queued", "queued winner");
    await merged("parted", "former", true);
    await merged("parted unseen", "there", true);
    await doubt(PLACE, "queued", null);
    await doubt(PLACE, "busy", null);
    await doubt(OTHER, "r1", "update");
    // What waits to be sent to another place says nothing of the one whose link names the record.
    await doubt(3, "loser", null);
    await pool.query(`UPDATE ${schema}.delivery SET attempts = 4, next_at = now() + interval '2 hours'`);
    await wait(OTHER, "r1", "there");
    await wait(OTHER, "r2", "gone");
    await wait(OTHER, "r3", "winner");
    await wait(OTHER, "r4", "queued winner");
    await wait(OTHER, "r5", "former");
    await wait(OTHER, "r6", "company");
    await wait(OTHER, "r7", "busy");
    await wait(3, "r8", "there");
    await wait(OTHER, "r9", "merged away");
    await wait(OTHER, "s1", "merged unseen");
    await wait(OTHER, "s2", "parted unseen");
    await wait(OTHER, "s3", "queued");
    await wait(OTHER, "s4", "parted");
    await wait(OTHER, "s5", "only in the shop");
    await storage.renewWaiting([OTHER]);
    const { rows: left } = await pool.query(`SELECT record_id FROM ${schema}.waiting_reference ORDER BY 1`);
    expect(left.map(({ record_id: id }) => id)).toEqual(["r2", "r4", "r5", "r6", "r8", "s1", "s2", "s3", "s5"]);
    const { rows } = await pool.query(
      `SELECT record_id, attempts, next_at > now() + interval '1 hour' AS held FROM ${schema}.delivery WHERE place = ${OTHER} ORDER BY 1`,
    );
    expect(rows).toEqual([
      { record_id: "r1", attempts: 0, held: true },
      { record_id: "r3", attempts: 0, held: false },
      { record_id: "r7", attempts: 0, held: false },
      { record_id: "r9", attempts: 0, held: false },
      { record_id: "s4", attempts: 0, held: false },
    ]);
  });
});
