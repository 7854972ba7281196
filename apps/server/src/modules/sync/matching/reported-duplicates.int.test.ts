/** Duplicates that were only reported: people merge them, some of them or none, and may change their minds. */
import type { Id } from "@accord/contracts";
import type { Merge } from "@accord/contracts/sync/merges";
import type { GraphNode } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { ada, type MatchingWorld, matchingWorlds } from "../../../../test-kit/systems/matching-world.ts";
import { contactsIn, ENTITY, INSTANCE } from "../../../../test-kit/sync-world/sync-world.ts";

const worldOf = matchingWorlds();

const BY_PHONE = {
  type: "condition",
  left: { kind: "field", field: "phone" },
  operator: "equals",
  right: [{ kind: "field", field: "phone" }],
};

/** Contacts with the same phone are reported, the oldest as the one that stays. */
const reporting = (node: GraphNode): object =>
  node.nodeType === "CORE_ENTITY"
    ? { deduplicate: true, merge: { reportOnly: true, match: BY_PHONE, winner: [{ rule: "oldest" }] } }
    : {};

async function reported(world: MatchingWorld, emails: readonly string[]): Promise<Merge> {
  world.configured = reporting;
  for (const email of emails) await world.insert("a", { email, name: email.slice(0, 3), phone: "7" });
  await world.settle();
  const [report] = (await world.matching.merges(ada, ENTITY, { count: 10, status: "REPORTED" })).merges;
  if (!report) throw new Error("nothing was reported");
  return report;
}

test("reported duplicates are merged by hand: one is left everywhere, with its history saying who did it", async () => {
  const world = worldOf();
  const report = await reported(world, ["one@x.org", "two@x.org"]);
  await world.change("a", "two@x.org", "note", "from two");
  await world.settle();
  const merge = await world.matching.mergeDuplicates(ada, ENTITY, report.id, {});
  expect(merge).toMatchObject({
    id: report.id,
    status: "MERGED",
    mergedBy: "Ada Lovelace",
    winnerId: report.winnerId,
    changes: [{ field: "note", from: null, to: "from two" }],
  });
  await world.settle();
  const one = new Map([["one@x.org", JSON.stringify(["one", "7", "from two"])]]);
  for (const where of ["core", "a", "b"] as const) expect(await contactsIn(world.pool, where)).toEqual(one);
  const { rows } = await world.pool.query(
    `SELECT operation, user_name FROM "i_${INSTANCE}".ledger WHERE user_id IS NOT NULL ORDER BY operation`,
  );
  expect(rows).toEqual([
    { operation: "delete", user_name: "Ada Lovelace" },
    { operation: "merge", user_name: "Ada Lovelace" },
  ]);
  await expect(world.matching.mergeDuplicates(ada, ENTITY, report.id, {})).rejects.toMatchObject({
    code: "invalid_state",
  });
});

test("a merge by hand is taken back like any other, and the two are not reported again", async () => {
  const world = worldOf();
  const report = await reported(world, ["one@x.org", "two@x.org"]);
  const before = await world.picture();
  await world.matching.mergeDuplicates(ada, ENTITY, report.id, {});
  await world.settle();
  expect(await world.alive()).toHaveLength(1);
  expect(await world.matching.undo(ada, ENTITY, report.id)).toMatchObject({
    status: "UNDONE",
    mergedBy: "Ada Lovelace",
  });
  await world.settle();
  expect(await world.picture()).toEqual(before);
  for (const where of ["a", "b"] as const)
    expect(await contactsIn(world.pool, where)).toEqual(await contactsIn(world.pool, "core"));
  await world.change("a", "two@x.org", "note", "news");
  await world.settle();
  expect((await world.matching.merges(ada, ENTITY, { count: 10 })).merges).toHaveLength(1);
});

test("some of the reported ones are merged into another one than proposed; the rest stays reported", async () => {
  const world = worldOf();
  const report = await reported(world, ["one@x.org", "two@x.org", "tri@x.org"]);
  const idOf = async (email: string) => (await world.alive()).find((row) => row.email === email)?.id as Id<"record">;
  const [one, two, three] = [await idOf("one@x.org"), await idOf("two@x.org"), await idOf("tri@x.org")];
  const stranger = "f".repeat(24) as Id<"record">;
  const { mergeDuplicates } = world.matching;
  await expect(mergeDuplicates(ada, ENTITY, report.id, { winnerId: stranger })).rejects.toMatchObject({
    code: "not_found",
  });
  await expect(mergeDuplicates(ada, ENTITY, report.id, { winnerId: two, loserIds: [two] })).rejects.toMatchObject({
    code: "validation_failed",
  });

  await mergeDuplicates(ada, ENTITY, report.id, { winnerId: two, loserIds: [three] });
  await world.settle();
  expect((await world.alive()).map(({ email }) => email)).toEqual(["one@x.org", "two@x.org"]);
  const { merges } = await world.matching.merges(ada, ENTITY, { count: 10 });
  expect(merges.map(({ status, winnerId, loserIds }) => [status, winnerId, loserIds])).toEqual([
    ["REPORTED", two, [one]],
    ["MERGED", two, [three]],
  ]);
});

test("dismissed duplicates are different things for good, each from each", async () => {
  const world = worldOf();
  const report = await reported(world, ["one@x.org", "two@x.org", "tri@x.org"]);
  expect(await world.matching.dismissDuplicates(ada, ENTITY, report.id)).toMatchObject({
    status: "DISMISSED",
    undoneBy: "Ada Lovelace",
  });
  for (const email of ["two@x.org", "tri@x.org"]) await world.change("a", email, "note", "news");
  await world.settle();
  const { merges } = await world.matching.merges(ada, ENTITY, { count: 10 });
  expect(merges.map(({ status }) => status)).toEqual(["DISMISSED"]);
  await expect(world.matching.dismissDuplicates(ada, ENTITY, report.id)).rejects.toMatchObject({
    code: "invalid_state",
  });
});

test("what was deleted since is not merged, and the reason is told", async () => {
  const world = worldOf();
  const report = await reported(world, ["one@x.org", "two@x.org"]);
  await world.pool.query(
    "UPDATE outside.a SET deleted = true, change = nextval('outside.change') WHERE email = 'two@x.org'",
  );
  await world.settle();
  await expect(world.matching.mergeDuplicates(ada, ENTITY, report.id, {})).rejects.toMatchObject({
    code: "invalid_state",
    facts: { reason: expect.stringContaining("deleted") },
  });
  expect((await world.matching.merges(ada, ENTITY, { count: 10 })).merges).toMatchObject([{ status: "REPORTED" }]);
});
