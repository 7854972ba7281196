/** Somebody changes a row of a table without times of change, and somebody else saves the same field here right after it. */
import type { Id } from "@accord/contracts";
import * as records from "@accord/contracts/data/records";
import { listConflicts } from "@accord/contracts/sync/monitoring/conflicts";
import * as runs from "@accord/contracts/sync/monitoring/runs";
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import { expect, test } from "vitest";
import { apiCompanies, shopAndRegister, shopCompanies } from "../../../../../../test-kit/systems/shop-and-register.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";

test(
  "what was saved here stays, and what stood in the table is listed as a conflict",
  { timeout: 240_000 },
  async () => {
    const register = companies("all", { kind: "none" });
    const { t, params, systems, api, schema, untilAgreed } = await shopAndRegister(2, 0, register, {
      hasTimes: false,
      core: { authority: "LATEST" },
    });
    const manager = t.as("SYNC_MANAGER");
    await eventually("the first load", async () => (api.companies.size === 2 ? true : undefined));
    await untilAgreed("agreement");
    const stored = `SELECT known_until FROM ${schema}.source_position WHERE node_id = 'from_shop'`;
    await eventually("a whole reading of the table", async () => {
      const [row] = await systems.sql(stored);
      return row?.["known_until"] ? true : undefined;
    });

    // Nothing is read meanwhile: the order of the two is all that is left to chance else.
    await manager.call(runs.pausePipeline, { params, body: {} });
    await eventually("the end of the cycle", async () => {
      const [row] = await systems.sql("SELECT owner FROM sync_pipeline");
      return row?.["owner"] === null ? true : undefined;
    });
    await systems.sql("UPDATE shop.company SET name = 'Changed there', size = 7 WHERE email = 's1@example.com'");
    const all = (await manager.call(records.listRecords, { params, query: {} })).records;
    const record = all.find(({ values }) => values["email"] === "s1@example.com");
    const recordId = record?.accordId as Id<"record">;
    await manager.call(records.saveRecord, {
      params: { ...params, recordId },
      body: { values: { name: "Saved here" }, version: record?.version ?? 0 },
    });
    await manager.call(runs.resumePipeline, { params, body: {} });

    await untilAgreed("agreement after both");
    const saved = { email: "s1@example.com", name: "Saved here", size: 7 };
    expect((await shopCompanies(systems))[0]).toEqual(saved);
    expect(apiCompanies(api)[0]).toEqual(saved);
    const { conflicts } = await manager.call(listConflicts, { params, query: {} });
    expect(conflicts).toMatchObject([
      {
        recordId,
        field: "name",
        value: "Saved here",
        setBy: { kind: "user" },
        competing: [{ value: "Changed there", connectorId: systems.shop, reason: "older" }],
      },
    ]);

    // What is changed there once it is known is the latest change.
    await systems.sql("UPDATE shop.company SET name = 'Changed again' WHERE email = 's1@example.com'");
    await eventually("the later change", async () =>
      apiCompanies(api)[0]?.name === "Changed again" ? true : undefined,
    );
  },
);
