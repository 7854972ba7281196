/** A row of a table leaves the filter of its source, others edit its record meanwhile, and the row comes back. */
import { listConflicts } from "@accord/contracts/sync/monitoring/conflicts";
import * as reconciliation from "@accord/contracts/sync/reconciliation";
import * as runs from "@accord/contracts/sync/monitoring/runs";
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import { expect, test } from "vitest";
import { apiCompanies, shopAndRegister, shopCompanies } from "../../../../../../test-kit/systems/shop-and-register.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";

const LONG_TIMEOUT = { timeout: 240_000 };
/** Closed companies have the size 0. */
const isOpen = {
  type: "condition",
  left: { kind: "field", field: "size" },
  operator: "greater",
  right: [{ kind: "literal", value: 0 }],
};

test.each([
  ["the latest change", "LATEST", false],
  ["the latest change, told by the table", "LATEST", true],
  ["no authority", "NONE", false],
  ["no authority, though the table tells times", "NONE", true],
] as const)(
  "what was entered elsewhere while a filter held a row back stands, and the row's own value is listed: %s",
  LONG_TIMEOUT,
  async (_, authority, hasTimes) => {
    const register = companies("all", { kind: "none" });
    const { t, params, systems, api, schema, untilAgreed } = await shopAndRegister(2, 0, register, {
      hasTimes,
      core: { authority },
      shopFilter: isOpen,
      // Else its clock is a second behind, and what is entered there within it is the earlier edit.
      prepare: ({ habits }) => void (habits.clockOffsetMs = 0),
    });
    const manager = t.as("SYNC_MANAGER");
    const updateShop = (set: string) =>
      systems.sql(
        `UPDATE shop.company SET ${set} ${hasTimes ? ", updated_at = clock_timestamp()" : ""} WHERE email = 's1@example.com'`,
      );
    await eventually("the first load", async () => (api.companies.size === 2 ? true : undefined));
    await untilAgreed("agreement");

    await updateShop("name = 'Entered in the shop', size = 0");
    await eventually("the row to be held back", async () => {
      const rows = await systems.sql(`SELECT FROM ${schema}.link WHERE held_back IS NOT NULL`);
      return rows.length === 1 ? true : undefined;
    });
    const [first] = [...api.companies.values()].filter(({ email }) => email === "s1@example.com");
    api.touch(first?.id ?? 0, { name: "Entered in the register" });
    const warned = await eventually("a cycle to warn of what waits", async () => {
      const { cycles } = await manager.call(runs.listCycles, { params, query: {} });
      return cycles.flatMap(({ warnings }) => warnings).find(({ code }) => code === "held_back");
    });
    expect(warned.count).toBe(1);
    expect((await shopCompanies(systems))[0]).toMatchObject({ name: "Entered in the shop", size: 0 });

    const { id } = await manager.call(reconciliation.startReconciliation, { params, body: {} });
    const report = { params: { reconciliationId: id } };
    await eventually("the end of the reconciliation", async () =>
      (await manager.call(reconciliation.getReconciliation, report)).endedAt === null ? undefined : true,
    );
    const { differences } = await manager.call(reconciliation.listDifferences, { ...report, query: { count: 100 } });
    expect(differences.map(({ kind, reason, field }) => `${kind} ${reason} ${field}`).sort()).toEqual([
      "different held_back name",
      "different held_back size",
    ]);

    await updateShop("size = 9");
    await untilAgreed("agreement after it came back");
    const kept = { email: "s1@example.com", name: "Entered in the register", size: 9 };
    expect((await shopCompanies(systems))[0]).toEqual(kept);
    expect(apiCompanies(api)[0]).toEqual(kept);
    const refusals = await systems.sql(`SELECT refused FROM ${schema}.ledger WHERE refused IS NOT NULL`);
    expect(refusals.map((row) => row["refused"])).toEqual([{ name: ["Entered in the shop", "older"] }]);
    const { conflicts } = await manager.call(listConflicts, { params, query: {} });
    expect(conflicts.map(({ field }) => field)).toEqual(authority === "LATEST" ? ["name"] : []);
    expect(await systems.sql(`SELECT FROM ${schema}.link WHERE held_back IS NOT NULL`)).toEqual([]);
  },
);
