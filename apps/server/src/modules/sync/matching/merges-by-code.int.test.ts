/** Merge rules by code of a person's own, in cycles of the real engine on real PostgreSQL and in the real sandbox. */
import type { GraphNode } from "@accord/contracts/sync/graph";
import { afterAll, expect, test } from "vitest";
import { codeSandbox } from "../../../platform/code-sandbox/code-sandbox.ts";
import { systemClock } from "../../../platform/clock.ts";
import type { Deps } from "../../../platform/deps.ts";
import { makeNewId } from "../../../platform/ids.ts";
import { makeLog } from "../../../platform/log/log.ts";
import { matchingWorlds } from "../../../../test-kit/systems/matching-world.ts";
import { contactsIn, syncWorldNeeds } from "../../../../test-kit/sync-world/sync-world.ts";
import { testSecrets } from "../../../../test-kit/test-secrets.ts";
import { actionsModule } from "../actions/index.ts";

const log = makeLog({ logLevel: "silent" });
const sandbox = codeSandbox({ log });
afterAll(() => sandbox.close());
const worldOf = matchingWorlds();

const BY_PHONE = {
  type: "condition",
  left: { kind: "field", field: "phone" },
  operator: "equals",
  right: [{ kind: "field", field: "phone" }],
};
const CHOOSE = `function chooseWinner(incoming, duplicates) {
  const all = [incoming, ...duplicates];
  return all.reduce((best, one) => (one.name.length > best.name.length ? one : best)).accordId;
}`;
const VALUES = `function mergeValues(incoming, duplicates, winnerId) {
  const all = [incoming, ...duplicates];
  const winner = all.find((one) => one.accordId === winnerId);
  return { note: winner.name + " of " + all.map((one) => one.email).sort().join(" and ") };
}`;

function worldWith(rules: object) {
  const world = worldOf();
  world.configured = (node: GraphNode) =>
    node.nodeType === "CORE_ENTITY"
      ? { deduplicate: true, merge: { reportOnly: false, match: BY_PHONE, ...rules } }
      : {};
  const deps = {
    ...{ dataPool: world.pool, clock: systemClock, newId: makeNewId(systemClock), log },
    ...{ secrets: testSecrets, codeSandbox: sandbox },
  };
  world.answer = actionsModule(deps as unknown as Deps, {
    schema: { listEntities: async () => [], getEntity: async () => null },
    connectors: syncWorldNeeds(world.pool).connectors,
    organisationOf: async () => null,
    notify: async () => {},
  }).service.answer;
  return world;
}

test("code chooses the record that stays and gives it values; both systems agree with it", async () => {
  const world = worldWith({ winnerBy: "code", winnerCode: CHOOSE, valuesBy: "code", valuesCode: VALUES });
  await world.insert("a", { email: "one@x.org", name: "Ada", phone: "7" });
  await world.insert("b", { email: "two@x.org", name: "Ada Lovelace", phone: "8" });
  await world.settle();
  expect(await world.alive()).toHaveLength(2);
  await world.change("a", "one@x.org", "phone", "8");
  await world.settle();
  expect(await world.alive()).toMatchObject([{ email: "two@x.org", name: "Ada Lovelace", phone: "8" }]);
  const expected = new Map([
    ["two@x.org", JSON.stringify(["Ada Lovelace", "8", "Ada Lovelace of one@x.org and two@x.org"])],
  ]);
  for (const where of ["core", "a", "b"] as const) expect(await contactsIn(world.pool, where)).toEqual(expected);
});

test("where the code fails, both records stay, everything else of the page is stored, and the cycle says why", async () => {
  const world = worldWith({
    winnerBy: "code",
    winnerCode: "function chooseWinner(incoming) {\n  return incoming.no.one;\n}",
  });
  await world.insert("a", { email: "one@x.org", name: "One", phone: "7" });
  await world.insert("a", { email: "two@x.org", name: "Two", phone: "7" });
  await world.insert("a", { email: "other@x.org", name: "Other", phone: "8" });
  const cycles = await world.settle();
  expect((await world.alive()).map(({ email }) => email)).toEqual(["one@x.org", "two@x.org", "other@x.org"]);
  const problems = cycles.flatMap((cycle) => cycle.problems).filter(({ code }) => code === "merge_code_failed");
  expect(problems[0]).toMatchObject({ severity: "warning", message: expect.stringContaining("Line 2: “TypeError") });
});
