/**
 * Records a second through each kind of connector, read and written, beside a bare client of the same library that asks for
 * the same pages and batches. `--records=N` of each, 50,000 unless given; `--only=postgres` and the like.
 */
import { databaseCases } from "./parts/connectors/databases.ts";
import { fileCases } from "./parts/connectors/files.ts";
import { jsonApiCases } from "./parts/connectors/json-apis.ts";
import type { ConnectorCase } from "./parts/connectors/case.ts";
import { peakRssMb, type Measure, type Measurement } from "../setup/measurement.ts";

const ROUNDS = 5;
const settingOf = (words: readonly string[], name: string): string | undefined =>
  words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);

export const measure: Measure = async (words, say) => {
  const records = Number(settingOf(words, "records") ?? 50_000);
  const only = settingOf(words, "only") ?? "";
  const measured: Measurement[] = [];
  for (const start of [databaseCases, jsonApiCases, fileCases])
    for (const { name, open } of start(records).filter((each) => each.name.includes(only))) {
      say(`  ${name}`);
      measured.push(await compare(name, await open()));
    }
  return measured;
};

/** Both in turn, so that a busy moment of the machine falls on both; the medians are compared. The first round warms up. */
async function compare(name: string, { ours, limit, close }: ConnectorCase): Promise<Measurement> {
  try {
    const rates = { ours: [] as number[], limit: [] as number[] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      const [bare, through] = [await rateOf(limit), await rateOf(ours)];
      if (bare.records !== through.records)
        throw new Error(`${name}: ${through.records} records, ${bare.records} by the bare client`);
      if (round === 0) continue;
      rates.limit.push(bare.rate);
      rates.ours.push(through.rate);
    }
    return {
      name: `connectors: ${name}`,
      ours: median(rates.ours),
      limit: median(rates.limit),
      unit: "records/s",
      better: "more",
      rssMb: peakRssMb(),
    };
  } finally {
    await close();
  }
}

async function rateOf(work: () => Promise<number>): Promise<{ records: number; rate: number }> {
  const began = performance.now();
  const records = await work();
  return { records, rate: (records / (performance.now() - began)) * 1000 };
}

const median = (values: number[]): number => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
