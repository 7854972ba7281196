/** A person saves two fields at once in an API that says nothing of our writes, before the last of them was read. */
import { setTimeout } from "node:timers/promises";
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import { listConflicts } from "@accord/contracts/sync/monitoring/conflicts";
import { expect, test } from "vitest";
import { shopAndRegister, shopCompanies } from "../../../../../../test-kit/systems/shop-and-register.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";

const LONG_TIMEOUT = { timeout: 240_000 };
const entity = { ...companies("all", { kind: "none" }), storedAsSent: true };
const EMAIL = "s3@example.com";

const AUTHORITIES = {
  LATEST: { authority: "LATEST" as const },
  RANKED: { authority: "RANKED" as const, ranking: ["from_register", "from_shop"] },
};

/** The shop writes one name, then another one; before the register is read again, somebody saves these values there. */
async function savedThere(authority: keyof typeof AUTHORITIES, values: { name: string; size: number }) {
  const world = await shopAndRegister(12, 0, entity, {
    core: AUTHORITIES[authority],
    // Its clock is right, and its answers to writes are empty.
    prepare: (register) => void Object.assign(register.habits, { quiet: true, clockOffsetMs: 0 }),
  });
  const { systems, api, untilAgreed, t, params } = world;
  await untilAgreed("the first load");
  const id = [...api.companies.values()].find(({ email }) => email === EMAIL)?.id ?? 0;
  let isSaved = false;
  api.habits.afterCall = (call) => {
    if (isSaved || call !== `PATCH /all/companies/${id}`) return;
    isSaved = true;
    void systems
      .sql("UPDATE shop.company SET name = 'Written second', updated_at = clock_timestamp() WHERE email = $1", [EMAIL])
      // Its times have no digits beyond milliseconds: within the same one they would be older.
      .then(() => setTimeout(5))
      .then(() => api.touch(id, values));
  };
  await systems.sql("UPDATE shop.company SET name = 'Written first', updated_at = now() WHERE email = $1", [EMAIL]);
  await eventually("the save to be everywhere", async () =>
    (await shopCompanies(systems)).some(({ size }) => size === values.size) ? true : undefined,
  );
  await untilAgreed("agreement");
  const { conflicts } = await t.as("SYNC_MANAGER").call(listConflicts, { params });
  return {
    held: (await shopCompanies(systems)).find(({ email }) => email === EMAIL)?.name,
    conflicts: conflicts.flatMap(({ field, competing }) =>
      competing.map(({ value, reason }) => [field, value, reason]),
    ),
  };
}

test.each(["LATEST", "RANKED"] as const)("under %s both of its fields count", LONG_TIMEOUT, async (authority) => {
  expect(await savedThere(authority, { name: "X entered last", size: 77 })).toEqual({
    held: "X entered last",
    conflicts: [],
  });
});

test("what may be the beginning of what was written is kept out, and listed for people", LONG_TIMEOUT, async () => {
  expect(await savedThere("RANKED", { name: "Written", size: 77 })).toEqual({
    held: "Written second",
    conflicts: [["name", "Written", "unconfirmed"]],
  });
});
