/**
 * One language, two storages: the commands of simulated histories, with their crashes, stolen leases, merges and edits,
 * are given to PostgreSQL one by one. It has to answer as memory did, and to hold the same in the end.
 */
import { record } from "@accord/sync-engine/simulation";
import { expect, test } from "vitest";
import { testDatabase } from "../../../../test-kit/database.ts";
import { ReplayedStore } from "../../../../test-kit/replayed-store.ts";

/** Histories with decimals, dates, moments, lists and objects. */
const TYPED = [22, 33, 34, 50, 57];
/** Histories of every kind: plain ones, duplicates and references, places used one way, and named duplicates. */
const SEEDS = [
  ...Array.from({ length: 20 }, (_, index) => index + 1),
  ...TYPED,
  2002381,
  2008533,
  5007004,
  77003048,
  94639,
  5003761,
  102746,
  256184945,
  930038324,
  940003813,
];

async function replay(seed: number): Promise<void> {
  const history = record(seed);
  const database = await testDatabase();
  try {
    const store = await ReplayedStore.open(database, history);
    try {
      for (const [index, command] of history.commands.entries()) {
        const { expected, given } = await store.give(command);
        expect(given, `seed ${seed}, command ${index}: ${command.kind}`).toEqual(expected);
      }
      const { expected, given } = await store.end();
      expect(given, `what seed ${seed} leaves behind`).toEqual(expected);
    } finally {
      await store.close();
    }
  } finally {
    await database.drop();
  }
}

test.each(SEEDS)(
  "[F1] [F4] [F5] [F13] [F14] PostgreSQL answers each command of simulated history %i as memory does",
  { timeout: 120_000 },
  replay,
);
