/** Who a record is, on real PostgreSQL: duplicates that cycles of the real engine merge or report, and merges taken back. */
import type { Id } from "@accord/contracts";
import type { GraphNode } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { ada, matchingWorlds, problemCodes } from "../../../../test-kit/systems/matching-world.ts";
import { contactsIn, editOutside, ENTITY, INSTANCE } from "../../../../test-kit/sync-world/sync-world.ts";

const SCHEMA = `"i_${INSTANCE}"`;
const worldOf = matchingWorlds();

const BY_PHONE = {
  type: "condition",
  left: { kind: "field", field: "phone" },
  operator: "equals",
  right: [{ kind: "field", field: "phone" }],
};

/** Contacts with the same phone are one. */
const mergeBatch =
  (rules: object = {}, sink: object = {}) =>
  (node: GraphNode): object => {
    if (node.nodeType === "CORE_ENTITY") {
      const winner = [{ rule: "oldest" }];
      return { deduplicate: true, merge: { reportOnly: false, match: BY_PHONE, winner, ...rules } };
    }
    return node.nodeType === "ENTITY_SINK" ? sink : {};
  };

test("[SYN-145] duplicates of one system become one record, the loser is deleted there and gone everywhere", async () => {
  const world = worldOf();
  world.configured = mergeBatch();
  await world.insert("a", { email: "one@x.org", name: "One", phone: "7" });
  await world.insert("a", { email: "two@x.org", name: "Two", phone: "7", note: "from two" });
  await world.insert("b", { email: "other@x.org", name: "Other", phone: "8" });
  await world.settle();
  const all = await world.core();
  expect(all.map(({ email, gone }) => [email, gone])).toContainEqual(["two@x.org", true]);
  const expected = new Map([
    ["one@x.org", JSON.stringify(["One", "7", "from two"])],
    ["other@x.org", JSON.stringify(["Other", "8", null])],
  ]);
  for (const where of ["core", "a", "b"] as const) expect(await contactsIn(world.pool, where)).toEqual(expected);
});

test("duplicates against stored records: the external id moves to the winner, references are repointed", async () => {
  const world = worldOf();
  world.configured = mergeBatch();
  await world.insert("a", { email: "one@x.org", name: "One", phone: "7" });
  await world.insert("b", { email: "two@x.org", name: "Two", phone: "8" });
  await world.settle();
  const [one, two] = await world.alive();
  await world.pool.query(`INSERT INTO ${SCHEMA}."r_Deal" (accord_id, person, people) VALUES ('d1', $1, $2)`, [
    two!.id,
    JSON.stringify([two!.id, one!.id]),
  ]);
  await world.change("b", "two@x.org", "phone", "7");
  await world.settle();
  expect(await world.alive()).toMatchObject([{ id: one!.id, email: "one@x.org", phone: "7" }]);
  for (const where of ["a", "b"] as const)
    expect([...(await contactsIn(world.pool, where)).keys()]).toEqual(["one@x.org"]);
  const { rows } = await world.pool.query(`SELECT person, people FROM ${SCHEMA}."r_Deal"`);
  expect(rows).toEqual([{ person: one!.id, people: [one!.id] }]);
});

test("a merge can be undone: records, links, references and both systems are as before, and it stays undone", async () => {
  const world = worldOf();
  world.configured = mergeBatch();
  await world.insert("a", { email: "one@x.org", name: "One", phone: "7" });
  await world.insert("a", { email: "two@x.org", name: "Two", phone: "8", note: "two's" });
  await world.settle();
  const [one, two] = await world.alive();
  await world.pool.query(
    `INSERT INTO ${SCHEMA}."r_Deal" (accord_id, person, people) VALUES ('d1', $1, $2), ('d2', $3, NULL)`,
    [two!.id, JSON.stringify([two!.id, one!.id]), one!.id],
  );
  await world.pool.query(`UPDATE ${SCHEMA}."r_Contact" SET phone = '7' WHERE accord_id = $1`, [two!.id]);
  const before = await world.picture();
  await world.change("a", "two@x.org", "phone", "7");
  await world.change("a", "two@x.org", "name", "Two!");
  await world.pool.query(`UPDATE ${SCHEMA}."r_Contact" SET phone = '8' WHERE accord_id = $1`, [two!.id]);
  await world.settle();
  expect(await world.alive()).toHaveLength(1);

  const { merges } = await world.matching.merges(ada, ENTITY, { count: 10 });
  expect(merges).toMatchObject([
    {
      status: "MERGED",
      winnerId: one!.id,
      loserIds: [two!.id],
      names: { [one!.id]: "one@x.org", [two!.id]: "two@x.org" },
      repointed: 2,
    },
  ]);
  expect(await world.matching.undo(ada, ENTITY, merges[0]!.id)).toMatchObject({
    status: "UNDONE",
    undoneBy: "Ada Lovelace",
  });
  await world.settle();
  const expected = JSON.parse(JSON.stringify(before).replace('"Two"', '"Two!"'));
  expect(await world.picture()).toEqual(expected);
  const names = (await contactsIn(world.pool, "core")).keys();
  for (const where of ["a", "b"] as const)
    expect(await contactsIn(world.pool, where)).toEqual(await contactsIn(world.pool, "core"));
  expect([...names].sort()).toEqual(["one@x.org", "two@x.org"]);
  await expect(world.matching.undo(ada, ENTITY, merges[0]!.id)).rejects.toMatchObject({ code: "invalid_state" });

  await world.change("a", "two@x.org", "name", "Two again");
  await world.settle();
  expect((await world.alive()).map(({ name }) => name)).toEqual(["One", "Two again"]);
});

