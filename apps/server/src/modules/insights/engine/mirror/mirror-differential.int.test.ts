/**
 * Random cards on odd records are answered by the mirror as by PostgreSQL, through the API, text for text, while records
 * change. `ACCORD_MIRROR_CARDS=5000` asks more of them, `ACCORD_MIRROR_SEED=7` others.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CardConfiguration, previewDataCard } from "@accord/contracts/insights/cards";
import { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { createDataset } from "@accord/contracts/insights/datasets";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../../../test-kit/index.ts";
import { insertOdd, makeOddShop, type OddShop, rngOf } from "../../../../../test-kit/mirror/odd-records.ts";
import { randomCard, type RandomCard } from "../../../../../test-kit/mirror/random-cards.ts";
import type { MirrorModule } from "../../mirror-module.ts";

const CARDS = Number(process.env["ACCORD_MIRROR_CARDS"] ?? 300);
const SEED = Number(process.env["ACCORD_MIRROR_SEED"] ?? 1);
const RECORDS = 400;
/** Off, for PostgreSQL alone. */
const NEVER = Number.MAX_SAFE_INTEGER;

let t: TestApp;
let home: string;
let shop: OddShop;
let datasetId: string;
const settings = { isOn: true, memoryMb: 128, diskMb: 500, minRecords: 0 };
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "accord-mirror-"));
  t = await testApp({ config: { home, mirror: settings } });
  shop = await makeOddShop(t, SEED, RECORDS);
  const body = {
    displayName: "Any",
    name: "any",
    datasetConfig: DatasetConfig.parse(randomCard(rngOf(1), shop).dataset),
  };
  datasetId = (await t.as("SUPER_ADMIN").call(createDataset, { body })).id;
}, 60_000);
afterAll(async () => {
  await t.close();
  await rm(home, { recursive: true, force: true });
});

const status = () => {
  const found = t.module<MirrorModule>("insights/mirror").mirror?.status();
  if (!found) throw new Error("the mirror is off");
  return found;
};

async function ask({ card, dataset }: RandomCard, minRecords: number): Promise<unknown> {
  settings.minRecords = minRecords;
  // Past what is kept of answers.
  t.clock.advance(6 * 60_000);
  const configuration = CardConfiguration.parse({ datasetId, ...card });
  const { status: code, body } = await t.as("SYNC_MANAGER").send(previewDataCard, {
    body: { datacard: { contents: { configuration } }, dataset: { datasetConfig: DatasetConfig.parse(dataset) } },
  });
  if (code !== 200) return { code };
  const { rows, reduction, dataAsOf, columns } = previewDataCard.reply.parse(body).contents.data;
  return { rows, reduction, dataAsOf, columns };
}

/** Asks until the mirror has answered, or won't. */
async function askMirror(card: RandomCard): Promise<{ answer: unknown; isMirrors: boolean }> {
  for (let attempt = 0; ; attempt += 1) {
    const before = status();
    const answer = await ask(card, 0);
    const after = status();
    const wait = ["building", "behind", "unavailable"] as const;
    const mayCome = wait.some((reason) => (after.refused[reason] ?? 0) > (before.refused[reason] ?? 0));
    if (!mayCome || attempt > 200) return { answer, isMirrors: after.answered > before.answered };
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

test(`${CARDS} random cards are answered by the mirror as by PostgreSQL`, async () => {
  const rng = rngOf(SEED * 7919);
  let mirrored = 0;
  for (let index = 0; index < CARDS; index += 1) {
    const card = randomCard(rng, shop);
    if (rng() < 0.2) await change();
    const { answer, isMirrors } = await askMirror(card);
    expect({ index, card, answer }).toEqual({ index, card, answer: await ask(card, NEVER) });
    if (isMirrors) mirrored += 1;
  }
  // The rest asks for what only PostgreSQL answers.
  expect(mirrored).toBeGreaterThan(CARDS * 0.4);

  /** One of the things that sync, people and merges do to records. */
  async function change(): Promise<void> {
    const { main } = shop.tables;
    const some = `accord_id IN (SELECT accord_id FROM ${main} ORDER BY md5(accord_id || '${rng()}') LIMIT 3)`;
    const kind = Math.floor(rng() * 4);
    if (kind === 0) await insertOdd(t, main, { rng, others: [null] });
    else if (kind === 1) await t.deps.dataPool.query(`DELETE FROM ${main} WHERE ${some}`);
    else if (kind === 2)
      await t.deps.dataPool.query(
        `UPDATE ${main} SET accord_deleted = NOT accord_deleted, accord_updated_at = now() WHERE ${some}`,
      );
    else
      await t.deps.dataPool.query(
        `UPDATE ${main} SET "amount" = "amount" + 1.25, "label" = upper("label"), accord_updated_at = now() WHERE ${some}`,
      );
  }
}, 600_000);
