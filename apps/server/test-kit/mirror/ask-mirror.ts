/** Asks cards on deals, and asks them again until the columnar mirror has answered. */
import type { Id } from "@accord/contracts";
import { type CardConfigurationInput, previewDataCard } from "@accord/contracts/insights/cards";
import { expect } from "vitest";
import type { MirrorModule } from "../../src/modules/insights/mirror-module.ts";
import { instanceSchema } from "../../src/platform/db/db.ts";
import { columnCard, makeDataset, makeDeals } from "../fixtures/insights.ts";
import type { Place, TestApp } from "../test-app.ts";

type Card = Partial<CardConfigurationInput>;

/** What stands in one place of the configuration: every entity is mirrored, in little room. */
export const mirrorSettings = () => ({ isOn: true, memoryMb: 128, diskMb: 500, minRecords: 0 });

export function mirrorOf(t: TestApp) {
  const found = t.module<MirrorModule>("insights/mirror").mirror;
  if (!found) throw new Error("the mirror is off");
  return found;
}

export async function askCard(t: TestApp, datasetId: Id<"dataset">, card: Card = {}, at: Place = t) {
  // Past what is kept of answers.
  t.clock.advance(6 * 60_000);
  const { contents } = await t.as("SYNC_MANAGER", at).call(previewDataCard, {
    body: { datacard: { contents: { configuration: columnCard(datasetId, card) } }, dataset: {} },
  });
  return contents.data;
}

/** Asks until the mirror answers. */
export async function askMirror(t: TestApp, datasetId: Id<"dataset">, card: Card = {}, at: Place = t) {
  const answers: Awaited<ReturnType<typeof askCard>>[] = [];
  await expect
    .poll(
      async () => {
        const { answered } = mirrorOf(t).status();
        answers.push(await askCard(t, datasetId, card, at));
        return mirrorOf(t).status().answered > answered;
      },
      { timeout: 90_000 },
    )
    .toBe(true);
  return answers.at(-1);
}

export const COUNT: Card = {
  vizType: "METRIC",
  columns: [{ column: "pieces", name: "pieces", aggregate: "count", displayFormat: "number" }],
};

/** An entity of deals, its dataset and its table. */
export async function mirroredDeals(t: TestApp, at: Place = t) {
  const entityId = await makeDeals(t, at);
  const datasetId = await makeDataset(t, at, {}, entityId);
  const schema = instanceSchema(at.instanceId);
  const { rows } = await t.deps.dataPool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE nspname = $1 AND relkind = 'r' AND relname LIKE 'r\\_Deal%' ORDER BY c.oid DESC LIMIT 1`,
    [schema],
  );
  const name = rows[0]?.name ?? "";
  return { datasetId, schema, name, table: `"${schema}"."${name}"` };
}

export const addMany = (t: TestApp, table: string, count: number) =>
  t.deps.dataPool.query(
    `INSERT INTO ${table} (accord_id, "status", "amount", "pieces")
     SELECT md5(random()::text || n), 's' || n % 7, n / 100.0, n FROM generate_series(1, $1::int) n`,
    [count],
  );

export async function totalOf(t: TestApp, table: string): Promise<number> {
  const { rows } = await t.deps.dataPool.query(
    `SELECT count("pieces")::int AS n FROM ${table} WHERE NOT accord_deleted`,
  );
  return rows[0]?.n;
}

/** Triggers that note changes for the mirror. */
export async function captureTriggers(t: TestApp): Promise<number> {
  const { rowCount } = await t.deps.dataPool.query(
    "SELECT FROM pg_trigger WHERE tgname LIKE 'accord\\_mirror\\_%' AND NOT tgisinternal",
  );
  return rowCount ?? 0;
}