test("where a system may not delete, its second record lives on and speaks for the winner", async () => {
  const world = worldOf();
  world.configured = mergeBatch({}, { delete: false });
  await world.insert("a", { email: "one@x.org", name: "One", phone: "7" });
  await world.insert("a", { email: "two@x.org", name: "Two", phone: "7" });
  await world.settle();
  const [one] = await world.alive();
  expect(await world.alive()).toHaveLength(1);
  expect((await contactsIn(world.pool, "a")).size).toBe(2);

  await world.change("a", "two@x.org", "note", "news by two");
  await world.settle();
  expect(await world.alive()).toHaveLength(1);
  const { rows } = await world.pool.query(`SELECT note FROM ${SCHEMA}."r_Contact" WHERE accord_id = $1`, [one!.id]);
  expect(rows).toEqual([{ note: "news by two" }]);
  expect((await contactsIn(world.pool, "b")).get("one@x.org")).toBe(JSON.stringify(["One", "7", "news by two"]));
  const links = await world.history.linksOf(INSTANCE, ENTITY, [one!.id]);
  expect(links.map(({ connectorId, externalId }) => [connectorId, externalId])).toEqual([
    ["a", "1"],
    ["a", "2"],
    ["b", "1"],
  ]);
  // Gone there: the record stays, the other one holds on to it.
  await editOutside(
    world.pool,
    "a",
    "UPDATE $table SET deleted = true, change = nextval('outside.change') WHERE email = $1",
    ["one@x.org"],
  );
  await world.settle();
  expect(await world.alive()).toMatchObject([{ id: one!.id }]);
});

test("a merged record that a person restores is on its own again", async () => {
  const world = worldOf();
  world.configured = mergeBatch();
  await world.insert("a", { email: "one@x.org", name: "One", phone: "7" });
  await world.insert("a", { email: "two@x.org", name: "Two", phone: "7" });
  await world.settle();
  const lost = (await world.core()).find(({ gone }) => gone)!;
  const actor = { userId: "u", name: "Ada" };
  await world.history.applyManualChange({
    instanceId: INSTANCE,
    entityId: ENTITY,
    actor,
    changes: [{ kind: "restore", recordId: lost.id as Id<"record"> }],
  });
  await world.settle();
  expect((await world.alive()).map(({ email }) => email)).toEqual(["one@x.org", "two@x.org"]);
  for (const where of ["a", "b"] as const) expect((await contactsIn(world.pool, where)).size).toBe(2);
});

test("report-only merges change nothing and are told once", async () => {
  const world = worldOf();
  world.configured = mergeBatch({ reportOnly: true });
  await world.insert("a", { email: "one@x.org", phone: "7" });
  await world.insert("a", { email: "two@x.org", phone: "7" });
  await world.settle();
  expect(await world.alive()).toHaveLength(2);
  const ledger = await world.count("ledger");
  await world.change("a", "two@x.org", "note", "news");
  await world.settle();
  expect((await world.matching.merges(ada, ENTITY, { count: 10 })).merges).toMatchObject([
    { status: "REPORTED", changes: [], movedLinks: 0, repointed: 0 },
  ]);
  expect(await world.count("ledger")).toBe(ledger + 2);
  expect(await world.alive()).toHaveLength(2);
});

test("more duplicates than allowed are left alone, with a warning", async () => {
  const world = worldOf();
  world.configured = mergeBatch({ maxDuplicates: 1 });
  for (const email of ["one", "two", "three"]) await world.insert("a", { email: `${email}@x.org`, phone: "7" });
  expect(problemCodes(await world.settle())).toContain("too_many_duplicates");
  expect(await world.alive()).toHaveLength(3);
  expect((await world.matching.merges(ada, ENTITY, { count: 10, status: "TOO_MANY" })).merges).toHaveLength(1);
});

test("a page that is looked at again after a merge changes nothing more", async () => {
  const world = worldOf();
  world.configured = mergeBatch();
  await world.insert("a", { email: "one@x.org", name: "One", phone: "7" });
  await world.insert("a", { email: "two@x.org", name: "Two", phone: "7" });
  await world.settle();
  const [ledger, merges] = [await world.count("ledger"), await world.count("merge")];
  await world.pool.query(`DELETE FROM ${SCHEMA}.source_position`);
  await world.settle();
  expect([await world.count("ledger"), await world.count("merge")]).toEqual([ledger, merges]);
});
