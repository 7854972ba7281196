/** The planner's statistics keep up with places that grow by leaps: analysed at five hundred rows, then at each fourfold. */
import { emptyBatch, type LinkWrite, type DeliveryResult } from "@accord/sync-engine/run";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import { CUSTOMER, PLACE, storeWorld } from "../../../../../test-kit/replay/store-world.ts";
import { storedRows } from "./stored-rows.store.ts";
import { tableStatistics } from "./table-statistics.store.ts";

async function growing() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool, instanceId, pipelineId, schema } = await storeWorld(database);
  const scope = { instanceId, pipelineId, entityNumber: 1, entity: CUSTOMER, referrers: async () => [] };
  const statistics = tableStatistics(storedRows(pool, scope));
  const analysed = async (): Promise<number> => {
    await pool.query("SELECT pg_stat_clear_snapshot()");
    const { rows } = await pool.query(
      "SELECT analyze_count::int AS count FROM pg_stat_user_tables WHERE relid = $1::regclass",
      [`${schema}.link`],
    );
    return rows[0]?.count ?? 0;
  };
  /** Waits for as many analyses, and a moment longer for one too many. */
  const expectAnalysed = async (count: number): Promise<void> => {
    await expect.poll(analysed).toBe(count);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await analysed()).toBe(count);
  };
  return { statistics, expectAnalysed };
}

const links = (count: number, isNew: boolean): LinkWrite[] =>
  Array.from({ length: count }, () => ({ isNew }) as LinkWrite);
const page = (placeId: number, added: number, known = 0) => ({
  ...emptyBatch(placeId, null),
  links: [...links(added, true), ...links(known, false)],
});

test("links of one place are counted, those that were there before are not", async () => {
  const { statistics, expectAnalysed } = await growing();
  statistics.stored(page(PLACE, 499, 600));
  statistics.stored(page(PLACE + 1, 499));
  await expectAnalysed(0);
  statistics.stored(page(PLACE, 1));
  await expectAnalysed(1);
  statistics.stored(page(PLACE, 1_499));
  await expectAnalysed(1);
  statistics.stored(page(PLACE, 1));
  await expectAnalysed(2);
});

test("deliveries are counted by the place that they go to, links that answers make as well", async () => {
  const { statistics, expectAnalysed } = await growing();
  const tell = (placeId: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ placeId, recordId: String(index), onlyIfOutstanding: false }));
  statistics.stored({ ...page(PLACE, 0), deliveries: [...tell(PLACE, 499), ...tell(PLACE + 1, 499)] });
  await expectAnalysed(0);
  statistics.stored({ ...page(PLACE, 0), deliveries: tell(PLACE + 1, 1) });
  await expectAnalysed(1);
  const answers = (count: number, isNew: boolean) =>
    Array.from({ length: count }, () => ({ link: { isNew } }) as DeliveryResult);
  statistics.settled(PLACE, [...answers(499, true), ...answers(600, false), { link: null } as DeliveryResult]);
  await expectAnalysed(1);
  statistics.settled(PLACE, answers(1, true));
  await expectAnalysed(2);
});
