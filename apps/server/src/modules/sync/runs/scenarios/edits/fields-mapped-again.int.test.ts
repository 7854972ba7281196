/** A field that a version leaves out and a later one maps again, between a table and a JSON API: no edit made meanwhile is lost. */
import { setTimeout as sleep } from "node:timers/promises";
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import { type GraphNode, SourceConfiguration } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { apiCompanies, shopAndRegister, shopCompanies } from "../../../../../../test-kit/systems/shop-and-register.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";

const LONG_TIMEOUT = { timeout: 240_000 };
const single = companies("all", { kind: "none" });

/** Neither reads nor writes the sizes of companies. */
function withoutSize(node: GraphNode): GraphNode {
  if (node.nodeType !== "ENTITY_SOURCE" && node.nodeType !== "ENTITY_SINK") return node;
  const kept = SourceConfiguration.parse(node.configuration).fieldMappings.filter(
    ({ coreField }) => coreField !== "size",
  );
  return { ...node, configuration: { ...node.configuration, fieldMappings: kept } };
}

const sizes = (all: readonly { email: string; size: number | null }[]) =>
  new Map(all.map((one) => [one.email, one.size]));

test.each([
  ["a table with times of change, what exists is brought in", true, true],
  ["a table without, what exists is brought in", false, true],
  ["a table without, and nothing is brought in", false, false],
])("what was entered while nobody mapped the field is in both: %s", LONG_TIMEOUT, async (_, hasTimes, bringsIn) => {
  const { systems, api, untilAgreed, publish } = await shopAndRegister(12, 0, single, { hasTimes, attaches: true });
  await untilAgreed("the first load");
  await sleep(2_000);
  await publish(withoutSize);
  await sleep(3_000);
  const touched = hasTimes ? ", updated_at = clock_timestamp()" : "";
  await systems.sql(`UPDATE shop.company SET size = 100 + id ${touched} WHERE id <= 3`);
  const ids = new Map([...api.companies.values()].map(({ id, email }) => [email, id]));
  for (const number of [4, 5, 6]) api.touch(ids.get(`s${number}@example.com`) ?? 0, { size: 200 + number });
  await sleep(5_000);
  await publish((node) => node, bringsIn);
  if (!bringsIn) {
    await sleep(3_000);
    // Read again because something else of them changed, in the API by our own write.
    await systems.sql("UPDATE shop.company SET name = 'Renamed ' || id WHERE id <= 6");
  }
  const expected = new Map(
    Array.from({ length: 12 }, (__, index) => {
      const id = index + 1;
      return [`s${id}@example.com`, id <= 3 ? 100 + id : id <= 6 ? 200 + id : id];
    }),
  );
  await eventually("all sizes in both", async () => {
    const both = [sizes(await shopCompanies(systems)), sizes(apiCompanies(api))];
    return both.every((found) => [...expected].every(([email, size]) => found.get(email) === size)) ? true : undefined;
  });
  await untilAgreed("agreement");
  expect(sizes(await shopCompanies(systems))).toEqual(expected);
});
