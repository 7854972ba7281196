/** Who a record is and whose value wins, on real PostgreSQL: cycles of the real engine between two systems of tables. */
import type { Id } from "@accord/contracts";
import type { Value } from "@accord/contracts/data/values";
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import type { CycleSummary } from "@accord/sync-engine/run";
import { contactFields } from "@accord/sync-engine/simulation";
import { beforeEach, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../../../test-kit/database.ts";
import { untilQuiet } from "../../../../test-kit/sync-cycle.ts";
import {
  contactsIn,
  editOutside,
  ENTITY,
  INSTANCE,
  makeSyncWorld,
  type SystemName,
  syncWorldNeeds,
} from "../../../../test-kit/sync-world.ts";
import { systemClock } from "../../../platform/clock.ts";
import type { Caller } from "../../../platform/ctx.ts";
import type { Pool } from "../../../platform/db/db.ts";
import type { Deps } from "../../../platform/deps.ts";
import { makeNewId } from "../../../platform/ids.ts";
import { makeLog } from "../../../platform/log/log.ts";
import { createTable } from "../../data/schema/index.ts";
import { type RunsNeeds, runsModule, type RunsService } from "../runs/index.ts";
import type { MatchingService } from "./matching.service.ts";
import { matchingModule } from "./index.ts";

const log = makeLog({ logLevel: "error" });
const newId = makeNewId(systemClock);
const SCHEMA = `"i_${INSTANCE}"`;
const DEALS = "0123456789abcdef0123456a" as Id<"entity">;

let database: TestDatabase;
let pool: Pool;
let needs: RunsNeeds;
let matching: MatchingService;
let history: RunsService;
/** What a test says about a node, by its kind and system. */
let configured: (node: GraphNode) => object;
let edited: (graph: Graph) => Graph;
let mergeConfig = { retainFields: [] as string[], dependentPicklists: [] };

beforeEach(async () => {
  database = await testDatabase();
  pool = database.data.pool;
  await makeSyncWorld(pool);
  configured = () => ({});
  edited = (graph) => graph;
  mergeConfig = { retainFields: [], dependentPicklists: [] };
  const world = syncWorldNeeds(pool);
  const entities = await entitiesOf(world);
  needs = {
    ...world,
    schema: { ...world.schema, listEntities: async () => entities as never },
    pipelines: {
      ...world.pipelines,
      publishedVersion: async (at, entityId) => {
        const version = await world.pipelines.publishedVersion(at, entityId);
        if (!version || entityId !== ENTITY) return null;
        const nodes = version.graph.nodes.map((node) => ({
          ...node,
          configuration: { ...node.configuration, ...configured(node) },
        }));
        // Its own id, so that each wording of the graph is compiled.
        const graph = edited({ ...version.graph, nodes });
        return { ...version, versionId: newId<"pipelineVersion">(), graph, mergeConfig };
      },
    },
  };
  const deps = {
    clock: systemClock,
    newId,
    log,
    dataPool: pool,
    realtime: { publish: async () => {} },
  } as unknown as Deps;
  const runs = runsModule(deps, needs);
  history = runs.service;
  matching = matchingModule(deps, { schema: needs.schema, changes: runs.service }).service;
  return () => database.drop();
});

/** Contacts, and deals that refer to them. */
async function entitiesOf(world: RunsNeeds): Promise<unknown[]> {
  const contact = await world.schema.getEntity(INSTANCE, ENTITY);
  const person = { ...contactFields[0]!, apiName: "person", dataType: "reference", referenceTo: "Contact" } as const;
  const people = { ...person, apiName: "people", isMultiValueField: true };
  const fields = [person, people].map((field) => ({ ...field, status: "ACTIVE" }));
  for (const statement of createTable(INSTANCE, { apiName: "Deal", fields: [person, people] }))
    await pool.query(statement);
  return [contact, { id: DEALS, apiName: "Deal", fields }];
}

const ctx = {
  instanceId: INSTANCE,
  actor: { userId: "u", firstName: "Ada", lastName: "Lovelace" },
} as unknown as Caller;

const settle = (): Promise<CycleSummary[]> => untilQuiet({ pool, needs, log, newId });

const problems = (summaries: readonly CycleSummary[]): string[] =>
  summaries.flatMap((summary) => summary.problems.map(({ code }) => code));

async function insert(
  name: SystemName,
  values: { email: string; name?: Value; phone?: Value; note?: Value },
): Promise<void> {
  const fields = Object.keys(values);
  await editOutside(
    pool,
    name,
    `INSERT INTO $table (${fields.join(", ")}) VALUES (${fields.map((_, index) => `$${index + 1}`).join(", ")})`,
    Object.values(values),
  );
}

const change = (name: SystemName, email: string, field: string, value: Value): Promise<void> =>
  editOutside(pool, name, `UPDATE $table SET ${field} = $2, change = nextval('outside.change') WHERE email = $1`, [
    email,
    value,
  ]);

interface CoreRow {
  id: string;
  email: string;
  name: string | null;
  phone: string | null;
  gone: boolean;
}

async function core(): Promise<CoreRow[]> {
  const { rows } = await pool.query(
    `SELECT accord_id AS id, email, name, phone, accord_deleted AS gone FROM ${SCHEMA}."r_Contact" ORDER BY accord_id`,
  );
  return rows;
}

const alive = async (): Promise<CoreRow[]> => (await core()).filter(({ gone }) => !gone);

async function count(table: string): Promise<number> {
  const { rows } = await pool.query(`SELECT count(*)::int AS count FROM ${SCHEMA}.${table}`);
  return rows[0].count;
}

/** Everything that a merge touches, to compare before and after. */
async function picture(): Promise<unknown> {
  const { rows } = await pool.query(
    `SELECT (SELECT json_agg(r ORDER BY r.id) FROM (
               SELECT accord_id AS id, email, name, phone, note, accord_deleted FROM ${SCHEMA}."r_Contact") r) AS records,
            (SELECT json_agg(l ORDER BY l.place, l.record_id) FROM (
               SELECT place, record_id FROM ${SCHEMA}.link WHERE NOT dead) l) AS links,
            (SELECT json_agg(d ORDER BY d.id) FROM (SELECT accord_id AS id, person, people FROM ${SCHEMA}."r_Deal") d) AS deals`,
  );
  return rows[0];
}

const BY_PHONE = {
  type: "condition",
  left: { kind: "field", field: "phone" },
  operator: "equals",
  right: [{ kind: "field", field: "phone" }],
};

/** Contacts with the same phone are one. */
const merging =
  (rules: object = {}, sink: object = {}) =>
  (node: GraphNode): object => {
    if (node.nodeType === "CORE_ENTITY") {
      const winner = [{ rule: "oldest" }];
      return { deduplicate: true, merge: { reportOnly: false, match: BY_PHONE, winner, ...rules } };
    }
    return node.nodeType === "ENTITY_SINK" ? sink : {};
  };

test("[SYN-145] duplicates of one system become one record, the loser is deleted there and gone everywhere", async () => {
  configured = merging();
  await insert("a", { email: "one@x.org", name: "One", phone: "7" });
  await insert("a", { email: "two@x.org", name: "Two", phone: "7", note: "from two" });
  await insert("b", { email: "other@x.org", name: "Other", phone: "8" });
  await settle();
  const all = await core();
  expect(all.map(({ email, gone }) => [email, gone])).toContainEqual(["two@x.org", true]);
  const expected = new Map([
    ["one@x.org", JSON.stringify(["One", "7", "from two"])],
    ["other@x.org", JSON.stringify(["Other", "8", null])],
  ]);
  for (const where of ["core", "a", "b"] as const) expect(await contactsIn(pool, where)).toEqual(expected);
});

test("duplicates against stored records: the outside id moves to the winner, references are repointed", async () => {
  configured = merging();
  await insert("a", { email: "one@x.org", name: "One", phone: "7" });
  await insert("b", { email: "two@x.org", name: "Two", phone: "8" });
  await settle();
  const [one, two] = await alive();
  await pool.query(`INSERT INTO ${SCHEMA}."r_Deal" (accord_id, person, people) VALUES ('d1', $1, $2)`, [
    two!.id,
    JSON.stringify([two!.id, one!.id]),
  ]);
  await change("b", "two@x.org", "phone", "7");
  await settle();
  expect(await alive()).toMatchObject([{ id: one!.id, email: "one@x.org", phone: "7" }]);
  for (const where of ["a", "b"] as const) expect([...(await contactsIn(pool, where)).keys()]).toEqual(["one@x.org"]);
  const { rows } = await pool.query(`SELECT person, people FROM ${SCHEMA}."r_Deal"`);
  expect(rows).toEqual([{ person: one!.id, people: [one!.id] }]);
});

test("a merge can be undone: records, links, references and both systems are as before, and it stays undone", async () => {
  configured = merging();
  await insert("a", { email: "one@x.org", name: "One", phone: "7" });
  await insert("a", { email: "two@x.org", name: "Two", phone: "8", note: "two's" });
  await settle();
  const [one, two] = await alive();
  await pool.query(
    `INSERT INTO ${SCHEMA}."r_Deal" (accord_id, person, people) VALUES ('d1', $1, $2), ('d2', $3, NULL)`,
    [two!.id, JSON.stringify([two!.id, one!.id]), one!.id],
  );
  await pool.query(`UPDATE ${SCHEMA}."r_Contact" SET phone = '7' WHERE accord_id = $1`, [two!.id]);
  const before = await picture();
  await change("a", "two@x.org", "phone", "7");
  await change("a", "two@x.org", "name", "Two!");
  await pool.query(`UPDATE ${SCHEMA}."r_Contact" SET phone = '8' WHERE accord_id = $1`, [two!.id]);
  await settle();
  expect(await alive()).toHaveLength(1);

  const { merges } = await matching.merges(ctx, ENTITY, { count: 10 });
  expect(merges).toMatchObject([
    {
      status: "MERGED",
      winnerId: one!.id,
      loserIds: [two!.id],
      names: { [one!.id]: "one@x.org", [two!.id]: "two@x.org" },
      repointed: 2,
    },
  ]);
  expect(await matching.undo(ctx, ENTITY, merges[0]!.id)).toMatchObject({ status: "UNDONE", undoneBy: "Ada Lovelace" });
  await settle();
  const expected = JSON.parse(JSON.stringify(before).replace('"Two"', '"Two!"'));
  expect(await picture()).toEqual(expected);
  const names = (await contactsIn(pool, "core")).keys();
  for (const where of ["a", "b"] as const)
    expect(await contactsIn(pool, where)).toEqual(await contactsIn(pool, "core"));
  expect([...names].sort()).toEqual(["one@x.org", "two@x.org"]);
  await expect(matching.undo(ctx, ENTITY, merges[0]!.id)).rejects.toMatchObject({ code: "invalid_state" });

  await change("a", "two@x.org", "name", "Two again");
  await settle();
  expect((await alive()).map(({ name }) => name)).toEqual(["One", "Two again"]);
});

test("where a system may not delete, its second record lives on and speaks for the winner", async () => {
  configured = merging({}, { delete: false });
  await insert("a", { email: "one@x.org", name: "One", phone: "7" });
  await insert("a", { email: "two@x.org", name: "Two", phone: "7" });
  await settle();
  const [one] = await alive();
  expect(await alive()).toHaveLength(1);
  expect((await contactsIn(pool, "a")).size).toBe(2);

  await change("a", "two@x.org", "note", "news by two");
  await settle();
  expect(await alive()).toHaveLength(1);
  const { rows } = await pool.query(`SELECT note FROM ${SCHEMA}."r_Contact" WHERE accord_id = $1`, [one!.id]);
  expect(rows).toEqual([{ note: "news by two" }]);
  expect((await contactsIn(pool, "b")).get("one@x.org")).toBe(JSON.stringify(["One", "7", "news by two"]));
  const links = await history.linksOf(INSTANCE, ENTITY, [one!.id]);
  expect(links.map(({ connectorId, externalId }) => [connectorId, externalId])).toEqual([
    ["a", "1"],
    ["a", "2"],
    ["b", "1"],
  ]);
  // Gone there: the record stays, the other one holds on to it.
  await editOutside(
    pool,
    "a",
    "UPDATE $table SET deleted = true, change = nextval('outside.change') WHERE email = $1",
    ["one@x.org"],
  );
  await settle();
  expect(await alive()).toMatchObject([{ id: one!.id }]);
});

test("a merged record that a person restores is on its own again", async () => {
  configured = merging();
  await insert("a", { email: "one@x.org", name: "One", phone: "7" });
  await insert("a", { email: "two@x.org", name: "Two", phone: "7" });
  await settle();
  const lost = (await core()).find(({ gone }) => gone)!;
  const actor = { userId: "u", name: "Ada" };
  await history.applyManualChange({
    instanceId: INSTANCE,
    entityId: ENTITY,
    actor,
    changes: [{ kind: "restore", recordId: lost.id as Id<"record"> }],
  });
  await settle();
  expect((await alive()).map(({ email }) => email)).toEqual(["one@x.org", "two@x.org"]);
  for (const where of ["a", "b"] as const) expect((await contactsIn(pool, where)).size).toBe(2);
});

test("report-only merges change nothing and are told once", async () => {
  configured = merging({ reportOnly: true });
  await insert("a", { email: "one@x.org", phone: "7" });
  await insert("a", { email: "two@x.org", phone: "7" });
  await settle();
  expect(await alive()).toHaveLength(2);
  const ledger = await count("ledger");
  await change("a", "two@x.org", "note", "news");
  await settle();
  expect((await matching.merges(ctx, ENTITY, { count: 10 })).merges).toMatchObject([
    { status: "REPORTED", changes: [], movedLinks: 0, repointed: 0 },
  ]);
  expect(await count("ledger")).toBe(ledger + 2);
  expect(await alive()).toHaveLength(2);
});

test("more duplicates than allowed are left alone, with a warning", async () => {
  configured = merging({ maxDuplicates: 1 });
  for (const email of ["one", "two", "three"]) await insert("a", { email: `${email}@x.org`, phone: "7" });
  expect(problems(await settle())).toContain("too_many_duplicates");
  expect(await alive()).toHaveLength(3);
  expect((await matching.merges(ctx, ENTITY, { count: 10, status: "TOO_MANY" })).merges).toHaveLength(1);
});

test("attach: a blank matches nobody, rows of one source never share a record, of several the oldest wins and says so", async () => {
  await insert("b", { email: "", name: "blank in b" });
  await insert("b", { email: "same@x.org", name: "first" });
  await insert("b", { email: "same@x.org", name: "second" });
  const once = (graph: Graph): Graph => ({
    ...graph,
    edges: graph.edges.filter(({ destination }) => !destination.nodeId.startsWith("sink-")),
  });
  edited = once;
  await settle();
  expect((await alive()).map(({ name }) => name)).toEqual(["blank in b", "first", "second"]);
  await insert("a", { email: "", name: "blank in a" });
  await insert("a", { email: "SAME@x.org", name: "from a" });
  expect(problems(await settle())).toContain("several_matches");
  expect((await alive()).map(({ name }) => name)).toEqual(["blank in b", "from a", "second", "blank in a"]);
});

const ranked = (node: GraphNode): object =>
  node.nodeType === "CORE_ENTITY" ? { authority: "RANKED", ranking: ["source-a", "source-b"] } : {};

test("a lower-ranked value is refused in a later cycle too, stands in the conflict list, and can be taken", async () => {
  configured = ranked;
  await insert("a", { email: "one@x.org", name: "A", phone: "1" });
  await settle();
  await change("b", "one@x.org", "name", "B");
  await settle();
  expect(await contactsIn(pool, "b")).toEqual(new Map([["one@x.org", JSON.stringify(["A", "1", null])]]));
  const { conflicts, open } = await matching.conflicts(ctx, ENTITY, { count: 10 });
  expect(open).toBe(1);
  expect(conflicts).toMatchObject([
    {
      field: "name",
      value: "A",
      setBy: { kind: "source", connectorId: "a", connectorEntity: "contact" },
      competing: [{ value: "B", connectorId: "b", connectorEntity: "contact", reason: "lower_ranked" }],
    },
  ]);
  const { rows } = await pool.query(`SELECT refused FROM ${SCHEMA}.ledger WHERE operation = 'refuse'`);
  expect(rows).toEqual([{ refused: { name: ["B", "lower_ranked"] } }]);

  const { recordId, field } = conflicts[0]!;
  const choice = { kind: "take" as const, connectorId: "b", connectorEntity: "contact" };
  expect(await matching.settle(ctx, ENTITY, [{ recordId, field, choice }])).toEqual({ settled: 1, changed: 1 });
  await settle();
  for (const where of ["core", "a", "b"] as const) {
    expect((await contactsIn(pool, where)).get("one@x.org")).toBe(JSON.stringify(["B", "1", null]));
  }
  expect(await matching.conflicts(ctx, ENTITY, { count: 10 })).toMatchObject({ conflicts: [], open: 0 });
});

test("a conflict that is kept stays settled until the other system says something else, and ends when it comes round", async () => {
  configured = (node) => ({ ...ranked(node), ...(node.nodeType === "ENTITY_SINK" ? { update: false } : {}) });
  await insert("a", { email: "one@x.org", name: "A" });
  await settle();
  const open = async (): Promise<unknown[]> =>
    (await matching.conflicts(ctx, ENTITY, { count: 10 })).conflicts.map(({ competing }) => competing[0]?.value);
  await change("b", "one@x.org", "name", "B");
  await settle();
  expect(await open()).toEqual(["B"]);
  const [{ id }] = (await alive()) as [CoreRow];
  await matching.settle(ctx, ENTITY, [{ recordId: id as Id<"record">, field: "name", choice: { kind: "keep" } }]);
  expect(await open()).toEqual([]);
  await change("b", "one@x.org", "name", "B2");
  await settle();
  expect(await open()).toEqual(["B2"]);
  await change("b", "one@x.org", "name", "A");
  await settle();
  expect(await open()).toEqual([]);
  expect(await count("conflict")).toBe(0);
});

test("a page that is looked at again after a merge changes nothing more", async () => {
  configured = merging();
  await insert("a", { email: "one@x.org", name: "One", phone: "7" });
  await insert("a", { email: "two@x.org", name: "Two", phone: "7" });
  await settle();
  const [ledger, merges] = [await count("ledger"), await count("merge")];
  await pool.query(`DELETE FROM ${SCHEMA}.source_position`);
  await settle();
  expect([await count("ledger"), await count("merge")]).toEqual([ledger, merges]);
});
