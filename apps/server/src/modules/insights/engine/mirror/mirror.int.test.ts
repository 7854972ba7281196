/** The columnar mirror: its answers are those of PostgreSQL, never older, and whatever happens to it somebody answers. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Id } from "@accord/contracts";
import { type CardConfigurationInput, previewDataCard } from "@accord/contracts/insights/cards";
import { afterAll, beforeAll, expect, test } from "vitest";
import { columnCard, makeDataset, makeDeals } from "../../../../../test-kit/fixtures/insights.ts";
import { testApp, type TestApp } from "../../../../../test-kit/index.ts";
import { instanceSchema } from "../../../../platform/db/db.ts";
import type { MirrorModule } from "../../mirror-module.ts";

let t: TestApp;
let home: string;
const settings = { isOn: true, memoryMb: 128, diskMb: 500, minRecords: 0 };
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "accord-mirror-"));
  t = await testApp({ config: { home, mirror: settings } });
}, 60_000);
afterAll(async () => {
  await t.close();
  await rm(home, { recursive: true, force: true });
});

const mirror = () => {
  const found = t.module<MirrorModule>("insights/mirror").mirror;
  if (!found) throw new Error("the mirror is off");
  return found;
};
const schema = () => `"${instanceSchema(t.instanceId)}"`;

const ask = async (datasetId: Id<"dataset">, card: Partial<CardConfigurationInput> = {}) => {
  // Past what is kept of answers.
  t.clock.advance(6 * 60_000);
  const { contents } = await t.as("SYNC_MANAGER").call(previewDataCard, {
    body: { datacard: { contents: { configuration: columnCard(datasetId, card) } }, dataset: {} },
  });
  return contents.data;
};

/** The answer, once it is the mirror's. */
async function askMirror(datasetId: Id<"dataset">, card: Partial<CardConfigurationInput> = {}) {
  let data = await ask(datasetId, card);
  await expect
    .poll(
      async () => {
        const { answered } = mirror().status();
        data = await ask(datasetId, card);
        return mirror().status().answered - answered;
      },
      { timeout: 20_000 },
    )
    .toBe(1);
  return data;
}

async function askPostgres(datasetId: Id<"dataset">, card: Partial<CardConfigurationInput> = {}) {
  settings.minRecords = Number.MAX_SAFE_INTEGER;
  try {
    return await ask(datasetId, card);
  } finally {
    settings.minRecords = 0;
  }
}

test("the mirror answers as PostgreSQL does, and sees what was committed before the question", async () => {
  const entityId = await makeDeals(t, t);
  const datasetId = await makeDataset(t, t, {}, entityId);
  const data = await askMirror(datasetId);
  expect(data).toMatchObject({ ...(await askPostgres(datasetId)), asOf: expect.any(String) });
  expect(data.rows).toEqual([
    { x: "paid", y0: "25.25" },
    { x: "open", y0: "10.50" },
    { x: "lost", y0: null },
  ]);
});
