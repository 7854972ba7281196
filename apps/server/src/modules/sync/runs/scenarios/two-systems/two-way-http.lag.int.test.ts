/** A table and a JSON API that shows what it was given only later: edits arrive in both, and none is undone. */
import { setTimeout as sleep } from "node:timers/promises";
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import { expect, test } from "vitest";
import {
  apiCompanies,
  type ListedCompany,
  shopAndRegister,
  shopCompanies,
} from "../../../../../../test-kit/systems/shop-and-register.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";

const LONG_TIMEOUT = { timeout: 240_000 };
const single = companies("all", { kind: "none" });

test.each([
  ["3 s, answering with the record", 3_000, false],
  ["10 s, answering with the record", 10_000, false],
  ["3 s, answering nothing", 3_000, true],
])(
  "edits of rows whose last edit the API does not show yet arrive, and are not undone: %s",
  LONG_TIMEOUT,
  async (_, lagMs, quiet) => {
    const { systems, api, untilAgreed } = await shopAndRegister(5, 0, single);
    await untilAgreed("the first load");
    Object.assign(api.habits, { lagMs, quiet });
    await sleep(lagMs + 1_000);
    const edit = (text: string) =>
      systems.sql("UPDATE shop.company SET name = $1 || id, updated_at = clock_timestamp()", [text]);
    await edit("First ");
    await eventually("the first edit to be written", async () =>
      apiCompanies(api).every(({ name }) => name.startsWith("First")) ? true : undefined,
    );
    await sleep(500);
    await edit("Second ");
    const isThere = (companies: readonly ListedCompany[]) => companies.every(({ name }) => name.startsWith("Second"));
    await eventually("the second edit in both", async () =>
      isThere(await shopCompanies(systems)) && isThere(apiCompanies(api)) ? true : undefined,
    );
    await sleep(lagMs + 3_000);
    expect([await shopCompanies(systems), apiCompanies(api)].map(isThere)).toEqual([true, true]);
  },
);
