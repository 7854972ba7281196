/** An API that repeats the key it refuses, in a pipeline that runs: whoever may only look sees its words without the key. */
import { API_KEY } from "@accord/connectors/test-systems/json-api";
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import { listConnectors } from "@accord/contracts/connections/connectors";
import { listNotifications } from "@accord/contracts/operations/notifications";
import * as runs from "@accord/contracts/sync/monitoring/runs";
import * as quarantine from "@accord/contracts/sync/monitoring/quarantine";
import { expect, test } from "vitest";
import { shopAndRegister } from "../../../../../../test-kit/systems/shop-and-register.ts";
import { storedText } from "../../../../../../test-kit/database/stored-text.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";

const LONG_TIMEOUT = { timeout: 240_000 };

test.each([
  ["the whole API", /./, { status: 401, text: JSON.stringify({ message: `The key ${API_KEY} has expired` }) }],
  ["one record", /^PATCH/, { status: 422, text: JSON.stringify({ error: { message: `no tags for ${API_KEY}` } }) }],
])("no answer and no table shows a key that is repeated by %s", LONG_TIMEOUT, async (_, pattern, fault) => {
  const { api, systems, untilAgreed, t, params } = await shopAndRegister(3, 0, companies("all", { kind: "none" }));
  await untilAgreed("the first load");
  api.habits.beforeCall = (call) =>
    pattern.test(call) ? { ...fault, headers: { "content-type": "application/json" } } : undefined;
  await systems.sql("UPDATE shop.company SET name = 'edited', updated_at = now() WHERE id = 3");
  const viewer = t.as("VIEWER");
  const answers = async (): Promise<string> =>
    JSON.stringify([
      await viewer.call(runs.getSyncStatus, { params }),
      await viewer.call(runs.listCycles, { params, query: {} }),
      await viewer.call(runs.getPipelineErrors, { params, query: {} }),
      await viewer.call(quarantine.listQuarantine, { params, query: {} }),
      await viewer.call(listConnectors),
      await t.as("SYNC_MANAGER").call(listNotifications, { query: {} }),
    ]);
  const shown = await eventually("the system's words", async () => {
    const text = await answers();
    return text.includes("•••") || text.includes(API_KEY) ? text : undefined;
  });
  expect(shown).not.toContain(API_KEY);
  for (const pool of [t.deps.appPool, t.deps.dataPool])
    expect((await storedText(pool)).split("\n").filter((row) => row.includes(API_KEY))).toEqual([]);
});
